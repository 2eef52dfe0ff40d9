/** Recordings of browsers, proxies and HTTP clients give the findings of the run; no value of the client is written. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { findMutant } from '../../../../fixtures/banks/mutants/index.ts';
import type { RecordedExchange } from '../../../../fixtures/recording/recording.ts';
import { createBank } from '../../../../fixtures/reference-bank/bank.ts';
import type { Handler } from '../../../../fixtures/reference-bank/http/serve.ts';
import type { Report } from '../../../../reports/model/report.ts';
import { runConformance, serveDuring } from '../../support/command.ts';
import { makeTempDir, readTexts } from '../../support/temp-dir.ts';
import { recorders } from './recorders.ts';
import { judgeHar, listFindingsInExchanges, runThroughProxy } from './through-proxy.ts';

test.describe.configure({ mode: 'default' });

const credentials = {
  clientId: 'mobile-app-7f31-Kd92',
  clientSecret: 'Wq8+zT/3vLr=Hs64Ffp1',
  accessToken: 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4OTEifQ.Rk81aVp3UXg',
};
const customerIps = ['81.213.44.7', '2a02:e0:9c1::5'];

/** Makes a bank with a fault in each area; two of the faults are in hidden values. */
function makeFaultyBank(): Handler {
  const [loans, links, atms] = [
    'request-loan-infos-entry-account-as-number',
    'link-with-another-token',
    'zeros-lost-in-districts',
  ].map((name) => findMutant(name).mutate(createBank({ credentials })));
  const of = (url: string): Handler | undefined => (/loans/.test(url) ? loans : /paybylink/.test(url) ? links : atms);
  return { fetch: (request, connection) => of(request.url)!.fetch(request, connection) };
}

/** Returns values of the client and its customers in the traffic, if they are long enough to search for. */
function listOwnValues(exchanges: readonly RecordedExchange[]): readonly string[] {
  const values = new Set([...Object.values(credentials), ...customerIps, '9F2Kq77ZpLw03bVx']);
  const personal = /"(?:account|account_no|personal_description|payment_token)"\s*:\s*("(?:[^"\\]|\\.)*"|\d+)/g;
  for (const { request, answer } of exchanges)
    for (const text of [request.body ?? '', Buffer.from(answer?.bytes ?? []).toString('utf8')])
      for (const [, value = ''] of text.matchAll(personal)) values.add(String(JSON.parse(value)));
  return [...values].filter((value) => value.length >= 8 && /\d/.test(value));
}

/** Returns the spellings in which a file may hold a value. */
const listSpellings = (value: string): readonly string[] => [
  value,
  JSON.stringify(value).slice(1, -1),
  encodeURIComponent(value),
  Buffer.from(value).toString('hex'),
  ...[0, 1, 2].map((lead) => {
    const encoded = Buffer.from(' '.repeat(lead) + value).toString('base64');
    return encoded.slice(lead === 0 ? 0 : 4, -4);
  }),
];

let run: Report;
let exchanges: readonly RecordedExchange[];

test.beforeAll(async () => {
  const { clientId, clientSecret, accessToken } = credentials;
  const client = { CLIENT_ID: clientId, CLIENT_SECRET: clientSecret, ACCESS_TOKEN: accessToken };
  const env = { ...client, CUSTOMER_IPS: customerIps.join(','), SEED: '5', RUNS: '1' };
  const { got, heard, faults } = await serveDuring(makeFaultyBank(), (url) =>
    runThroughProxy(url, (proxy) => runConformance({ ...env, BASE_URL: proxy.origin })),
  );
  expect([got.status, faults], got.out).toEqual([1, []]);
  [run, exchanges] = [got.report!, heard];
});

for (const { name, isPlain, write } of recorders)
  test(`${name}: the findings of the run, and none of its client's values`, async () => {
    const folder = makeTempDir();
    const file = join(folder, 'traffic.har');
    writeFileSync(file, write(exchanges));
    const { status, out, report } = await judgeHar(file, folder, { RENDER: 'har,sarif,ctrf,summary' });
    expect(listFindingsInExchanges(report), out).toEqual(listFindingsInExchanges(run));
    expect([status, listFindingsInExchanges(report).length > 2, report.errors], out).toEqual([1, true, []]);
    if (isPlain) expect(report.recording).toMatchObject({ incomplete: 0 });
    const values = listOwnValues(exchanges);
    expect(values.length).toBeGreaterThan(5);
    const forms = values.flatMap(listSpellings);
    const leaks = [...readTexts(join(folder, 'recorded')), ['the terminal', out] as const].flatMap(([written, text]) =>
      forms.filter((form) => text.includes(form)).map((form) => `${form} in ${written}`),
    );
    expect(leaks).toEqual([]);
  });
