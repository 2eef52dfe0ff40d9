/** Tests whole runs with known secrets against banks that repeat them: no file and no output contains a secret. */
import { lstatSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { changeResponses, editAnswers } from '../../../fixtures/banks/lib/serving.ts';
import { copyResponse } from '../../../fixtures/banks/lib/exchange.ts';
import { createBank } from '../../../fixtures/reference-bank/bank.ts';
import type { Handler } from '../../../fixtures/reference-bank/http/serve.ts';
import { runConformance, judgeBank, readJournalLines, readReport, serveDuring } from '../support/command.ts';
import { makeTempDir, makeTempFile, readTexts } from '../support/temp-dir.ts';
import { thoroughUnless, THOROUGH_ONLY } from '../support/thorough.ts';

/** Secrets with every character that an encoding may change. The token is as long as a JWT. */
const secrets = {
  clientId: '7c3e91d2/40ab+4f6e=b8d5',
  clientSecret: 'vQ8z+R2k/Xw51mTfL0b"YpJ\\9sGh4Nc7 &%Ed3é',
  accessToken: `eyJhbGciOiJIUzI1NiJ9.${Buffer.from('{"sub":"customer-4711"}').toString('base64url').repeat(9)}~w+/=`,
  extra: 'k5V0aXw8:Zt3QmB;71',
};

const listSecretForms = (secret: string): readonly string[] => [
  secret,
  encodeURIComponent(secret),
  Buffer.from(secret).toString('base64'),
  Buffer.from(secret, 'latin1').toString('base64'),
  Buffer.from(`client:${secret}`).toString('base64'),
  JSON.stringify(secret).slice(1, -1),
  JSON.stringify(JSON.stringify(secret)).slice(3, -3),
  secret.replaceAll('&', '&amp;').replaceAll('"', '&quot;'),
  [...secret].map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
];
const allSecretForms = Object.values(secrets).flatMap(listSecretForms);

/** Makes a bank whose every answer repeats the whole request, in every encoding. Some answers are refusals or redirects. */
function makeMirrorBank(): Handler {
  return changeResponses(async (response, nth, request) => {
    const sent = Object.values(secrets).filter((secret) =>
      [...request.headers.values()].some((value) => value.includes(secret)),
    );
    const headers = new Headers(response.headers);
    headers.delete('content-length');
    sent.forEach((secret, at) => headers.set(`x-echo-${at}`, encodeURI(secret)));
    headers.set('set-cookie', `s=${sent.map(encodeURIComponent).join('|')}`);
    const echo = JSON.stringify(sent.flatMap(listSecretForms));
    const where = `https://elsewhere.example/?token=${encodeURIComponent(sent.join(' '))}`;
    if (nth % 23 === 0)
      return new Response(`Error: ${sent.flatMap(listSecretForms).join('\n')}`, { status: 500, headers });
    if (nth % 29 === 0) return new Response(echo, { status: 302, headers: { location: where } });
    if (nth % 31 === 0) return new Response(`{"data": ${echo}`, { status: 200, headers });
    const body = await response.text();
    const more = `,"echo":${echo},${JSON.stringify(`debug-${sent.join(' ')}`)}:1,"where":${JSON.stringify(where)}}`;
    return new Response(body.replace(/\}\s*$/, more), { status: response.status, headers });
  })(createBank({ credentials: secrets }));
}

/**
 * Makes a conforming bank that puts a secret into one field of every second answer, each time in another encoding. Some secrets
 * are cut.
 */
function makeBankWithEchoInFields(): Handler {
  const cut = Object.values(secrets).flatMap((secret) => [`x${secret.slice(0, 40)}`, `${secret.slice(-40)}x`]);
  const echoes = [...allSecretForms, ...cut, ...Object.values(secrets).map((secret) => secret.toUpperCase())];
  const place = /:\s*(?:"[^"]*"|-?\d[\d.]*)/g;
  return changeResponses(async (response, nth) => {
    const text = await response.text();
    let at = 0;
    const chosen = 1 + (nth % Math.max(1, text.match(place)?.length ?? 0));
    const put = (value: string): string =>
      nth % 2 === 0 && (at += 1) === chosen ? `:${JSON.stringify(`${nth}${echoes[nth % echoes.length]}`)}` : value;
    return copyResponse(response, text.replace(place, put));
  })(createBank({ credentials: secrets }));
}

const makeEnvironment = (url: string, folder: string): Record<string, string> => ({
  BASE_URL: url,
  CLIENT_ID: secrets.clientId,
  CLIENT_SECRET: secrets.clientSecret,
  ACCESS_TOKEN: secrets.accessToken,
  EXTRA_HEADERS: JSON.stringify({ 'X-Extra': secrets.extra }),
  REPORT_DIR: folder,
  RUNS: '2',
});
/** Sets a umask that lets everybody read, in every process of a run. */
const LOOSE_UMASK = "if (require('node:worker_threads').isMainThread) process.umask(0);";
const looseUmask = { NODE_OPTIONS: `--require=${makeTempFile('umask.cjs', LOOSE_UMASK)}` };

/** Returns the files and folders in `folder` that other users can open. */
const listEntriesOpenToOthers = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => {
    const file = path.join(folder, name);
    return !lstatSync(file).isSymbolicLink() && (statSync(file).mode & 0o077) !== 0;
  });

