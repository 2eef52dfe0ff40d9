/** Defines the steps of a loan as fast-check commands: any step may come at any time. */
import fc from 'fast-check';
import type { LoanTerms } from '../../fixtures/arbitraries/loans.ts';
import {
  isThrottled,
  toObservedAnswer,
  type Application,
  type Loans,
  type Reply,
  type Tools,
} from '../../fixtures/runner/index.ts';

interface Model {
  readonly applications: { application: Application; contracted: boolean; disbursed: number }[];
}

type Step = (model: Model, at: number) => Promise<void>;

type Command = fc.AsyncCommand<Model, Loans>;

const makeCommand = (name: string, at: number, step: Step, ready: (model: Model) => boolean): Command => ({
  check: ready,
  run: (model) => step(model, at),
  toString: () => `${name}(${at})`,
});

const hasApplications = (model: Model): boolean => model.applications.length > 0;

/** Returns the steps of a loan, which observe their answers. */
function openSteps(loans: Loans, run: Tools['run'], terms: LoanTerms) {
  const observe = (about: string, reply: Reply): void => {
    if (reply.outcome !== 'not-sent' && !isThrottled(reply.exchange.answer))
      run.observe('loans.states', reply.operation, toObservedAnswer(reply), reply.exchange.id, { question: about });
  };
  const pick = (model: Model, at: number) => model.applications[at % model.applications.length];
  const apply: Step = async (model) => {
    const application = await loans.apply(terms);
    if (application !== null && application.offers.length > 0)
      model.applications.push({ application, contracted: false, disbursed: 0 });
  };
  const sign = async (entry: Model['applications'][number]): Promise<void> => {
    // Always takes the first offer: the number of offers is random, but observations must not be.
    const [offer] = entry.application.offers;
    if (offer === undefined) return;
    const reply = await loans.approve(entry.application, offer);
    observe(
      entry.disbursed > 0 ? 'a contract after the disbursement' : entry.contracted ? 'a second contract' : 'a contract',
      reply,
    );
    if (reply.accepted) entry.contracted = true;
  };
  const approve: Step = async (model, at) => {
    const entry = pick(model, at);
    if (entry === undefined) return;
    const isFirst = entry === model.applications[0] && !entry.contracted;
    await sign(entry);
    // The contract command stands in the list twice, because a few random cases hardly ever reach a contract.
    if (isFirst && entry.contracted && entry.disbursed === 0) await sign(entry);
  };
  const disburse: Step = async (model, at) => {
    const entry = pick(model, at);
    const [offer] = entry?.application.offers ?? [];
    if (entry === undefined || offer === undefined) return;
    const reply = await loans.disburse(entry.application, offer, {
      amount: loans.within(offer, terms.amount),
    });
    const about =
      entry.disbursed > 0
        ? 'a second disbursement'
        : entry.contracted
          ? 'a disbursement after the contract'
          : 'a disbursement without a contract';
    observe(about, reply);
    if (reply.accepted) entry.disbursed += 1;
  };
  const query: Step = async (model, at) => {
    const entry = pick(model, at);
    if (entry === undefined) return;
    observe(
      entry.disbursed > 0 ? 'a query after the disbursement' : 'a query before the disbursement',
      await loans.outcome(entry.application),
    );
  };
  return { apply, approve, disburse, query };
}

/** Makes a property over random orders of steps; observes the answers. */
export function runInAnyOrder(
  loans: Loans,
  run: Tools['run'],
  terms: LoanTerms,
): fc.IAsyncPropertyWithHooks<[Iterable<Command>]> {
  const { apply, approve, disburse, query } = openSteps(loans, run, terms);
  const step = (name: string, act: Step, ready: (model: Model) => boolean) =>
    fc.nat(7).map((at) => makeCommand(name, at, act, ready));
  const commands = fc.commands(
    [
      step('apply', apply, () => true),
      step('approve', approve, hasApplications),
      step('disburse', disburse, hasApplications),
      step('query', query, hasApplications),
    ],
    { size: 'small', maxCommands: 12 },
  );
  return fc.asyncProperty(commands, async (steps) => {
    const model: Model = { applications: [] };
    await apply(model, 0);
    await fc.asyncModelRun(() => ({ model, real: loans }), steps);
  });
}
