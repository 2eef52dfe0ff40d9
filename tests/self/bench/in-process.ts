/** Compares the speed of judged requests with the speed of undici and JSON.parse alone. */
import { Agent, request } from 'undici';
import { mapAll } from '../../../fixtures/http/concurrency/each-of.ts';
import { openMemoryJournal } from '../../../fixtures/session/journal-writer.ts';
import { openSession } from '../../../fixtures/session/session.ts';
import { systemClock } from '../../../fixtures/http/clock.ts';
import { runScenario, type Tools } from '../../../fixtures/runner/run-scenario.ts';
import { readTarget } from '../../../fixtures/config/target.ts';
import type { Exchange } from '../../../openapi/model/exchange.ts';
import { judge } from '../../../openapi/judge.ts';
import { makeSandboxEnv, startBankProcess } from '../support/command.ts';

/**
 * Prepares requests like those of a run: checks with fresh ids, the merchant list, and ATMs near positions. Each position is
 * used twice, because more than half of the answers in a run are repeated.
 */
async function prepareRequests({ bank, loans }: Tools): Promise<(index: number) => Promise<Exchange>> {
  const terms = await loans.terms();
  let near = 0;
  return async (index) => {
    if (index % 3 === 0) return (await loans.validate(terms)).exchange;
    if (index % 3 === 1) return (await bank.listMerchants()).exchange;
    const [latitude, longitude] = [40 + (Math.floor((near += 1) / 2) % 10_000) / 10_000, 29];
    return (await bank.findAtms({ latitude: String(latitude), longitude: String(longitude) })).exchange;
  };
}

export interface InProcess {
  /** Judged exchanges and bare requests per second in each turn: same bank, same requests, same number in flight. */
  readonly judgedPerSecond: readonly number[];
  readonly barePerSecond: readonly number[];
  /** Judgements per second, divided by calls of JSON.parse per second on the same bytes. */
  readonly judging: readonly number[];
}

/** Requests per turn, and warm-up turns that do not count. */
const [count, warmUp] = [2400, 5];

async function measureRate(work: (index: number) => Promise<unknown>, inFlight: number): Promise<number> {
  const started = performance.now();
  await mapAll(
    Array.from({ length: count }, (_, index) => index),
    inFlight,
    work,
  );
  return (count / (performance.now() - started)) * 1000;
}

/** Judges and parses the same answers. No answer equals an earlier answer byte for byte. */
function measureJudgingRatios(exchanges: readonly Exchange[], times: number): readonly number[] {
  const rounds = 600;
  const ratios: number[] = [];
  for (let time = 0; time <= times; time += 1) {
    const answers = Array.from({ length: rounds }, (_, round) =>
      numberAnswers(exchanges, time * rounds + round),
    ).flat();
    const texts = answers.map(({ answer }) => new TextDecoder().decode(answer?.bytes));
    const perSecond = (work: () => void): number => {
      const started = performance.now();
      work();
      return answers.length / (performance.now() - started);
    };
    const judged = perSecond(() => answers.forEach((exchange) => judge(exchange)));
    const parsed = perSecond(() => texts.forEach((text) => JSON.parse(text) as unknown));
    if (time > 0) ratios.push(judged / parsed);
  }
  return ratios;
}

/** Adds a member to each exchange that numbers its answers; the document allows this. */
function numberAnswers(exchanges: readonly Exchange[], number: number): readonly Exchange[] {
  return exchanges.map((exchange) => {
    const { answer } = exchange;
    if (answer === null) return exchange;
    const text = new TextDecoder().decode(answer.bytes).replace('{', `{"number":${number},`);
    return { ...exchange, answer: { ...answer, bytes: new TextEncoder().encode(text) } };
  });
}

export async function measureInProcess(times: number): Promise<InProcess> {
  const bank = await startBankProcess();
  const target = readTarget(makeSandboxEnv(bank.url), null);
  const session = openSession({ target, clock: systemClock, seed: 1, nonce: 'measured' });
  const agent = new Agent({ connections: target.inFlight, pipelining: 1 });
  const [judgedPerSecond, barePerSecond]: [number[], number[]] = [[], []];
  let judging: readonly number[] = [];
  const body = async (tools: Tools): Promise<void> => {
    const ask = await prepareRequests(tools);
    const exchanges: Exchange[] = [];
    const again = async (index: number): Promise<void> => {
      const { method, path, headers, body: sent } = (exchanges[index] as Exchange).request;
      const answer = await request(bank.url + path, {
        method: method as 'GET',
        headers,
        body: sent,
        dispatcher: agent,
      });
      await answer.body.arrayBuffer();
    };
    for (let turn = 0; turn < warmUp + times; turn += 1) {
      const one = await measureRate(async (index) => (exchanges[index] = await ask(index)), target.inFlight);
      const other = await measureRate(again, target.inFlight);
      if (turn >= warmUp) {
        judgedPerSecond.push(one);
        barePerSecond.push(other);
      }
    }
    judging = measureJudgingRatios(exchanges.slice(0, 3), times);
  };
  try {
    await runScenario(
      { id: 'measured', title: 'measured', details: { area: 'loans' }, body },
      session,
      openMemoryJournal(),
    );
  } finally {
    await Promise.all([session.close(), agent.close()]);
    bank.end();
  }
  return { judgedPerSecond, barePerSecond, judging };
}
