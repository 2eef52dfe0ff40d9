/** Whole runs with sentinel secrets against a bank that reflects them everywhere: nothing that is kept or printed holds one. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { editBody } from '../../../fixtures/banks/lib/intercept.ts';
import { createBank } from '../../../fixtures/reference-bank/bank.ts';
import type { Handler } from '../../../fixtures/reference-bank/http/serve.ts';
import { besideTheFields, reflected, reflectingEnv, withinTheFields } from './reflecting-banks.ts';
import { conformance, conformanceOf, journalLines, reportIn, whileServed } from '../support/command.ts';
import { makeTempDir, textsIn } from '../support/temp-dir.ts';
import { shownIf, thorough } from '../support/thorough.ts';

const secrets = {
  clientId: 'Sentinel-id/91+x=',
  clientSecret: 'Sentinel"secret\\82 &%é',
  accessToken: 'SentinelToken.73~w+/=',
  extra: 'Sentinel-extra:64;z',
};

const forms = (secret: string): readonly string[] => [
  secret,
  encodeURIComponent(secret),
  Buffer.from(secret).toString('base64'),
  Buffer.from(secret, 'latin1').toString('base64'),
  Buffer.from(`x${secret}`).toString('base64'),
  JSON.stringify(secret).slice(1, -1),
  JSON.stringify(JSON.stringify(secret)).slice(3, -3),
  [...secret].map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
];

/** The good bank, but that every answer holds all that was sent, in every form; every ninth is a refusal or goes elsewhere. */
function mirror(): Handler {
  const { clientId, clientSecret, accessToken } = secrets;
  const bank = createBank({ credentials: { clientId, clientSecret, accessToken } });
  let nth = 0;
  return {
    async fetch(request) {
      nth += 1;
      const sent = Object.values(secrets).filter((secret) =>
        [...request.headers.values()].some((value) => value.includes(secret)),
      );
      const response = await bank.fetch(request);
      const headers = new Headers(response.headers);
      headers.delete('content-length');
      sent.forEach((secret, at) => headers.set(`x-echo-${at}`, secret));
      headers.set('set-cookie', `s=${sent.map(encodeURIComponent).join('|')}`);
      const echo = JSON.stringify(sent.flatMap(forms));
      const where = `https://elsewhere.example/?token=${encodeURIComponent(sent.join(' '))}`;
      if (nth % 23 === 0) return new Response(`Error: ${sent.flatMap(forms).join('\n')}`, { status: 500, headers });
      if (nth % 29 === 0) return new Response(echo, { status: 302, headers: { location: where } });
      if (nth % 31 === 0) return new Response(`{"data": ${echo}`, { status: 200, headers });
      const body = await response.text();
      return new Response(body.replace(/\}\s*$/, `,"echo":${echo},"where":${JSON.stringify(where)}}`), {
        status: response.status,
        headers,
      });
    },
  };
}

/** What a run left or printed, each text with its place. */
const shownBy = (folder: string, out: string): readonly (readonly [where: string, text: string])[] => [
  ...textsIn(folder),
  ['the terminal', out],
];

/** Where a secret stands in what a run left or printed. */
function leaks(folder: string, out: string): readonly string[] {
  return shownBy(folder, out).flatMap(([where, text]) =>
    Object.values(secrets).flatMap((secret) =>
      forms(secret)
        .filter((form) => text.includes(form))
        .map((form) => `${where}: ${form}`),
    ),
  );
}

const env = (url: string, folder: string): Record<string, string> => ({
  BASE_URL: url,
  CLIENT_ID: secrets.clientId,
  CLIENT_SECRET: secrets.clientSecret,
  EXTRA_HEADERS: JSON.stringify({ 'X-Extra': secrets.extra }),
  REPORT_DIR: folder,
  RUNS: '2',
});

for (const [how, token] of [
  ['a fixed token', { ACCESS_TOKEN: secrets.accessToken }],
  [
    'a token from a command',
    { ACCESS_TOKEN_COMMAND: `'${process.execPath}' -e 'console.log("${secrets.accessToken}")'` },
  ],
] as const)
  test(
    `A bank that reflects every secret gets none into the report or onto the terminal (${how})`,
    shownIf('ACCESS_TOKEN' in token),
    async () => {
      const folder = makeTempDir();
      const ended = await whileServed(mirror(), (url) =>
        conformance({ ...env(url, folder), ...token, RENDER: 'ctrf,sarif,har,summary,annotations' }),
      );
      expect(leaks(folder, ended.out)).toEqual([]);
      expect(ended.out).not.toContain('secret was found');
      const report = reportIn(folder);
      expect(report?.requests, ended.out).toBeGreaterThan(200);
      expect(report?.findings.length).toBeGreaterThan(0);
      expect(report?.errors).toEqual([]);
      expect(Object.values(report?.exchanges ?? {}).some(({ redacted }) => redacted > 3)).toBe(true);
      expect(journalLines(folder).length).toBeGreaterThan(200);
    },
  );

