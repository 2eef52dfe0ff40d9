/** Tests that the attestation signs the judged report, and that any later change is reported in one sentence. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from '@playwright/test';
import { readRequirementSet } from '../../../../openapi/clauses/requirement-sets.ts';
import { hashText } from '../../../../openapi/util/hash.ts';
import { verifyCommand } from '../../../../reports/cli/verify.ts';
import { runConformance, runInProcess, readReport } from '../../support/command.ts';
import { makeSigningKeys } from '../../support/configuration.ts';
import { makeTempDir, makeTempFile, readTexts } from '../../support/temp-dir.ts';

test('A run signs its report; a changed report, another key and another set are refused, and the key never leaks', async () => {
  const [own, other] = [makeSigningKeys(), makeSigningKeys()];
  const build = hashText('the archive of the build');
  const folder = makeTempDir();
  const env = {
    AREAS: 'atms',
    RUNS: '2',
    SEED: '1',
    REPORT_DIR: folder,
    RENDER: 'attestation,har',
    TARGET_NAME: 'Acme',
    TARGET_BUILD: '7',
  };
  const run = await runConformance({
    ...env,
    TARGET_DIGEST: `sha256:${build}`,
    ATTESTATION_KEY: own.privateKey.replaceAll('\n', '\\n'),
  });
  expect(run.status, run.out).toBe(0);

  const text = readFileSync(join(folder, 'conformance.intoto.jsonl'), 'utf8');
  const envelope = JSON.parse(text) as { payloadType: string; payload: string };
  expect(envelope.payloadType).toBe('application/vnd.in-toto+json');
  const report = readFileSync(join(folder, 'conformance.json'));
  expect(JSON.parse(Buffer.from(envelope.payload, 'base64').toString('utf8'))).toMatchObject({
    _type: 'https://in-toto.io/Statement/v1',
    predicateType: 'https://in-toto.io/attestation/test-result/v0.1',
    subject: [
      { name: 'Acme 7', digest: { sha256: build } },
      { name: 'conformance.json', digest: { sha256: hashText(report) } },
      {
        name: 'history.jsonl',
        digest: { sha256: hashText(gunzipSync(readFileSync(join(folder, 'history.jsonl.gz')))) },
      },
    ],
    predicate: {
      result: 'PASSED',
      verdict: 'conformant (ATM locator only)',
      configuration: expect.arrayContaining([
        { name: `requirements/${readRequirementSet().set}`, digest: { sha256: readRequirementSet().digest } },
      ]),
      passedTests: expect.arrayContaining(['atms.address']),
      failedTests: [],
    },
  });
  const [line = ''] = own.privateKey.split('\n').slice(1);
  for (const [file, text] of readTexts(folder)) expect([file, text.includes(line)]).toEqual([file, false]);
  expect(run.out).not.toContain(line);

  const right = makeTempFile('own.pem', own.publicKey);
  const wrong = makeTempFile('other.pem', other.publicKey);
  const file = join(folder, 'conformance.json');
  const tampered = makeTempDir();
  cpSync(folder, tampered, { recursive: true });
  const changed = join(tampered, 'conformance.json');
  const change = (from: string | RegExp, to: string): void =>
    writeFileSync(changed, report.toString('utf8').replace(from, to));
  change(/"name": ?"Acme"/, '"name":"Ecma"');
  expect(readReport(tampered)?.target.name).toBe('Ecma');
  for (const [words, status, out] of [
    [
      [file, '--key', right],
      0,
      /^The report agrees with its history: .*\nIts attestation was signed with the key in \S+\.\n$/,
    ],
    [[file, '--key', wrong], 1, /conformance\.intoto\.jsonl was not signed with the key in \S+other\.pem\.\n$/],
    [[file, '--key', file], 2, /^\S+ is no public key of Ed25519 in PEM\.\n$/],
    [[changed, '--key', right], 1, /^\S+ is not the report that was attested: its SHA-256 is another one\.\n$/],
    [[changed], 0, /(?:)/],
  ] as const)
    expect([words, await runInProcess(verifyCommand, ...words)]).toEqual([
      words,
      { status, out: expect.stringMatching(out) },
    ]);
  change(readRequirementSet().digest, '0'.repeat(64));
  expect(await runInProcess(verifyCommand, changed, '--key', right)).toEqual({
    status: 1,
    out: expect.stringMatching(
      /^The requirement set \S+ (?:\(draft\) )?of this suite is not the one that the report was judged by: [^\n]*\n$/,
    ),
  });
});
