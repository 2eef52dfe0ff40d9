/** Simulates an operation without HTTP. A condition on the fields of a request decides if it is refused. */
import type { OperationId } from '../../../../openapi/model/exchange.ts';
import type { Outcome } from '../../../../openapi/model/outcome.ts';
import type { Reply } from '../../../../fixtures/run/client/reply.ts';
import { learnCauses } from '../../../../fixtures/learn/learn.ts';
import type { Experiment, Observation } from '../../../../fixtures/learn/experiment.ts';
import type { Values } from '../../../../fixtures/run/session/request.ts';
import { exchange } from '../../support/judge-harness.ts';

/** Returns the outcome of a request. `nth` is the number of the request, from 0. */
export type Rule = (values: Values, nth: number) => Outcome;

/** Makes a rule that refuses the requests that meet the condition. */
export const refuseIf =
  (isMet: (values: Values, nth: number) => boolean, outcome: Outcome = 'refused'): Rule =>
  (values, nth) =>
    isMet(values, nth) ? outcome : 'accepted';

const statusByOutcome: Partial<Record<Outcome, number>> = {
  refused: 422,
  crashed: 500,
  forbidden: 403,
  throttled: 429,
};

/** Runs an experiment with a simulated operation. Returns its requests and reports. `words` is the text of its refusals. */
export function simulateOperation(
  operation: OperationId,
  rule: Rule,
  requests: readonly Values[],
  words = 'Not accepted',
) {
  const observed: Observation[] = [];
  const said: string[] = [];
  let exchangeCount = 0;
  const answer = (values: Values): Reply => {
    const outcome = rule(values, observed.length);
    const accepted = outcome === 'accepted';
    observed.push({ values, outcome, exchange: `${(exchangeCount += 1)}` });
    const status = statusByOutcome[outcome] ?? 200;
    const madeExchange = exchange(operation, accepted ? undefined : { message: words }, { status });
    const asked = { ...madeExchange.request, asked: values };
    return { operation, outcome, accepted, status, exchange: { ...madeExchange, request: asked } } as unknown as Reply;
  };
  requests.forEach(answer);
  const experiment: Experiment = {
    operation,
    clause: 'loans.validation.refusal-explained',
    listRequests: () => observed.filter(({ outcome }) => outcome !== 'throttled'),
    listPostponedRequests: () => observed.filter(({ outcome }) => outcome === 'throttled'),
    async ask(base, change) {
      const reply = answer({ ...base, ...change });
      return { outcome: reply.outcome === 'throttled' ? null : (reply.outcome as Outcome), reply };
    },
    costlyInputs: [],
    countRequestsLeft: () => Infinity,
    reservedRequestCount: 0,
    highestAmount: 20_000,
    pause: async () => undefined,
    contrast: (_, __, words) => void said.push(`${words?.pointer?.split('/').at(-1)}: ${words?.received}`),
  };
  return { experiment, observed, said };
}

/** Returns what the learner reports about a simulated operation after these requests. */
export async function learnFrom(
  operation: OperationId,
  rule: Rule,
  requests: readonly Values[],
  words?: string,
  settings: Partial<Pick<Experiment, 'costlyInputs' | 'countRequestsLeft' | 'reservedRequestCount'>> = {},
): Promise<readonly string[]> {
  const { experiment, said } = simulateOperation(operation, rule, requests, words);
  await learnCauses({ ...experiment, ...settings });
  return said.map((text) => text.replace(/, while the same request with another .* is accepted$/, ''));
}
