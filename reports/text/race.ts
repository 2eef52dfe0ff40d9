/** Describes two requests that were in flight at the same time. */
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
const namesApplication = ({ request }: ExchangeRecord): boolean => request.body?.includes('"application_id"') === true;

/** One text for each request, and a note if their ids are used up; an empty list for a finding about one request. */
export function describeRace({ exchanges }: Report, { exchange, concurrent }: Finding): string[] {
  if (concurrent === undefined) return [];
  const records = [exchanges[concurrent], exchanges[exchange]].filter((record) => record !== undefined);
  return [...records.map(describeTimes), ...(records.some(namesApplication) ? [USED_UP_NOTE] : [])];
}
