/** Options of revolving loans. */
import type { BehaviourChange } from '../../../../fixtures/reference-bank/options/index.ts';
import { cents, LOANS, option, payment, statusOf, TERMS, type BankClient, type Body } from './bank-client.ts';

type LoanChange = NonNullable<BehaviourChange['loans']>;
const loans = (change: LoanChange, expected: unknown, shown: (client: BankClient) => Promise<unknown>): void =>
  option({ loans: change }, expected, shown);
/** What the answer to a loan request shows. */
const granted = (change: LoanChange, expected: unknown, shown: (data: any) => unknown): void =>
  loans(change, expected, async ({ requestLoan }) => shown((await requestLoan()).data));
const accountIds = (infos: readonly Body[]): readonly string[] => infos.map((info) => String(info['account_id']));

loans({ applicationId: { width: 1 } }, [15, 9], async ({ loan }) => {
  const ids = new Set<string>();
  for (let at = 0; at < 15; at++) ids.add((await loan()).application);
  return [ids.size, [...ids].filter((id) => id.length === 1).length];
});
const padded: LoanChange = { applicationId: { width: 3, order: 'ascending', padTo: 12 }, accountId: { padTo: 19 } };
loans(padded, ['000000000100', true, 200, '000000000100', '000000000100'], async (client) => {
  const { application, account } = await client.contracted();
  const { status } = await client.disburse(application, account, payment(1));
  const outcomes = [await client.outcome(application), await client.outcome('100')];
  return [application, /^0{7}\d{12}$/.test(account), status, ...outcomes.map(({ data }) => data.application_id)];
});

const none = { minimum: 0, maximum: 0 };
granted({ offers: none }, ['true', []], ({ result, infos }) => [result, infos]);
granted({ offers: { ...none, resultWithoutOffers: false } }, 'false', ({ result }) => result);
granted({ offers: { minimum: 30, maximum: 30 } }, 30, ({ infos }) => new Set(accountIds(infos)).size);
loans({ offers: { accounts: 'fresh', reference: 'masked' } }, [true, true], async ({ loan }) => {
  const [one, other] = [await loan(), await loan()];
  const ids = accountIds([...one.infos, ...other.infos]);
  return [new Set(ids).size === ids.length, one.infos[0]?.['account'] === `**** ${ids[0]?.slice(-4)}`];
});
const zero: LoanChange = { offers: { limits: 'zero', rates: 'zero', reference: 'blank', terms: ['7d'] } };
granted(zero, ['', '0.00', '0.00000', '7d', '0.00000'], ({ infos: [{ account_id: _, ...offer }] }) =>
  Object.values(offer),
);
const huge: LoanChange = {
  offers: { limits: 'huge', rates: 'steep', reference: 'digits' },
  spelling: { decimalSign: ',', booleans: 'capital' },
};
granted(huge, ['True', true, true, true], ({ result, infos: [offer] }) => {
  const { avaliable_limit: limit, interest_rate: rate, account, account_id } = offer;
  return [result, /^\d{18},\d\d$/.test(limit), /^\d{4},\d{5}$/.test(rate), account === account_id];
});

for (const [booleans, yes, no] of [
  ['upper', 'TRUE', 'FALSE'],
  ['digit', '1', '0'],
] as const) {
  const rules = { minimum: '10', maximum: '500.00', currencies: ['EUR'], decimals: 0, outside: 'answered' } as const;
  loans({ spelling: { booleans }, rules }, [yes, yes, yes, no, no, no, no, no, []], async ({ post, requestLoan }) => {
    const changes = [{}, { amount: 500 }, { amount: 10 }, { amount: 9 }, { amount: 501 }, { amount: 99.5 }];
    const checks = [...changes, { currency: 'USD' }].map((change) =>
      post(`${LOANS}/validations`, { ...TERMS, amount: 100, order_id: 1, ...change }),
    );
    const { result, infos } = (await requestLoan({ amount: 9 })).data;
    return [...(await Promise.all(checks)).map(({ data }) => data.result), result, infos];
  });
}
for (const [customerIp, address, status] of [
  ['ipv4', '2001:db8::1', 400],
  ['ipv4', '192.0.2.7', 200],
  ['unchecked', 'home', 200],
] as const)
  loans({ rules: { customerIp } }, status, async ({ contracted, disburse }) => {
    const { application, account } = await contracted();
    return (await disburse(application, account, payment(1, true, address))).status;
  });

