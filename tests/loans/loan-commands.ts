/** Defines the steps of a loan as fast-check commands, which may run in any order. */
import fc from 'fast-check';
import type { LoanTerms } from '../../fixtures/bank/arbitraries/loans.ts';
import {
  isThrottled,
  toObservedAnswer,
  type Application,
  type Loans,
  type Reply,
  type Tools,
} from '../../fixtures/runner/index.ts';

interface Model {
  readonly loans: { application: Application; isContracted: boolean; disbursements: number }[];
}

type Step = (model: Model, index: number) => Promise<void>;

type Command = fc.AsyncCommand<Model, Loans>;

const makeCommand = (name: string, index: number, step: Step, isPossible: (model: Model) => boolean): Command => ({
  check: isPossible,
  run: (model) => step(model, index),
  toString: () => `${name}(${index})`,
});

const hasApplications = (model: Model): boolean => model.loans.length > 0;

/** Returns the steps of a loan. Each records how the bank answered. */
function openSteps(loans: Loans, run: Tools['run'], terms: LoanTerms) {
  const observe = (question: string, reply: Reply): void => {
    if (reply.outcome !== 'not-sent' && !isThrottled(reply.exchange.answer))
      run.observe('loans.states', reply.operation, toObservedAnswer(reply), reply.exchange.id, { question });
  };
  const pick = (model: Model, index: number) => model.loans[index % model.loans.length];
  const apply: Step = async (model) => {
    const application = await loans.apply(terms);
    if (application !== null && application.offers.length > 0)
      model.loans.push({ application, isContracted: false, disbursements: 0 });
  };
  const sign = async (loan: Model['loans'][number]): Promise<void> => {
    // Always takes the first offer: the number of offers is random, but observations must not be.
    const [offer] = loan.application.offers;
    if (offer === undefined) return;
    const reply = await loans.approveInTurn(loan.application, offer);
    observe(
      loan.disbursements > 0
        ? 'a contract after the disbursement'
        : loan.isContracted
          ? 'a second contract'
          : 'a contract',
      reply,
    );
    if (reply.accepted) loan.isContracted = true;
  };
  const approve: Step = async (model, index) => {
    const loan = pick(model, index);
    if (loan === undefined) return;
    const isFirst = loan === model.loans[0] && !loan.isContracted;
    await sign(loan);
    // The first loan gets a second contract at once: a few random orders hardly ever reach two contracts.
    if (isFirst && loan.isContracted && loan.disbursements === 0) await sign(loan);
  };
  const disburse: Step = async (model, index) => {
    const loan = pick(model, index);
    const [offer] = loan?.application.offers ?? [];
    if (loan === undefined || offer === undefined) return;
    const reply = await loans.disburse(loan.application, offer, {
      amount: loans.limitAmount(offer, terms.amount),
    });
    const question =
      loan.disbursements > 0
        ? 'a second disbursement'
        : loan.isContracted
          ? 'a disbursement after the contract'
          : 'a disbursement without a contract';
    observe(question, reply);
    if (reply.accepted) loan.disbursements += 1;
  };
  const query: Step = async (model, index) => {
    const loan = pick(model, index);
    if (loan === undefined) return;
    observe(
      loan.disbursements > 0 ? 'a query after the disbursement' : 'a query before the disbursement',
      await loans.outcome(loan.application),
    );
  };
  return { apply, approve, disburse, query };
}

/** Returns a property over random orders of steps. */
export function runInAnyOrder(
  loans: Loans,
  run: Tools['run'],
  terms: LoanTerms,
): fc.IAsyncPropertyWithHooks<[Iterable<Command>]> {
  const { apply, approve, disburse, query } = openSteps(loans, run, terms);
  const step = (name: string, act: Step, isPossible: (model: Model) => boolean) =>
    fc.nat(7).map((index) => makeCommand(name, index, act, isPossible));
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
    const model: Model = { loans: [] };
    await apply(model, 0);
    await fc.asyncModelRun(() => ({ model, real: loans }), steps);
  });
}