/** A link that carries its token with the halves changed about, and a token that nobody finds in it. */
const apart = (link: string, token: string): string =>
  link.replace(token, `${token.slice(token.length / 2)}/${token.slice(0, -1)}`);

test('Payment tokens stand in no report, not even where a finding quotes them', async () => {
  const tokens: string[] = [];
  const leaking = editBody('createPaymentLink', (body) => {
    const data = body['data'] as { payment_token: string; payment_link: string; end_date: string };
    tokens.push(data.payment_token);
    data.payment_link = apart(data.payment_link, data.payment_token);
    data.end_date = `soon, for ${data.payment_token}`;
  });
  const folder = makeTempDir();
  const settings = { AREAS: 'payment-links', REPORT_DIR: folder, RENDER: 'ctrf,sarif,har', RUNS: '5' };
  await conformanceOf(leaking(createBank()), settings);
  const report = reportIn(folder);
  expect(report?.findings.map(({ clause }) => clause)).toContain('links.token-in-link');
  expect(report?.findings.find(({ pointer }) => pointer === '/data/end_date')?.received).toContain('soon, for ');
  const beginnings = tokens.flatMap((token) => [token, token.slice(0, 8)]);
  expect(tokens.length).toBeGreaterThan(10);
  expect(
    textsIn(folder)
      .filter(([, text]) => beginnings.some((token) => text.includes(token)))
      .map(([file]) => file),
  ).toEqual([]);
});

test(
  'A secret that gets into the report past the mask is withheld where it stands, named, and ends with exit status 3',
  thorough,
  async () => {
    const folder = makeTempDir();
    const secret = Buffer.from(secrets.clientSecret).toString('base64');
    const settings = { ACCESS_TOKEN: secrets.accessToken, AREAS: 'atms', RUNS: '1', TARGET_BUILD: `build ${secret}` };
    const others = 'A file of somebody else stays as it is.';
    const ended = await whileServed(createBank({ credentials: secrets }), (url) =>
      conformance(
        { ...env(url, folder), ...settings },
        {
          async meanwhile() {
            writeFileSync(path.join(folder, 'notes.txt'), others);
          },
        },
      ),
    );
    expect(ended.status, ended.out).toBe(3);
    expect(ended.out.replaceAll(/\s+/g, ' ')).toContain('withheld there: CLIENT_SECRET at /target/build');
    expect(leaks(folder, ended.out)).toEqual([]);
    const report = reportIn(folder);
    expect(report?.gate).toMatchObject({ pass: false, exitStatus: 3 });
    expect(report).toMatchObject({ target: { build: '(withheld: CLIENT_SECRET)' } });
    expect(report?.requests).toBeGreaterThan(20);
    expect(Object.keys(report?.exchanges ?? {}).length).toBeGreaterThan(5);
    expect(readFileSync(path.join(folder, 'notes.txt'), 'utf8')).toBe(others);
  },
);

/** Eight characters of a secret that stand in what a run left or printed, in any case. */
function pieces(folder: string, out: string): readonly string[] {
  const sought = new Set<string>();
  for (const secret of Object.values(reflected))
    for (const form of [secret, Buffer.from(secret).toString('base64')].map((one) => one.toLowerCase()))
      for (let at = 0; at + 8 <= form.length; at += 1) sought.add(form.slice(at, at + 8));
  return shownBy(folder, out).flatMap(([where, text]) => {
    const lower = `${where} ${text}`.toLowerCase();
    const found = new Set<string>();
    for (let at = 0; at + 8 <= lower.length; at += 1) {
      const piece = lower.slice(at, at + 8);
      if (sought.has(piece)) found.add(`${where}: ${lower.slice(Math.max(0, at - 30), at + 40)}`);
    }
    return [...found].slice(0, 5);
  });
}

for (const [where, bank, status] of [
  ['beside the documented fields', besideTheFields, 0],
  ['within the documented fields', withinTheFields, 1],
] as const)
  test(
    `A bank that reflects secrets ${where} is warned, and no eight characters of one are kept or printed`,
    thorough,
    async () => {
      const folder = makeTempDir();
      const settings = { REPORT_DIR: folder, RENDER: 'ctrf,sarif,har,summary,annotations' };
      const ended = await whileServed(bank(), (url) => conformance({ ...reflectingEnv(url), ...settings }));
      expect(pieces(folder, ended.out)).toEqual([]);
      const report = reportIn(folder);
      expect(report?.findings.map(({ clause }) => clause)).toContain('service.credentials-not-reflected');
      expect(
        report?.findings
          .filter(({ clause }) => clause.startsWith('service.credentials-not'))
          .every(({ verdict }) => verdict === 'warning'),
      ).toBe(true);
      expect(ended.status, ended.out).toBe(status);
      expect(ended.out).toMatch(/^Verdict: .*security warning/m);
    },
  );
