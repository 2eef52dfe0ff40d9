/** Tests that a pipe, a device, a socket or a folder is refused in one sentence, at once, wherever a user names a file. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { overlayFault } from '../../../../fixtures/run/config/overlay.ts';
import { overwriteFile } from '../../../../openapi/files/own-files.ts';
import type { Command } from '../../../../openapi/util/command.ts';
import { compareCommand } from '../../../../reports/cli/compare.ts';
import { contractCommand } from '../../../../reports/cli/contract.ts';
import { judgeCommand } from '../../../../reports/cli/judge.ts';
import { knownCommand } from '../../../../reports/cli/known.ts';
import { replayCommand } from '../../../../reports/cli/replay.ts';
import { reportCommand } from '../../../../reports/cli/report.ts';
import { verifyCommand } from '../../../../reports/cli/verify.ts';
import { makeScriptWords, runInProcess, runProcess } from '../../support/command.ts';
import { findConfigurationFaults, makeOverlay } from '../../support/configuration.ts';
import { makeTempDir, makeTempFile } from '../../support/temp-dir.ts';

test.skip(process.platform === 'win32', 'Windows has no such files');

async function makeSocket(file: string): Promise<void> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(`${file}-made`, resolve));
  // Closing the server removes only the file with the first name.
  renameSync(`${file}-made`, file);
  server.close();
}

/** Files that a user may name by mistake, and what is said about them. A pipe that nobody writes to is never read to its end. */
const specialFiles: Readonly<Record<string, readonly [make: (file: string) => unknown, says: RegExp]>> = {
  'A pipe': [(file) => execFileSync('mkfifo', [file]), /is a pipe: name a file/],
  'A link to a pipe': [
    (file) => {
      execFileSync('mkfifo', [`${file}-pipe`]);
      symlinkSync(`${file}-pipe`, file);
    },
    /is a pipe: name a file/,
  ],
  'A device': [(file) => symlinkSync('/dev/zero', file), /is a device: name a file/],
  'A socket': [makeSocket, /is a socket or a device: name a file/],
  'A folder': [(file) => mkdirSync(file), /is a folder: name a file in it/],
  'A link that leads nowhere': [(file) => symlinkSync('nowhere', file), /is not there: correct the path/],
  'A file that is too large': [
    (file) => {
      writeFileSync(file, '');
      truncateSync(file, 2 ** 30);
    },
    /has more than \d+ MiB: give a smaller one/,
  ],
};

const FILE_VARIABLES = 'OVERLAY KNOWN BASELINE HOOKS TLS_CERT TLS_KEY TLS_PFX TLS_CA'.split(' ');

for (const [what, [make, says]] of Object.entries(specialFiles)) {
  test(`${what} is refused by every command that is given a file`, async () => {
    const file = join(makeTempDir(), 'conformance.json');
    await make(file);
    const commands: readonly (readonly [Command, ...string[]])[] = [
      ...(what === 'A folder' ? [] : [[reportCommand, file] as const]),
      [compareCommand, file, file],
      [knownCommand, file],
      [verifyCommand, file],
      [replayCommand, file, '1', '--dry-run'],
      [judgeCommand, file],
      [contractCommand, '--overlay', file],
    ];
    const sentence = new RegExp(`^[^\n]*${says.source}[^\n]*\n$`);
    for (const [command, ...words] of commands)
      expect(await runInProcess(command, ...words)).toEqual({ status: 2, out: expect.stringMatching(sentence) });
  });

  test(`${what} is refused as the file of a variable, and as .env`, async () => {
    const folder = makeTempDir();
    const file = join(folder, '.env');
    await make(file);
    expect(findConfigurationFaults({}, folder)).toEqual([expect.stringMatching(says)]);
    for (const name of FILE_VARIABLES)
      expect(findConfigurationFaults({ [name]: file })).toEqual([
        expect.stringMatching(new RegExp(`^${name} names the file [^\n]+, which ${says.source}`)),
      ]);
  });
}

test('A pipe as .env or OVERLAY ends a run and the doctor before the first request', async () => {
  expect(overlayFault).toBeNull();
  const cwd = makeTempDir();
  execFileSync('mkfifo', [join(cwd, '.env')]);
  for (const script of [['fixtures/runner/cli/doctor.ts'], ['fixtures/runner/cli/main.ts', '--', 'run']]) {
    const [name = '', ...words] = script;
    const { status, out } = await runProcess(makeScriptWords(join(process.cwd(), name), ...words), {}, { cwd });
    expect([status, out]).toEqual([2, expect.stringContaining('The file .env is a pipe: name a file.')]);
  }
  const env = { OVERLAY: join(cwd, '.env'), REPORT_DIR: makeTempDir() };
  const { status, out } = await runProcess(makeScriptWords('fixtures/runner/cli/doctor.ts'), env);
  expect([status, out]).toEqual([
    2,
    expect.stringMatching(/OVERLAY names the file [^\n]+, which is a pipe: name a file/),
  ]);
});

test('An overlay that is a link to a regular file is read', async () => {
  const link = join(makeTempDir(), 'link.yaml');
  symlinkSync(makeTempFile('overlay.json', makeOverlay({ target: '$.info', update: { 'x-linked': 1 } })), link);
  const { status, out } = await runProcess(makeScriptWords('reports/cli/contract.ts', '--overlay', link));
  expect([status, out]).toEqual([0, expect.stringContaining('x-linked: 1')]);
});

test('Writing to a pipe is refused, because writing would wait for a reader', () => {
  const pipe = join(makeTempDir(), 'known.yaml');
  execFileSync('mkfifo', [pipe]);
  expect(() => overwriteFile(pipe, 'x')).toThrow(/is a folder, a pipe or a device: name a file\.$/);
});
