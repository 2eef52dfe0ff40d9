/** Judges all exchanges of a history again, makes the report again, and lists each difference. */
import { listRunViolations } from '../../openapi/history/reading.ts';
import { foldReport } from '../fold/index.ts';
import type { History } from '../journal/history.ts';
import type { ClauseReport, Observation, Report } from '../model/report.ts';
import { omitUndefined } from '../text/given.ts';
import { makeDifferences, hasRightDigest, type Difference, type Rejudged } from './rejudge.ts';

interface Refolded extends Pick<Rejudged, 'taken' | 'differences'> {
  readonly exchanges: number;
}

/** Makes the report from the history. The data about the run, and the faults of the suite, come from the old report. */
function makeReportAgain(report: Report, { lines }: History): Report {
  const { target, suite, startedAt, durationMs, interrupted, configuration, errors, recording } = report;
  const withoutErrors = {
    *[Symbol.iterator]() {
      for (const line of lines) if (line.line !== 'error') yield line;
    },
  };
  const run = { target, suite, startedAt, durationMs, configuration, errors };
  const caps = report.createdResources.caps ?? undefined;
  return foldReport({
    lines: withoutErrors,
    run: { ...run, ...omitUndefined({ interrupted: interrupted ?? undefined, caps, recording }) },
  });
}

function compareByKey<T>(
  part: string,
  before: readonly T[],
  after: readonly T[],
  keyOf: (item: T) => string,
  shown = removeMessages,
) {
  const [then, now] = [before, after].map((items) => new Map(items.map((item) => [keyOf(item), item]))) as [
    Map<string, T>,
    Map<string, T>,
  ];
  return [...new Set([...then.keys(), ...now.keys()])].flatMap((at) => {
    const [one, other] = [then.get(at), now.get(at)];
    if (JSON.stringify(one) === JSON.stringify(other)) return [];
    if (one === undefined) return makeDifferences(at, `its history gives this ${part}, and the report does not`);
    if (other === undefined) return makeDifferences(at, `its history does not give this ${part}`);
    const said = shown(one) === shown(other) ? '' : `: ${shown(one)}, and now ${shown(other)}`;
    return makeDifferences(at, `its history gives another ${part}${said}`);
  });
}

const getItemId = ({ id }: { readonly id: string }): string => id;
const removeMessages = (_: unknown): string => '';
const describeCounts = (clause: unknown): string => {
  const { verdict, exercised, broken } = clause as ClauseReport;
  return `“${verdict}”, tested ${exercised} times and broken ${broken} times`;
};

const getObservationKey = ({ point, operation, about, value }: Observation): string =>
  [point, operation, about ?? '', value].join(' | ');

export function remakeReport(report: Report, history: History): Refolded {
  let exchanges = 0;
  const taken: Refolded['taken'][number][] = [];
  const unsealed: Difference[] = [];
  // Two shards may have used the same exchange id.
  const digests = new Set<string>();
  // Reads the entries one by one: the history may be too large for the memory.
  for (const line of history.lines) {
    if (line.line !== 'entry') continue;
    const { id, sha256 } = line.entry;
    exchanges += 1;
    taken.push(...listRunViolations(line.entry));
    if (!hasRightDigest(line.entry))
      unsealed.push({ at: id, what: 'in the history its SHA-256 is not the one that it was recorded with' });
    if (id in report.exchanges) digests.add(`${id} ${sha256}`);
  }
  const again = makeReportAgain(report, history);
  // Results about pins and known findings depend on files that the report does not contain.
  const pinned = new Set(report.against?.pins?.points);
  const clauses = ({ clauses: all }: Report) => all.filter(({ id }) => !pinned.has(id));
  const findings = ({ findings: all }: Report) =>
    all.flatMap(({ known: _, ...one }) => (pinned.has(one.clause) ? [] : one));
  return {
    exchanges,
    taken,
    differences: [
      ...unsealed,
      ...Object.entries(report.exchanges).flatMap(([id, { sha256 }]) =>
        makeDifferences(id, !digests.has(`${id} ${sha256}`) && 'it is not in the history as it is here'),
      ),
      ...makeDifferences(
        'report',
        report.history !== history.sha256 && 'the history beside it is not the one that it was made from',
        // An inconclusive verdict may rest on what only the run knew.
        pinned.size === 0 &&
          report.verdict !== 'inconclusive' &&
          report.headline !== again.headline &&
          `its headline is “${report.headline}”, and its history gives “${again.headline}”`,
      ),
      ...compareByKey('clause', clauses(report), clauses(again), getItemId, describeCounts),
      ...compareByKey('finding', findings(report), findings(again), getItemId),
      ...compareByKey('observation', report.observations, again.observations, getObservationKey),
      ...compareByKey('operation', report.operations, again.operations, getItemId),
    ],
  };
}
