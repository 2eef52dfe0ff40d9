/** The formats of reports. The suite reads the current and the older format. */

/** The format of the report document. */
export const REPORT_FORMAT = 'bank-open-api-conformance/2';
/** The older format had the judgements in a separate list. */
export const OLDER_FORMAT = 'bank-open-api-conformance/1';

type Members = Readonly<Record<string, unknown>>;

const toMembers = (value: unknown): Members => (typeof value === 'object' && value !== null ? (value as Members) : {});
const toList = (value: unknown): readonly Members[] => (Array.isArray(value) ? value.map(toMembers) : []);

/** Maps older names of outcomes, and of answers to open points, to their current names. */
const CURRENT_ID_BY_OLDER_ID: ReadonlyMap<unknown, string> = new Map([
  ['succeeded', 'accepted'],
  ['unsuccessful', 'declined'],
  ['broken', 'malformed'],
  ['failed', 'crashed'],
  ['no-answer', 'lost'],
  ['no-data', 'refused'],
  ['other 2', 'malformed'],
  ['other 5', 'crashed'],
]);

/** Replaces older names of outcomes in an operation or an observation. */
function renameOutcomes(member: Members): Members {
  const { outcomes, answer } = member;
  if (outcomes !== undefined)
    return {
      ...member,
      outcomes: Object.fromEntries(
        Object.entries(toMembers(outcomes)).map(([name, count]) => [CURRENT_ID_BY_OLDER_ID.get(name) ?? name, count]),
      ),
    };
  const { reply, status } = toMembers(answer);
  if (typeof reply !== 'string') return member;
  const now =
    reply === 'other'
      ? (CURRENT_ID_BY_OLDER_ID.get(`other ${String(status).slice(0, 1)}`) ?? 'lost')
      : CURRENT_ID_BY_OLDER_ID.get(reply);
  return {
    ...member,
    answer: { ...toMembers(answer), reply: now ?? reply, ...(reply === 'no-data' ? { withoutData: true } : {}) },
  };
}

/** Explains what to do with a HAR file that is given in place of another file, as the end of a sentence; null if it is no HAR. */
export const explainHarFile = (value: unknown): string | null =>
  Array.isArray(toMembers(toMembers(value)['log'])['entries'])
    ? 'is a HAR recording: judge it with npm run judge'
    : null;

/** Converts a report to the current format. Returns any other value unchanged. */
export function toReportFormat(value: unknown): unknown {
  const { format } = toMembers(value);
  if (format !== REPORT_FORMAT && format !== OLDER_FORMAT) return value;
  const report = format === OLDER_FORMAT ? convertOlderReport(toMembers(value)) : toMembers(value);
  const convert = (list: unknown, entry: (member: Members) => Members): unknown =>
    Array.isArray(list) ? toList(list).map(entry) : list;
  return {
    ...report,
    operations: convert(report['operations'], renameOutcomes),
    observations: convert(report['observations'], renameOutcomes),
    findings: convert(report['findings'], addValueList),
  };
}

/** Adds the list `values` to a finding. In older reports, `values` was a number that now has another name. */
function addValueList(finding: Members): Members {
  const { values } = finding;
  if (Array.isArray(values)) return finding;
  return { ...finding, values: [], ...(values === undefined ? {} : { exercisedValues: values }) };
}

/** Converts a report from the older format to the current format. */
function convertOlderReport({ judged, clauseSets: _, ...report }: Members): Members {
  const said = (exchange: unknown): Members => toMembers(toMembers(judged)[String(exchange)]);
  const { findings, exchanges, createdResources } = report;
  const isAlone = ({ exchange, clause, pointer, kind }: Members): boolean =>
    toList(said(exchange)['broken']).some(
      (member) => member['clause'] === clause && member['pointer'] === pointer && member['kind'] === kind,
    );
  return {
    ...report,
    format: REPORT_FORMAT,
    findings: Array.isArray(findings)
      ? toList(findings).map((finding) => (isAlone(finding) ? { ...finding, alone: true } : finding))
      : findings,
    exchanges: Object.fromEntries(
      Object.entries(toMembers(exchanges)).map(([id, record]) => [
        id,
        said(id)['way'] === 'property' ? { ...toMembers(record), property: '' } : record,
      ]),
    ),
    createdResources: {
      ...toMembers(createdResources),
      items: toList(toMembers(createdResources)['items']).map((item) => ({ perhaps: false, ...item })),
    },
  };
}
