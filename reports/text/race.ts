/** Describes two requests that were in flight at the same time. */
import { operationFacts } from '../../openapi/api.ts';
import type { ExchangeRecord } from '../../openapi/model/journal.ts';
import type { Finding, Report } from '../model/report.ts';

/** The time of day of an ISO 8601 time: `10:31:05.123`. */
const readTimeOfDay = (time: string): string => time.slice(11, 23);

function describeTimes({ timing: { startedAt, durationMs }, response }: ExchangeRecord): string {
  const answer = response === null ? 'no answer' : `status ${response.status}`;
  return `sent ${readTimeOfDay(startedAt)}, ${answer} after ${Math.round(durationMs)} ms`;
}

/** A bank accepts a step of an application only once. */
const USED_UP_NOTE = 'the commands need the ids of a new application; a replay opens one';
const usesUpId = ({ operation, request }: ExchangeRecord): boolean => {
  const { usesUp } = operationFacts[operation];
  return usesUp !== null && request.body?.includes(`"${usesUp}"`) === true;
};

const listRace = ({ exchanges }: Report, { exchange, concurrent }: Finding): readonly ExchangeRecord[] =>
  concurrent === undefined ? [] : [exchanges[concurrent], exchanges[exchange]].filter((record) => record !== undefined);

/** One text for each of two requests at once; an empty list for a finding about one request. */
export const describeRaceTimes = (report: Report, finding: Finding): string[] =>
  listRace(report, finding).map(describeTimes);

/** The times, and a note if the ids of the requests are used up. */
export const describeRace = (report: Report, finding: Finding): string[] => [
  ...describeRaceTimes(report, finding),
  ...(listRace(report, finding).some(usesUpId) ? [USED_UP_NOTE] : []),
];
