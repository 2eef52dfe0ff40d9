/** Tests where access tokens come from, when they are renewed, and that no message repeats the output of the token command. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { systemClock } from '../../../../fixtures/run/http/clock.ts';
import { createFakeClock } from '../../support/examine.ts';
import { openIssuedCredentials } from '../../../../fixtures/run/redaction/issued-credentials.ts';
import { openAccessTokenProvider, splitWords, TokenError } from '../../../../fixtures/run/http/access-token.ts';

/** Makes a command that runs `script` with Node.js in its own file, and counts its runs. */
function makeTokenCommand(script: string): { line: string; runs: () => number } {
  const file = test.info().outputPath('token script.cjs');
  const log = join(file, '..', 'runs');
  writeFileSync(log, '');
  writeFileSync(file, `require('fs').appendFileSync(${JSON.stringify(log)}, 'x');\n${script}`);
  return { line: `"${process.execPath}" '${file}' one "two words"`, runs: () => readFileSync(log).length };
}

/** Opens the tokens of a command that runs `script`, on a clock that the test turns. */
function openTokens(script: string) {
  const { line, runs } = makeTokenCommand(script);
  const clock = createFakeClock();
  return { tokens: openAccessTokenProvider(makeTokenSettings(line), clock), clock, runs };
}

const makeTokenSettings = (accessTokenCommand: string) => ({ accessToken: null, accessTokenCommand });
const COUNT_RUNS = "const n = require('fs').readFileSync(__dirname + '/runs').length;";

test('ACCESS_TOKEN is used as it is and never renewed; without ACCESS_TOKEN there is no token', async () => {
  const fixed = openAccessTokenProvider({ accessToken: 'abc', accessTokenCommand: null }, systemClock);
  expect([await fixed.getToken(), await fixed.renewToken('abc')]).toEqual(['abc', null]);
  const none = openAccessTokenProvider({ accessToken: null, accessTokenCommand: null }, systemClock);
  expect(await none.getToken()).toBeNull();
});

test('Twenty concurrent callers get the token of one run of the command, which gets its arguments', async () => {
  const { line, runs } = makeTokenCommand(
    "console.log('  ' + process.argv.slice(2).join('|').replace(' ', '_') + '\\n')",
  );
  const issuedTokens: string[] = [];
  const issued = openIssuedCredentials(null, ({ value }) => issuedTokens.push(value));
  const tokens = openAccessTokenProvider(makeTokenSettings(line), systemClock, issued);
  const tokensOfCallers = await Promise.all(Array.from({ length: 20 }, async () => tokens.getToken()));
  expect(new Set(tokensOfCallers)).toEqual(new Set(['one|two_words']));
  expect(await tokens.getToken()).toBe('one|two_words');
  expect([issuedTokens, runs()]).toEqual([['one|two_words'], 1]);
});

for (const [life, keptMs, moreMs] of [
  ['300', 269_000, 2000],
  ["'10'", 8900, 200],
] as const)
  test(`A token that expires in ${life} seconds is used for ${keptMs / 1000} s, and renewed ${moreMs / 1000} s later`, async () => {
    const { tokens, clock, runs } = openTokens(
      `${COUNT_RUNS} console.log(JSON.stringify({access_token: 't' + n, expires_in: ${life}}))`,
    );
    expect(await tokens.getToken()).toBe('t1');
    clock.turn(keptMs);
    expect(await tokens.getToken()).toBe('t1');
    clock.turn(moreMs);
    expect(await Promise.all([tokens.getToken(), tokens.getToken()])).toEqual(['t2', 't2']);
    expect(runs()).toBe(2);
  });

test('A refused token is renewed once for all refused requests, and its successor not before a minute has passed', async () => {
  const { tokens, clock, runs } = openTokens(`${COUNT_RUNS} console.log('t' + n)`);
  expect(await tokens.getToken()).toBe('t1');
  expect(await Promise.all([tokens.renewToken('t1'), tokens.renewToken('t1')])).toEqual(['t2', 't2']);
  expect(await tokens.renewToken('t1')).toBe('t2');
  expect(await tokens.renewToken('t2')).toBeNull();
  expect([await tokens.getToken(), runs()]).toEqual(['t2', 2]);
  clock.turn(61_000);
  expect(await tokens.renewToken('t2')).toBe('t3');
});

