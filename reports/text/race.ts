/** Describes a race: two requests that were in flight at the same time. */
import { operationFacts } from '../../openapi/api.ts';
import type { ExchangeRecord } from '../../openapi/model/journal.ts';
import type { Finding, Report } from '../model/report.ts';

/** The time of day of an ISO 8601 time: `10:31:05.123`. */
const readTimeOfDay = (time: string): string => time.slice(11, 23);

function describeTimes({ timing: { startedAt, durationMs }, response }: ExchangeRecord): string {
  const answer = response === null ? 'no answer' : `status ${response.status}`;
  return `sent ${readTimeOfDay(startedAt)}, ${answer} after ${Math.round(durationMs)} ms`;
}

/** A bank accepts each step of an application only once, so the commands of a finding do not work again. */
const USED_UP_NOTE = 'the commands need the ids of a new application; a replay opens one';
const usesUpId = ({ operation, request }: ExchangeRecord): boolean => {
  const { usesUp } = operationFacts[operation];
  return usesUp !== null && request.body?.includes(`"${usesUp}"`) === true;
};

const listRace = ({ exchanges }: Report, { exchange, concurrent }: Finding): readonly ExchangeRecord[] =>
  concurrent === undefined ? [] : [exchanges[concurrent], exchanges[exchange]].filter((record) => record !== undefined);

/** Returns one text for each of the two requests; an empty list if the finding is about one request. */
export const describeRaceTimes = (report: Report, finding: Finding): string[] =>
  listRace(report, finding).map(describeTimes);

/** Returns the texts of `describeRaceTimes`, and a note if the ids of the requests are used up. */
export const describeRace = (report: Report, finding: Finding): string[] => [
  ...describeRaceTimes(report, finding),
  ...(listRace(report, finding).some(usesUpId) ? [USED_UP_NOTE] : []),
];
