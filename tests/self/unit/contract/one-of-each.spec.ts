/** Tests that only one module waits, only one refuses to send, and only checks judge. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';

/** Files that send requests to a bank: without the banks and the tests of the suite. */
const sendingFiles = ['fixtures', 'tests']
  .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)))
  .filter((file) => file.endsWith('.ts') && !/^(?:fixtures\/(?:banks|reference-bank)|tests\/self)\//.test(file));

const listFilesWith = (text: RegExp): readonly string[] =>
  sendingFiles.filter((file) => text.test(readFileSync(file, 'utf8'))).toSorted();

test('One module waits; only the HTTP client also waits, for the turn of a request', () => {
  expect(listFilesWith(/\bsleep\(/)).toEqual([
    // This file declares the clock.
    'fixtures/http/clock.ts',
    // RATE_LIMIT and Retry-After apply to every request, also to the control requests in an outage.
    'fixtures/http/http-client.ts',
    'fixtures/http/retry-after.ts',
    'fixtures/session/waiting.ts',
  ]);
  expect(listFilesWith(/node:timers/)).toEqual(['fixtures/http/clock.ts']);
});

test('No table has the session, the run of a scenario or its tools as keys', () => {
  const tables = /(?:memoizeByObject|WeakMap)[^;]{0,20}[(<][^;=]{0,60}\b(?:Session|ScenarioRun|Tools)\b/;
  expect('const stateOf = memoizeByObject((_: Session) => 0);').toMatch(tables);
  expect('const known = new WeakMap<Session, number>();').toMatch(tables);
  expect(listFilesWith(tables)).toEqual([]);
});

test('One function refuses to send', () => {
  expect(listFilesWith(/\breasonNotToSend\(/)).toEqual([
    'fixtures/client/sending/gate.ts',
    // This file only reports why no request was left.
    'fixtures/probes/classify-finding.ts',
    // This file has the state of the run.
    'fixtures/session/session.ts',
  ]);
  expect(listFilesWith(/\b(?:READ_ONLY allows|the cap on)\b/)).toEqual(['fixtures/client/sending/gate.ts']);
});

test('No scenario and no probe decides whether a clause was kept: checks do', () => {
  // The journal has no line for a verdict, and a scenario cannot state one in another way.
  expect(listFilesWith(/line: '(?:finding|exercised)'/)).toEqual([]);
  expect(listFilesWith(/\b(?:run|tools)\.(?:break|exercised|check)\(/)).toEqual([]);
});

test('One function sends the two requests of a contrast, and one function makes the sentence about a refused value', () => {
  expect(listFilesWith(/function contrast[<(]/)).toEqual(['fixtures/learn/contrast.ts']);
  expect(listFilesWith(/while the same request with another/)).toEqual(['fixtures/learn/say.ts']);
});

test('Every number that decides a verdict or a question has its reason in the comment above it', () => {
  const judging = ['openapi/checks', 'openapi/notes', 'openapi/rules', 'openapi/inference', 'openapi/observer']
    .concat('fixtures/learn', 'fixtures/probes')
    .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)))
    .filter((file) => file.endsWith('.ts'));
  const listUnexplained = (text: string): readonly string[] =>
    text.split('\n').flatMap((line, at, lines) => {
      const isNumber = /^(?:export )?const \[?[A-Z][A-Z0-9_]+[^=]*= \[?-?\d[^;'"`/{]*;/.test(line);
      return isNumber && !/\*\/\s*$|^\s*\/\//.test(lines[at - 1] ?? '') ? [line] : [];
    });
  expect(listUnexplained('const MIN_LOST = 2;')).toEqual(['const MIN_LOST = 2;']);
  expect(judging.flatMap((file) => listUnexplained(readFileSync(file, 'utf8')))).toEqual([]);
});