test('If the second run of the command fails, the old token is used while it is valid, and no third run follows', async () => {
  const { tokens, clock, runs } = openTokens(
    `${COUNT_RUNS} if (n > 1) process.exit(3); console.log(JSON.stringify({access_token: 'good', expires_in: 300}))`,
  );
  expect(await tokens.getToken()).toBe('good');
  clock.turn(280_000);
  expect(await tokens.getToken()).toBe('good');
  expect(await tokens.getToken()).toBe('good');
  clock.turn(30_000);
  await expect(tokens.getToken()).rejects.toThrow('exit status 3');
  await expect(tokens.getToken()).rejects.toThrow(TokenError);
  expect(runs()).toBe(2);
});

/** Commands that return no token. The last one is the whole command line, not a script. */
const faultyScripts: Record<string, [script: string, words: RegExp]> = {
  'ends with a status': ["console.log('sEcret1'); console.error('sEcret1'); process.exit(7)", /exit status 7/],
  'prints nothing': ["console.log('  ')", /printed nothing/],
  'prints several words': ["console.log('error: sEcret1 is wrong')", /no token/],
  'prints broken JSON': ["console.log('{sEcret1')", /no JSON/],
  'prints JSON without a token': ['console.log(\'{"token": "sEcret1"}\')', /without a text access_token/],
  'prints without end': ["setInterval(() => console.log('sEcret1'.repeat(9999)), 0)", /more than 1 MiB/],
  'kills itself': ["process.kill(process.pid, 'SIGTERM')", /SIGTERM/],
  hangs: ['setInterval(() => {}, 1000)', /did not end within 0.4 s/],
  'is not there': ['/no/such/program --client-secret=sEcret1', /a program that is not found: check the path/],
};

for (const [what, [script, words]] of Object.entries(faultyScripts)) {
  test(`If the token command ${what}, one sentence says so, without the output of the command`, async () => {
    const tokens = openAccessTokenProvider(
      makeTokenSettings(script.startsWith('/') ? script : makeTokenCommand(script).line),
      systemClock,
      undefined,
      what === 'hangs' ? 400 : 5000,
    );
    const error = await Promise.resolve(tokens.getToken()).then(
      () => null,
      (reason: unknown) => reason as Error,
    );
    expect(error).toBeInstanceOf(TokenError);
    expect(error?.message).toMatch(words);
    expect(error?.message).toMatch(/^ACCESS_TOKEN_COMMAND [^\n]*\.$/);
    expect(error?.message).not.toContain('sEcret1');
  });
}

test('A token command whose child process keeps running is given up after the time-out', async () => {
  const pidFile = test.info().outputPath('pid');
  const { line } = makeTokenCommand(
    `const child = require('child_process').spawn(process.execPath, ['-e', 'setTimeout(() => {}, 600000)'], {stdio: 'inherit'});
     require('fs').writeFileSync(${JSON.stringify(pidFile)}, String(child.pid)); process.exitCode = 0;`,
  );
  await expect(
    openAccessTokenProvider(makeTokenSettings(line), systemClock, undefined, 400).getToken(),
  ).rejects.toThrow(/did not end/);
  // The child would run longer than this test may take.
  if (existsSync(pidFile)) process.kill(Number(readFileSync(pidFile, 'utf8')));
});

test('The words of a command line are split at blanks, with quotation marks and backslashes as in a shell', () => {
  for (const [line, words] of [
    ['a b  c', ['a', 'b', 'c']],
    [`'a b' "c d" e\\ f`, ['a b', 'c d', 'e f']],
    [`a'b c'd "" ''`, ['ab cd', '', '']],
    [`"a\\"b" "c\\d" 'e\\f'`, ['a"b', 'c\\d', 'e\\f']],
    ['$HOME `x` *;|&', ['$HOME', '`x`', '*;|&']],
    ['', []],
  ] as const)
    expect(splitWords(line)).toEqual(words);
});
