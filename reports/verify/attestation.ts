/**
 * Makes and checks the attestation of a run: an in-toto statement with the predicate test-result, in a signed envelope. It is
 * about the report, its history and, if its digest is known, the judged build.
 */
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { parseJson } from '../../openapi/foreign/json.ts';
import { openEnvelope, type Envelope, type Sealer } from '../../openapi/util/dsse.ts';
import { hashText } from '../../openapi/util/hash.ts';
import { fileNames } from '../formats/paths.ts';
import type { ClauseVerdict, Report } from '../model/report.ts';
import { formatTargetName } from '../text/phrases.ts';

const PAYLOAD_TYPE = 'application/vnd.in-toto+json';
const STATEMENT_TYPE = 'https://in-toto.io/Statement/v1';
const PREDICATE_TYPE = 'https://in-toto.io/attestation/test-result/v0.1';

interface Resource {
  readonly name: string;
  readonly digest: { readonly sha256: string };
}

/** Makes the description of a file, if its digest is known. */
const makeResource = (name: string, sha256: string | undefined): Resource[] =>
  sha256 === undefined ? [] : [{ name, digest: { sha256 } }];

/** Makes the statement about a report; `text` is the content of the report file. */
function makeStatement(report: Report, text: string | Buffer) {
  const { target, verdict, gate, headline, startedAt, durationMs, recording, history, suite } = report;
  const { requirements, overlay } = suite;
  const clausesWith = (wanted: ClauseVerdict): readonly string[] =>
    report.clauses.filter((clause) => clause.verdict === wanted).map(({ id }) => id);
  const warnedTests = clausesWith('warning');
  const isPassed = verdict === 'conformant' && gate.pass;
  return {
    _type: STATEMENT_TYPE,
    subject: [
      ...makeResource(`${formatTargetName(target)}${target.build === null ? '' : ` ${target.build}`}`, target.digest),
      ...makeResource(fileNames.json, hashText(text)),
      // The digest of the lines, not of the compressed file.
      ...makeResource(path.parse(fileNames.history).name, history),
    ],
    predicateType: PREDICATE_TYPE,
    predicate: {
      result: !isPassed ? 'FAILED' : warnedTests.length > 0 ? 'WARNED' : 'PASSED',
      /** The inputs of the judgement. */
      configuration: [
        ...makeResource(`requirements/${requirements?.set}`, requirements?.digest),
        ...makeResource('contract', suite.contractDigest),
        ...makeResource(`overlay/${overlay?.title}`, overlay?.digest),
        ...makeResource(`suite/${suite.version}`, suite.digest),
      ],
      verdict: recording === undefined ? headline : `${headline}, from recorded traffic`,
      finishedOn: new Date(Date.parse(startedAt) + durationMs).toISOString(),
      passedTests: clausesWith('pass'),
      warnedTests,
      failedTests: clausesWith('fail'),
    },
  };
}

type Statement = ReturnType<typeof makeStatement>;

/** Makes the signed attestation of a report in one line of JSON; `text` is the content of the report file. */
export const attestReport = (report: Report, text: string, seal: Sealer): string =>
  `${JSON.stringify(seal(PAYLOAD_TYPE, JSON.stringify(makeStatement(report, text))))}\n`;

interface AttestedFiles {
  /** The names of the files, for messages. */
  readonly names: { readonly report: string; readonly envelope: string; readonly key: string };
  readonly report: Buffer;
  readonly envelope: string;
  /** The public key (PEM). */
  readonly key: string;
}

/** Reads the object in a JSON text; an empty object if the text is not JSON. */
function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    return { ...(parseJson(text) as object) };
  } catch {
    return {};
  }
}

/** Reads the envelope in a text. Throws if it is not an envelope of an in-toto statement. */
function parseEnvelope(text: string, name: string): Envelope {
  const { payload, payloadType, signatures } = parseObject(text);
  const isSigned = (one: Partial<Envelope['signatures'][number]> | null): boolean => typeof one?.sig === 'string';
  if (typeof payload !== 'string' || !Array.isArray(signatures) || !signatures.every(isSigned))
    throw new Error(`${name} is no DSSE envelope: give the attestation of a run.`);
  if (payloadType !== PAYLOAD_TYPE)
    throw new Error(`${name} is an envelope of another payload than ${PAYLOAD_TYPE}: give the attestation of a run.`);
  return { payload, payloadType, signatures: signatures as Envelope['signatures'] };
}

/** The parts of a statement to compare, with their names for messages. */
const comparedParts: readonly (readonly [partOf: (statement: Partial<Statement>) => unknown, what: string])[] = [
  [({ predicate }) => predicate?.verdict, 'verdict'],
  [({ predicate }) => predicate?.result, 'result'],
  [({ predicate }) => predicate?.configuration, 'requirement set, contract or suite'],
  [(statement) => statement, 'build, time or list of clauses'],
];

/** Returns why an attestation does not confirm a report, in one sentence, or null. Throws if a file has a wrong format. */
export function checkAttestation({ names, report, envelope: text, key }: AttestedFiles, judged: Report): string | null {
  const envelope = parseEnvelope(text, names.envelope);
  let payload: string | null;
  try {
    payload = openEnvelope(envelope, key);
  } catch (error) {
    throw new Error(`${names.key} ${(error as Error).message}.`, { cause: error });
  }
  if (payload === null) return `${names.envelope} was not signed with the key in ${names.key}.`;
  const statement = parseObject(payload) as Partial<Statement>;
  if (statement._type !== STATEMENT_TYPE || statement.predicateType !== PREDICATE_TYPE)
    return `${names.envelope} attests something else than test results.`;
  // Finds the report by its original name. The judged build is also in the statement; its owner gives its digest.
  const subjects: readonly (Resource | null)[] = Array.isArray(statement.subject) ? statement.subject : [];
  const reports = subjects.filter((one) => one?.name === fileNames.json);
  if (!isDeepStrictEqual(reports, makeResource(fileNames.json, hashText(report))))
    return `${names.report} is not the report that was attested: its SHA-256 is another one.`;
  const own = makeStatement(judged, report);
  const differing = comparedParts.find(([partOf]) => !isDeepStrictEqual(partOf(statement), partOf(own)));
  return differing === undefined ? null : `${names.report} has another ${differing[1]} than its attestation.`;
}
