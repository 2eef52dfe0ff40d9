/** Formats of the report document: what reads a report reads the one before this one too. */

/** The format of the report document. */
export const REPORT_FORMAT = 'bank-open-api-conformance/2';
/** The format before: what the judge said of each exchange stood beside the exchanges. */
export const OLDER_FORMAT = 'bank-open-api-conformance/1';

type Members = Readonly<Record<string, unknown>>;

const membersOf = (value: unknown): Members => (typeof value === 'object' && value !== null ? (value as Members) : {});
const listOf = (value: unknown): readonly Members[] => (Array.isArray(value) ? value.map(membersOf) : []);

/** A report of the older format as one of this format; any other value as it is. */
export function inReportFormat(value: unknown): unknown {
  const { format, judged, clauseSets: _, ...report } = membersOf(value);
  if (format !== OLDER_FORMAT) return value;
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
