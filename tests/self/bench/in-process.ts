/** How much of the speed of undici and of JSON.parse is left when every answer is judged. */
import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { Agent, request } from 'undici';
import { eachOf } from '../../../fixtures/for-all.ts';
import { memoryJournal } from '../../../fixtures/journal.ts';
import { sandboxCredentials } from '../../../fixtures/reference-bank/bank.ts';
import { openSession } from '../../../fixtures/session.ts';
import { systemClock } from '../../../fixtures/clock.ts';
import { tell, type Tools } from '../../../fixtures/stories.ts';
import { readTarget } from '../../../fixtures/target.ts';
import type { Exchange } from '../../../openapi/exchange.ts';
import { judge } from '../../../openapi/judge.ts';
import { figure, type Figure } from './statistics.ts';

const { clientId, clientSecret, accessToken } = sandboxCredentials;

/** The reference bank in a process of its own. */
async function bankApart(): Promise<{ url: string; end: () => void }> {
  const child = spawn(
    process.execPath,
    [resolve('node_modules/tsx/dist/cli.mjs'), 'fixtures/reference-bank/main.ts', '--port', '0'],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const url = await new Promise<string>((done) => {
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      const found = /http:\/\/[\d.]+:\d+/.exec(said)?.[0];
      if (found !== undefined) done(found);
    });
  });
  return { url, end: () => void child.kill() };
}

/** One of each kind of answer: small, with offers, and long lists. */
async function mixture({ bank, loans, atms }: Tools): Promise<readonly (() => Promise<Exchange>)[]> {
  const terms = await loans.terms();
  const [position] = atms.starts();
  return [
    async () => (await loans.validate(terms)).exchange,
    async () => (await bank.listMerchants()).exchange,
    async () =>
      (await bank.findAtms({ latitude: position?.latitude ?? '0', longitude: position?.longitude ?? '0' })).exchange,
  ];
}

export interface InProcess {
  /** Judged exchanges per second over bare requests per second, same bank, same requests, same number in flight. */
  readonly client: Figure;
  readonly judgedPerSecond: Figure;
  readonly barePerSecond: Figure;
  /** Judgements per second over JSON.parse of the same bytes per second. */
  readonly judging: Figure;
}

const count = 2400;

async function rate(work: (index: number) => Promise<unknown>, inFlight: number): Promise<number> {
  const started = performance.now();
  await eachOf(
    Array.from({ length: count }, (_, index) => index),
    inFlight,
    work,
  );
  return (count / (performance.now() - started)) * 1000;
}

/** The answers again and again, by two ways of reading them. */
function judgingRatio(exchanges: readonly Exchange[], times: number): Figure {
  const texts = exchanges.map(({ answer }) => new TextDecoder().decode(answer?.bytes));
  const rounds = 600;
  const perSecond = (one: (index: number) => unknown): number => {
    const started = performance.now();
    for (let round = 0; round < rounds; round += 1)
      for (let index = 0; index < exchanges.length; index += 1) one(index);
    return rounds / (performance.now() - started);
  };
  const ratios: number[] = [];
  for (let time = 0; time <= times; time += 1) {
    const judged = perSecond((index) => judge(exchanges[index] as Exchange));
    const parsed = perSecond((index) => JSON.parse(texts[index] as string));
    if (time > 0) ratios.push(judged / parsed);
  }
  return figure(ratios);
}

export async function inProcess(times: number): Promise<InProcess> {
  const bank = await bankApart();
  const target = readTarget(
    { BASE_URL: bank.url, CLIENT_ID: clientId, CLIENT_SECRET: clientSecret, ACCESS_TOKEN: accessToken },
    null,
  );
  const session = openSession({ target, clock: systemClock, seed: 1, nonce: 'measured' });
  const agent = new Agent({ connections: target.inFlight, pipelining: 1 });
  const [judged, bare]: [number[], number[]] = [[], []];
  let judging = figure([]);
  const body = async (tools: Tools): Promise<void> => {
    const asks = await mixture(tools);
    const exchanges = await Promise.all(asks.map((ask) => ask()));
    const again = async (index: number): Promise<void> => {
      const { method, path, headers, body: sent } = (exchanges[index % exchanges.length] as Exchange).request;
      const answer = await request(bank.url + path, {
        method: method as 'GET',
        headers,
        body: sent,
        dispatcher: agent,
      });
      await answer.body.arrayBuffer();
    };
    // The first turn of each only warms up.
    for (let time = 0; time <= times; time += 1) {
      const one = await rate((index) => (asks[index % asks.length] as () => Promise<Exchange>)(), target.inFlight);
      const other = await rate(again, target.inFlight);
      if (time > 0) {
        judged.push(one);
        bare.push(other);
      }
    }
    judging = judgingRatio(exchanges, times);
  };
  try {
    await tell({ id: 'measured', title: 'measured', details: { area: 'loans' }, body }, session, memoryJournal());
  } finally {
    await Promise.all([session.close(), agent.close()]);
    bank.end();
  }
  return {
    client: figure(judged.map((one, index) => one / (bare[index] ?? Number.NaN))),
    judgedPerSecond: figure(judged),
    barePerSecond: figure(bare),
    judging,
  };
}
