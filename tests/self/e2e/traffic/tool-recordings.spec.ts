/** Recordings of browsers, proxies and HTTP clients lead to the findings of the run, and nothing of its client is written. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { mutantNamed } from '../../../../fixtures/banks/mutants/index.ts';
import { readTarget } from '../../../../fixtures/config/target.ts';
import { openRecordingProxy } from '../../../../fixtures/recording/proxy.ts';
import type { RecordedExchange } from '../../../../fixtures/recording/recording.ts';
import { createBank } from '../../../../fixtures/reference-bank/bank.ts';
import type { Handler } from '../../../../fixtures/reference-bank/http/serve.ts';
import type { Report } from '../../../../reports/model/report.ts';
import { conformance, reportIn, script, started, whileServed } from '../../support/command.ts';
import { makeTempDir, textsIn } from '../../support/temp-dir.ts';
import { recorders } from './recorders.ts';

test.describe.configure({ mode: 'default' });

const credentials = {
  clientId: 'mobile-app-7f31-Kd92',
  clientSecret: 'Wq8+zT/3vLr=Hs64Ffp1',
  accessToken: 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4OTEifQ.Rk81aVp3UXg',
};
const customerIps = ['81.213.44.7', '2a02:e0:9c1::5'];

/** What can be seen in exchanges alone. */
const seenIn = ({ findings }: Report): readonly string[] =>
  findings
    .filter(({ kind }) => kind !== 'behaviour' && kind !== 'refused')
    .map(({ id }) => id)
    .toSorted();

interface Traffic {
  readonly report: Report;
  readonly exchanges: readonly RecordedExchange[];
}

/** A run against `bank`, and all that went over the wire. */
const trafficWith = (bank: Handler): Promise<Traffic> =>
  whileServed(bank, async (url) => {
    const exchanges: RecordedExchange[] = [];
    const none = { CLIENT_ID: 'none', CLIENT_SECRET: 'none', ACCESS_TOKEN: 'none' };
    const proxy = await openRecordingProxy({
      target: readTarget({ BASE_URL: url, ...none }, null),
      port: 0,
      heard: (exchange) => exchanges.push(exchange),
      unheard: () => {},
      failed: (what, error) => expect(error, what).toBeNull(),
    });
    const { report, out } = await conformance({
      BASE_URL: proxy.url,
      CLIENT_ID: credentials.clientId,
      CLIENT_SECRET: credentials.clientSecret,
      ACCESS_TOKEN: credentials.accessToken,
      CUSTOMER_IPS: customerIps.join(','),
      SEED: '5',
      RUNS: '1',
    });
    await proxy.close();
    if (report === null) throw new Error(`The run wrote no report: ${out}`);
    return { report, exchanges };
  });

const sound = () => createBank({ credentials });
/** Each area has a fault, two of them in what is hidden. */
function faulty(): Handler {
  const [loans, links, atms] = [
    'request-loan-infos-entry-account-as-number',
    'link-with-another-token',
    'zeros-lost-in-districts',
  ].map((name) => mutantNamed(name).mutate(sound()));
  const of = (url: string): Handler | undefined => (/loans/.test(url) ? loans : /paybylink/.test(url) ? links : atms);
  return { fetch: (request, connection) => of(request.url)!.fetch(request, connection) };
}

/** Values of the client and its customers, as they stand in the traffic, that are long enough to be looked for. */
function ownValues(exchanges: readonly RecordedExchange[]): readonly string[] {
  const values = new Set([...Object.values(credentials), ...customerIps, '9F2Kq77ZpLw03bVx']);
  const personal = /"(?:account|account_no|personal_description|payment_token)"\s*:\s*("(?:[^"\\]|\\.)*"|\d+)/g;
  for (const { request, answer } of exchanges)
    for (const text of [request.body ?? '', Buffer.from(answer?.bytes ?? []).toString('utf8')])
      for (const [, value = ''] of text.matchAll(personal)) values.add(String(JSON.parse(value)));
  return [...values].filter((value) => value.length >= 8 && /\d/.test(value));
}

/** How a value may stand in a file. */
const spelt = (value: string): readonly string[] => [
  value,
  JSON.stringify(value).slice(1, -1),
  encodeURIComponent(value),
  Buffer.from(value).toString('hex'),
  ...[0, 1, 2].map((lead) =>
    Buffer.from(' '.repeat(lead) + value)
      .toString('base64')
      .slice(lead === 0 ? 0 : 4, -4),
  ),
];

for (const [what, bank, fault] of [
  ['a sound bank', sound, false],
  ['a faulty bank', faulty, true],
] as const)
  test.describe(`Recordings of ${what}`, () => {
    let traffic: Traffic;
    test.beforeAll(async () => {
      traffic = await trafficWith(bank());
    });

    for (const { name, isPlain, write } of recorders)
      test(`${name}: the findings of the run, and none of its client's values`, async () => {
        const folder = makeTempDir();
        const file = join(folder, 'traffic.har');
        writeFileSync(file, write(traffic.exchanges));
        const { status, out } = await started(script('reports/cli/judge.ts', file), {
          REPORT_DIR: folder,
          RENDER: 'har,sarif,ctrf,summary',
        });
        const report = reportIn(join(folder, 'recorded'));
        if (report === null) throw new Error(out);
        expect(seenIn(report), out).toEqual(seenIn(traffic.report));
        expect(report.errors, out).toEqual([]);
        if (fault) expect([status, seenIn(report).length > 2], out).toEqual([1, true]);
        else if (isPlain) expect([status, report.verdict], out).toEqual([0, 'conformant']);
        else expect(report.verdict, out).not.toBe('non-conformant');
        const values = ownValues(traffic.exchanges);
        expect(values.length).toBeGreaterThan(5);
        const forms = values.flatMap(spelt);
        const leaks = [...textsIn(join(folder, 'recorded')), ['the terminal', out] as const].flatMap(
          ([written, text]) => forms.filter((form) => text.includes(form)).map((form) => `${form} in ${written}`),
        );
        expect(leaks).toEqual([]);
      });
  });
