/** Tests `npm run verify --key`: an attestation confirms its report, what it says about the report, and nothing else. */
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeSigner } from '../../../../openapi/util/dsse.ts';
import { hashText } from '../../../../openapi/util/hash.ts';
import { verifyCommand } from '../../../../reports/cli/verify.ts';
import type { Report } from '../../../../reports/model/report.ts';
import { attestReport } from '../../../../reports/verify/attestation.ts';
import { makeSigningKeys } from '../../support/configuration.ts';
import { runInProcess } from '../../support/command.ts';
import { expect, test } from '../../support/reports/samples.ts';
import { makeTempFile } from '../../support/temp-dir.ts';

const signingKeys = makeSigningKeys();
const sealPayload = makeSigner(signingKeys.privateKey);

interface Statement {
  subject: { name: string; digest: { sha256: string } }[];
  predicate: Record<string, unknown>;
  [member: string]: unknown;
}

/** Verifies the report `text`, in a file with any name, by this attestation. */
function verifyReport(text: string, envelope: string, name = 'conformance.json') {
  const file = makeTempFile(name, text);
  const beside = (other: string, content: string): string => {
    const path = join(dirname(file), other);
    writeFileSync(path, content);
    return path;
  };
  const words = ['--key', beside('key.pem', signingKeys.publicKey), '--attestation', beside('a.jsonl', envelope)];
  return runInProcess(verifyCommand, file, ...words);
}

/** Makes the attestation of the report `text`, changes it and signs it again. */
function changeStatement(report: Report, text: string, change: (statement: Statement) => void): string {
  const { payloadType, payload } = JSON.parse(attestReport(report, text, sealPayload)) as {
    payloadType: string;
    payload: string;
  };
  const statement = JSON.parse(Buffer.from(payload, 'base64').toString()) as Statement;
  change(statement);
  return JSON.stringify(sealPayload(payloadType, JSON.stringify(statement)));
}

test('The file of the report may have any name', async ({ faulty }) => {
  const text = JSON.stringify(faulty);
  const { status, out } = await verifyReport(text, attestReport(faulty, text, sealPayload), 'acme-2026-11.json');
  expect([status, out]).toEqual([0, expect.stringContaining('was signed with the key in')]);
});

const [ANOTHER, NOT_IT] = [/ has another [^\n]* than its attestation\.\n$/, /is not the report that was attested: /];
const hasMember =
  (member: string, value: unknown) =>
  ({ predicate }: Statement): unknown =>
    (predicate[member] = value);

for (const [what, says, change] of [
  ['a build with the digest of this report', NOT_IT, ({ subject }) => (subject[0]!.name = 'Acme 7')],
  [
    'another report, and a build with this digest',
    NOT_IT,
    ({ subject }) => subject.push({ name: 'conformance.json', digest: { sha256: '0'.repeat(64) } }),
  ],
  ['no subject', NOT_IT, (statement) => (statement.subject = [])],
  ['a similar name', NOT_IT, ({ subject }) => (subject[0]!.name = './conformance.json')],
  ['another verdict', ANOTHER, hasMember('verdict', 'conformant')],
  ['another result', ANOTHER, hasMember('result', 'PASSED')],
  ['another configuration', ANOTHER, hasMember('configuration', [])],
  ['another end', ANOTHER, hasMember('finishedOn', '2020-01-01T00:00:00.000Z')],
  ['no failed tests', ANOTHER, hasMember('failedTests', [])],
  ['more than a run says', ANOTHER, hasMember('more', 'words')],
] as readonly (readonly [string, RegExp, (statement: Statement) => unknown])[])
  test(`An attestation with ${what} confirms no report`, async ({ faulty }) => {
    const text = JSON.stringify(faulty);
    expect(await verifyReport(text, changeStatement(faulty, text, change))).toEqual({
      status: 1,
      out: expect.stringMatching(says),
    });
  });

test('Input that is no attestation is reported in one sentence', async ({ good }) => {
  const text = JSON.stringify(good);
  const own = JSON.parse(attestReport(good, text, sealPayload)) as Record<string, unknown>;
  const sealed = (payload: unknown, type = 'application/vnd.in-toto+json'): string =>
    JSON.stringify(sealPayload(type, JSON.stringify(payload)));
  const { payload } = own;
  const statement = JSON.parse(Buffer.from(String(payload), 'base64').toString()) as object;
  for (const [envelope, status] of [
    ['', 2],
    ['null', 2],
    ['[]', 2],
    [JSON.stringify({ ...own, payload: 1 }), 2],
    [JSON.stringify({ ...own, signatures: {} }), 2],
    [JSON.stringify({ ...own, signatures: [null] }), 2],
    [JSON.stringify({ ...own, signatures: [{ sig: 7 }] }), 2],
    [`${JSON.stringify(own)}\n${JSON.stringify(own)}\n`, 2],
    ['['.repeat(50_000), 2],
    [sealed(statement, 'application/json'), 2],
    [JSON.stringify({ ...own, payloadType: 'application/vnd.in-toto+json; x' }), 2],
    [JSON.stringify({ ...own, signatures: [] }), 1],
    [JSON.stringify({ ...own, signatures: [{ sig: '!' }] }), 1],
    [sealed(null), 1],
    [sealed({ ...statement, _type: 'x' }), 1],
    [sealed({ ...statement, subject: [{ name: 'conformance.json' }] }), 1],
    [sealed({ ...statement, subject: [null] }), 1],
    [sealed({ ...statement, subject: [{ name: 'conformance.json', digest: { sha512: hashText(text) } }] }), 1],
    [sealed({ ...statement, predicate: null }), 1],
  ] as const)
    expect([envelope.slice(0, 80), await verifyReport(text, envelope)]).toEqual([
      envelope.slice(0, 80),
      { status, out: expect.stringMatching(/^[^\n]+\.\n$/) },
    ]);
});
