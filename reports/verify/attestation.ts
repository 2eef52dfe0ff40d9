/**
 * The attestation of a run: an in-toto statement with the predicate test-result, in a signed envelope. Its subjects are the
 * report and, where its digest is known, the build that was judged.
 */
import { opened, type Envelope, type Sealer } from '../../openapi/util/dsse.ts';
import { sha256OfText } from '../../openapi/util/hash.ts';
import { fileNames } from '../formats/paths.ts';
import type { ClauseVerdict, Report } from '../model/report.ts';
import { targetName } from '../text/phrases.ts';

const PAYLOAD_TYPE = 'application/vnd.in-toto+json';
const STATEMENT_TYPE = 'https://in-toto.io/Statement/v1';
const PREDICATE_TYPE = 'https://in-toto.io/attestation/test-result/v0.1';

interface Resource {
  readonly name: string;
  readonly digest: { readonly sha256: string };
}

interface Statement {
  readonly _type: string;
  readonly predicateType: string;
  readonly subject: readonly Resource[];
  readonly predicate: {
    readonly result: 'PASSED' | 'WARNED' | 'FAILED';
    /** What the run was judged by. */
    readonly configuration: readonly Resource[];
    readonly verdict: string;
    readonly finishedOn: string;
    readonly passedTests: readonly string[];
    readonly warnedTests: readonly string[];
    readonly failedTests: readonly string[];
  };
}

const resource = (name: string, sha256: string): Resource => ({ name, digest: { sha256 } });

function judgedBy({ suite }: Report): readonly Resource[] {
  const { requirements, overlay } = suite;
  return [
    ...(requirements === undefined ? [] : [resource(`requirements/${requirements.set}`, requirements.digest)]),
    resource('contract', suite.contractDigest),
    ...(overlay === undefined ? [] : [resource(`overlay/${overlay.title}`, overlay.digest)]),
    resource(`suite/${suite.version}`, suite.digest),
  ];
}

/** The statement about a report that is written as `text`. */
function statementOf(report: Report, text: string): Statement {
  const { target, verdict, gate, headline, startedAt, durationMs, recording } = report;
  const of = (wanted: ClauseVerdict): readonly string[] =>
    report.clauses.filter((clause) => clause.verdict === wanted).map(({ id }) => id);
  const warned = of('warning');
  const result = verdict !== 'conformant' || !gate.pass ? 'FAILED' : warned.length > 0 ? 'WARNED' : 'PASSED';
  return {
    _type: STATEMENT_TYPE,
    subject: [
      ...(target.digest === undefined
        ? []
        : [resource(`${targetName(target)}${target.build === null ? '' : ` ${target.build}`}`, target.digest)]),
      resource(fileNames.json, sha256OfText(text)),
    ],
    predicateType: PREDICATE_TYPE,
    predicate: {
      result,
      configuration: judgedBy(report),
      verdict: recording === undefined ? headline : `${headline}, from recorded traffic`,
      finishedOn: new Date(Date.parse(startedAt) + durationMs).toISOString(),
      passedTests: of('pass'),
      warnedTests: warned,
      failedTests: of('fail'),
    },
  };
}

/** The signed attestation of a report that is written as `text`: one line of JSON. */
export function attestation(report: Report, text: string, seal: Sealer): string {
  return `${JSON.stringify(seal(PAYLOAD_TYPE, JSON.stringify(statementOf(report, text))))}\n`;
}

interface AttestedFiles {
  /** As their names are shown. */
  readonly names: { readonly report: string; readonly envelope: string; readonly key: string };
  readonly report: Buffer;
  readonly envelope: string;
  /** The public key, PEM. */
  readonly key: string;
}

/** Why an attestation does not vouch for a report, in one sentence, or null. Throws where a file is not what it should be. */
export function checkAttestation({ names, report, envelope: text, key }: AttestedFiles, judged: Report): string | null {
  let envelope: Envelope;
  try {
    envelope = JSON.parse(text) as Envelope;
    if (typeof envelope.payload !== 'string' || !Array.isArray(envelope.signatures)) throw new Error('no envelope');
  } catch {
    throw new Error(`${names.envelope} is no DSSE envelope.`);
  }
  let payload: string | null;
  try {
    payload = opened(envelope, key);
  } catch (error) {
    throw new Error(`${names.key} ${(error as Error).message}.`, { cause: error });
  }
  if (payload === null) return `${names.envelope} was not signed with the key in ${names.key}.`;
  const { subject, predicateType, predicate } = JSON.parse(payload) as Statement;
  if (predicateType !== PREDICATE_TYPE) return `${names.envelope} attests something else than test results.`;
  if (!subject.some(({ digest }) => digest.sha256 === sha256OfText(report)))
    return `${names.report} is not the report that was attested: its SHA-256 is another one.`;
  if (JSON.stringify(predicate.configuration) !== JSON.stringify(judgedBy(judged)))
    return `${names.report} names another requirement set, contract or suite than its attestation.`;
  return null;
}