/** Returns where the files and the output of a run contain secrets, or eight characters of a secret in any letter case. */
function findLeakedPlaces(folder: string, out: string): readonly string[] {
  const written = Object.values(secrets).flatMap((secret) => [secret, Buffer.from(secret).toString('base64')]);
  const pieces = new Set(written.flatMap((text) => listEights(text.toLowerCase(), () => true)));
  return [...readTexts(folder), ['the terminal', out] as const].flatMap(([where, text]) => [
    ...allSecretForms.filter((form) => text.includes(form)).map((form) => `${where}: ${form}`),
    ...listEights(`${where} ${text}`.toLowerCase(), (piece) => pieces.has(piece)).map((piece) => `${where}: ${piece}`),
  ]);
}

/** Returns the pieces of eight characters that are sought. */
function listEights(text: string, isSought: (piece: string) => boolean): readonly string[] {
  const found: string[] = [];
  for (let at = 0; at + 8 <= text.length; at += 1) {
    const piece = text.slice(at, at + 8);
    if (isSought(piece)) found.push(piece);
  }
  return found;
}

const tokenCommand = `'${process.execPath}' -e 'console.log("${secrets.accessToken}")'`;
for (const [how, bank, settings, isFast] of [
  ['in every answer', makeMirrorBank, { AREAS: 'loans', ACCESS_TOKEN: '', ACCESS_TOKEN_COMMAND: tokenCommand }, true],
  ['within the documented fields', makeBankWithEchoInFields, {}, false],
] as const)
  test(
    `If a bank repeats secrets ${how}, a warning says so, no part of a secret is written, and only the user can read the files`,
    thoroughUnless(isFast),
    async () => {
      const folder = path.join(makeTempDir(), 'new', 'report');
      const env = { ...looseUmask, RENDER: 'sarif,har,summary,annotations', ...settings };
      const { out } = await serveDuring(bank(), (url) => runConformance({ ...makeEnvironment(url, folder), ...env }));
      expect(findLeakedPlaces(folder, out)).toEqual([]);
      expect(out).not.toContain('secret was found');
      expect(readdirSync(folder)).toEqual(expect.arrayContaining(['created.csv', 'conformance.har', 'journal']));
      expect([statSync(folder).mode & 0o777, listEntriesOpenToOthers(folder)]).toEqual([0o700, []]);
      const report = readReport(folder);
      const found = report?.findings.filter(({ clause }) => clause.startsWith('service.credentials-not')) ?? [];
      expect([...new Set(found.map(({ clause, verdict }) => `${clause} ${verdict}`))], out).toEqual([
        'service.credentials-not-reflected warning',
      ]);
      expect(report?.errors).toEqual([]);
      expect(Object.values(report?.exchanges ?? {}).some(({ redacted }) => redacted > 0)).toBe(true);
      for (const count of [report?.requests, readJournalLines(folder).length]) expect(count, out).toBeGreaterThan(200);
    },
  );

test('No file of a report holds a payment token, not even where a finding quotes a value with a token', async () => {
  const tokens: string[] = [];
  const leaking = editAnswers('createPaymentLink', ({ body }) => {
    const data = body['data'] as { payment_token: string; payment_link: string; end_date: string };
    const { payment_token: token } = data;
    tokens.push(token);
    // The link contains the halves of the token in another order, so that no search can find the token.
    const apart = `${token.slice(token.length / 2)}/${token.slice(0, -1)}`;
    data.payment_link = data.payment_link.replace(token, apart);
    data.end_date = `soon, for ${token}`;
  });
  const folder = makeTempDir();
  const settings = { AREAS: 'payment-links', REPORT_DIR: folder, RENDER: 'sarif,har', RUNS: '2' };
  await judgeBank(leaking(createBank()), settings);
  const findings = readReport(folder)?.findings ?? [];
  expect(findings.map(({ clause }) => clause)).toContain('links.token-in-link');
  expect(findings.find(({ pointer }) => pointer === '/data/end_date')?.received).toContain('soon, for ');
  expect(tokens.length).toBeGreaterThan(10);
  const holding = readTexts(folder).filter(([, text]) => tokens.some((token) => text.includes(token.slice(0, 8))));
  expect(holding.map(([file]) => file)).toEqual([]);
});

test(
  'A secret in TARGET_BUILD is withheld from the report, its place is named, and the exit status is 3',
  THOROUGH_ONLY,
  async () => {
    const folder = makeTempDir();
    const secret = Buffer.from(secrets.clientSecret).toString('base64');
    const settings = { AREAS: 'atms', RUNS: '1', TARGET_BUILD: `build ${secret}` };
    const notes = 'A file of somebody else stays as it is.';
    const meanwhile = async () => writeFileSync(path.join(folder, 'notes.txt'), notes);
    const { status, out } = await serveDuring(createBank({ credentials: secrets }), (url) =>
      runConformance({ ...makeEnvironment(url, folder), ...settings }, { meanwhile }),
    );
    expect(status, out).toBe(3);
    expect(out.replaceAll(/\s+/g, ' ')).toContain('withheld there: CLIENT_SECRET at /target/build');
    expect(findLeakedPlaces(folder, out)).toEqual([]);
    const report = readReport(folder);
    expect(report?.gate).toMatchObject({ pass: false, exitStatus: 3 });
    expect(report?.target.build).toBe('(withheld: CLIENT_SECRET)');
    expect(Object.keys(report?.exchanges ?? {}).length).toBeGreaterThan(5);
    expect(readFileSync(path.join(folder, 'notes.txt'), 'utf8')).toBe(notes);
  },
);