loans({ order: { repeatedOrder: 'same' } }, true, async ({ requestLoan }) => {
  const [one, other] = [await requestLoan({ order_id: 5 }), await requestLoan({ order_id: '5' })];
  return one.text === other.text;
});
loans({ order: { repeatedOrder: 'refused' } }, [200, 409, 200], async ({ requestLoan }) => {
  const ask = (order_id: number) => requestLoan({ order_id });
  return statusOf(await ask(1), await ask(1), await ask(2));
});
const anyOrder: LoanChange = {
  order: { contractRequired: false, secondContract: 'taken', unapproved: 'taken', secondDisbursement: 'replaced' },
};
loans(anyOrder, [200, 200, 200, true, 200, [{ message: 'R036;' }]], async (client) => {
  const { application, infos } = await client.loan();
  const [one = '', other = ''] = accountIds(infos);
  const contracts = await statusOf(await client.contract(application, one), await client.contract(application, other));
  const unapproved = await client.disburse(application, one, payment(1, false));
  const { result } = (await client.outcome(application)).data;
  const replaced = await client.disburse(application, one, payment(900_000));
  const { errors } = (await client.outcome(application)).body;
  const isSuccess = result === client.bank.behaviour.loans.outcome.success;
  return [...contracts, unapproved.status, isSuccess, replaced.status, errors];
});
const kept: LoanChange = {
  order: { unapproved: 'failed', secondDisbursement: 'kept' },
  outcome: { failure: 'No.', overLimitErrors: ['R101;', 'R036;'] },
};
loans(kept, [200, 200, 'No.', [{ message: 'R101;' }, { message: 'R036;' }], 1], async (client) => {
  const { application, account } = await client.contracted();
  const paid = (isApproved: boolean) => client.disburse(application, account, payment(1, isApproved));
  const statuses = await statusOf(await paid(false), await paid(true));
  const { data, body } = await client.outcome(application);
  return [...statuses, data.result, body['errors'], client.bank.state.disbursements.length];
});
const waiting: LoanChange = {
  order: { earlyQuery: 'answered' },
  outcome: { processing: 'Wait', success: 'Done', processingQueries: 2, emptyErrors: true },
};
loans(waiting, ['Wait', [], 'Wait', [], 'Wait', [], 'Done', [], 'Done', []], async (client) => {
  const { application, account } = await client.contracted();
  const shown: unknown[] = [];
  for (let query = 0; query < 5; query++) {
    const { data, body } = await client.outcome(application);
    shown.push(data.result, body['errors']);
    if (query === 0) await client.disburse(application, account, payment(1));
  }
  return shown;
});
loans({ outcome: { failure: 'No.', overLimitErrors: [] } }, [true, 'No.', ['data']], async (client) => {
  const { application, account } = await client.contracted();
  await client.disburse(application, account, payment(900_000));
  const { body, data } = await client.outcome(application);
  return [data.application_id === application, data.result, Object.keys(body)];
});
loans({ outcome: { overLimit: 'refused' } }, [422, 200, 1], async ({ contracted, disburse, bank }) => {
  const { application, account, limit } = await contracted();
  const paid = (amount: string) => disburse(application, account, payment(amount));
  return [...(await statusOf(await paid(cents(limit, 1n)), await paid(limit))), bank.state.disbursements.length];
});
const drawnDown: LoanChange = { offers: { minimum: 8, maximum: 8 }, order: { limits: 'drawn-down' } };
loans(drawnDown, true, async ({ contracted, disburse, loan }) => {
  const { application, account, limit } = await contracted();
  await disburse(application, account, payment('0.5'));
  const offer = (await loan()).infos.find((info) => info['account_id'] === account);
  return offer?.['avaliable_limit'] === cents(limit, -50n);
});
