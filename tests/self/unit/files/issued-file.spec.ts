/** Tests the files of issued credentials: who can read them, how processes share them, and when they are deleted. */
import { appendFileSync, chmodSync, existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { readTarget } from '../../../../fixtures/run/config/target.ts';
import { openAccessTokenProvider } from '../../../../fixtures/run/http/access-token.ts';
import { systemClock } from '../../../../fixtures/run/http/clock.ts';
import { openIssuedCredentials } from '../../../../fixtures/run/redaction/issued-credentials.ts';
import { openIssuedFile } from '../../../../fixtures/runner/issued-file.ts';
import { makeTempDir, makeTempFile } from '../../support/temp-dir.ts';

const target = readTarget({ BASE_URL: 'http://bank.test', CLIENT_ID: 'a', CLIENT_SECRET: 'b', ACCESS_TOKEN: 'c' });

/** Makes `folder` the temporary folder while `work` runs. */
function withTempFolder<T>(folder: string, work: () => T): T {
  const before = process.env['TMPDIR'];
  process.env['TMPDIR'] = folder;
  try {
    return work();
  } finally {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
  }
}

const openFileIn = (folder: string): string => withTempFolder(folder, () => openIssuedFile(target, 1));

test('A folder for issued credentials that other users can open, or that cannot be made, is refused in one sentence', () => {
  const file = makeTempFile('no-folder', '');
  expect(() => openFileIn(file)).toThrow(/^Issued credentials cannot be kept in \S+ \(ENOTDIR\): [^\n]*\.$/);
  const folder = makeTempDir();
  const credentialsFolder = path.dirname(openFileIn(folder));
  chmodSync(credentialsFolder, 0o755);
  expect(() => openFileIn(folder)).toThrow(/^\S+ can be opened by other users: remove it, or set TMPDIR[^\n]*\.$/);
});

test('Files of ended processes are deleted, and files of running processes and other machines stay for a day', () => {
  const folder = makeTempDir();
  const credentialsFolder = path.dirname(openFileIn(folder));
  const dayBefore = Date.now() / 1000 - 25 * 60 * 60;
  const files = [
    [`1-999999999@${hostname()}`, 0, false],
    [`2-${process.ppid}@${hostname()}`, dayBefore, true],
    [`3-${process.ppid}@${hostname()}.ended`, 0, false],
    [`3-${process.ppid}@${hostname()}`, 0, false],
    // An ended shard of a run that goes on.
    [`4-999999999@${hostname()}`, 0, true],
    [`4-${process.ppid}@${hostname()}`, 0, true],
    ['5-1@elsewhere', 0, true],
    ['6-1@elsewhere', dayBefore, false],
    ['7.lock', 0, true],
    ['8.lock', dayBefore, false],
  ] as const;
  for (const [name, changed] of files) {
    writeFileSync(path.join(credentialsFolder, name), '');
    if (changed > 0) utimesSync(path.join(credentialsFolder, name), changed, changed);
  }
  const newFile = path.basename(openFileIn(folder));
  const keptFiles = files.flatMap(([name, , isKept]) => (isKept ? [name] : []));
  expect(readdirSync(credentialsFolder).sort()).toEqual([...keptFiles, newFile].sort());
});

test('Two processes of a run share one token, and each reads the credentials that the other adds', async () => {
  const folder = makeTempDir();
  const runs = path.join(folder, 'runs');
  const script = `require('fs').appendFileSync(${JSON.stringify(runs)}, 'x'); setTimeout(() => console.log('token-' + process.pid), 200)`;
  const command = path.join(folder, 'token.cjs');
  writeFileSync(command, script);
  const settings = { accessToken: null, accessTokenCommand: `'${process.execPath}' '${command}'` };
  const processes = ['key-1@host', 'key-2@host'].map((name) => {
    const learnt: string[] = [];
    const issued = openIssuedCredentials(path.join(folder, name), ({ value }) => learnt.push(value));
    return { learnt, issued, tokens: openAccessTokenProvider(settings, systemClock, issued) };
  });
  const [token, same] = await Promise.all(processes.map(async ({ tokens }) => tokens.getToken()));
  expect([same, readFileSync(runs, 'utf8')]).toEqual([token, 'x']);
  const [first, second] = processes;
  first?.issued.add({ name: 'HOOKS_CLIENT_SECRET', value: 'later' });
  // A line that is still being written.
  appendFileSync(path.join(folder, 'key-1@host'), '{"secret":');
  second?.issued.learnNewCredentials();
  expect(new Set(second?.learnt)).toEqual(new Set([token, 'later']));
  expect(existsSync(path.join(folder, 'key.lock'))).toBe(false);
});
