/** Formats of the report document. Readers accept the current format and the one before. */

/** The format of the report document. */
export const REPORT_FORMAT = 'bank-open-api-conformance/2';
/** The format before: it had the judgement of each exchange next to the exchanges. */
export const OLDER_FORMAT = 'bank-open-api-conformance/1';

type Members = Readonly<Record<string, unknown>>;

const membersOf = (value: unknown): Members => (typeof value === 'object' && value !== null ? (value as Members) : {});
const listOf = (value: unknown): readonly Members[] => (Array.isArray(value) ? value.map(membersOf) : []);

/** Earlier names of outcomes, and of answers to open points by the first digit of the status. */
const EARLIER: ReadonlyMap<unknown, string> = new Map([
  ['succeeded', 'accepted'],
  ['unsuccessful', 'declined'],
  ['broken', 'malformed'],
  ['failed', 'crashed'],
  ['no-answer', 'lost'],
  ['no-data', 'refused'],
  ['other 2', 'malformed'],
  ['other 5', 'crashed'],
]);

/** An operation or an observation with the current names of outcomes. */
function renamed(one: Members): Members {
  const { outcomes, answer } = one;
  if (outcomes !== undefined)
    return {
      ...one,
      outcomes: Object.fromEntries(
        Object.entries(membersOf(outcomes)).map(([name, count]) => [EARLIER.get(name) ?? name, count]),
      ),
    };
  const { reply, status } = membersOf(answer);
  if (typeof reply !== 'string') return one;
  const now = reply === 'other' ? (EARLIER.get(`other ${String(status).slice(0, 1)}`) ?? 'lost') : EARLIER.get(reply);
  return {
    ...one,
    answer: { ...membersOf(answer), reply: now ?? reply, ...(reply === 'no-data' ? { withoutData: true } : {}) },
  };
}

/** A report of either format in the current one. Any other value is returned unchanged. */
export function inReportFormat(value: unknown): unknown {
  const { format } = membersOf(value);
  if (format !== REPORT_FORMAT && format !== OLDER_FORMAT) return value;
  const report = format === OLDER_FORMAT ? fromOlderFormat(membersOf(value)) : membersOf(value);
  const all = (list: unknown): unknown => (Array.isArray(list) ? listOf(list).map(renamed) : list);
  return { ...report, operations: all(report['operations']), observations: all(report['observations']) };
}

/** A report of the older format in the current one. */
function fromOlderFormat({ judged, clauseSets: _, ...report }: Members): Members {
  const said = (exchange: unknown): Members => membersOf(membersOf(judged)[String(exchange)]);
  const { findings, exchanges, createdResources } = report;
  const isAlone = ({ exchange, clause, pointer, kind }: Members): boolean =>
    listOf(said(exchange)['broken']).some(
      (one) => one['clause'] === clause && one['pointer'] === pointer && one['kind'] === kind,
    );
  return {
    ...report,
    format: REPORT_FORMAT,
    findings: Array.isArray(findings)
      ? listOf(findings).map((finding) => (isAlone(finding) ? { ...finding, alone: true } : finding))
      : findings,
    exchanges: Object.fromEntries(
      Object.entries(membersOf(exchanges)).map(([id, record]) => [
        id,
        said(id)['way'] === 'property' ? { ...membersOf(record), property: '' } : record,
      ]),
    ),
    createdResources: {
      ...membersOf(createdResources),
      items: listOf(membersOf(createdResources)['items']).map((item) => ({ perhaps: false, ...item })),
    },
  };
}
