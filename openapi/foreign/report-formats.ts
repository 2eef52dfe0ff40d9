/** Formats of the report document. Readers accept the current format and the older format. */

/** The format of the report document. */
export const REPORT_FORMAT = 'bank-open-api-conformance/2';
/** The older format had the judgement of each exchange next to the exchanges. */
export const OLDER_FORMAT = 'bank-open-api-conformance/1';

type Members = Readonly<Record<string, unknown>>;

const membersOf = (value: unknown): Members => (typeof value === 'object' && value !== null ? (value as Members) : {});
const listOf = (value: unknown): readonly Members[] => (Array.isArray(value) ? value.map(membersOf) : []);

/** Maps earlier names of outcomes, and of answers to open points, to current names. */
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

/** Gives an operation or an observation the current names of outcomes. */
function withCurrentNames(one: Members): Members {
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

/** Converts a report to the current format. Returns any other value unchanged. */
export function inReportFormat(value: unknown): unknown {
  const { format } = membersOf(value);
  if (format !== REPORT_FORMAT && format !== OLDER_FORMAT) return value;
  const report = format === OLDER_FORMAT ? fromOlderFormat(membersOf(value)) : membersOf(value);
  const all = (list: unknown): unknown => (Array.isArray(list) ? listOf(list).map(withCurrentNames) : list);
  const { findings } = report;
  return {
    ...report,
    operations: all(report['operations']),
    observations: all(report['observations']),
    findings: Array.isArray(findings) ? listOf(findings).map(withValues) : findings,
  };
}

/** Gives a finding of an earlier report a list of values. Earlier, `values` was a number that now has another name. */
function withValues(finding: Members): Members {
  const { values } = finding;
  if (Array.isArray(values)) return finding;
  return { ...finding, values: [], ...(values === undefined ? {} : { exercisedValues: values }) };
}

/** Converts a report from the older format to the current format. */
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
