import type { Reply } from '../../fixtures/bank-client.ts';
import type { Application, Offer } from '../../fixtures/loans.ts';
import { answered, omissions, test, without, type Tools } from '../../fixtures/test.ts';
import type { Spoil, Wire } from '../../fixtures/wire.ts';

const area = 'loans';
const wishes = ['amount', 'currency', 'commercial_disbursement', 'disbursement_purpose', 'order_id'] as const;
const required = { point: 'loans.required-fields', consistent: 'loans.required-fields.consistent' } as const;

/** Changes members of the body. */
const members =
  (change: (body: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>): Spoil =>
  (wire) => ({ ...wire, body: change(wire.body as Readonly<Record<string, unknown>>) });
const text = (body: string) => (wire: Wire): Wire => ({ ...wire, body });

const lenient: readonly (readonly [about: string, spoil: Spoil])[] = [
  ['a number as text', members((body) => ({ ...body, amount: String(body['amount']) }))],
  ['a boolean as text', members((body) => ({ ...body, commercial_disbursement: String(body['commercial_disbursement']) }))],
  ['a boolean as 1', members((body) => ({ ...body, commercial_disbursement: 1 }))],
  ['a text as a number', members((body) => ({ ...body, currency: 949 }))],
  ['null for a value', members((body) => ({ ...body, disbursement_purpose: null }))],
  ['a field that nobody knows', members((body) => ({ ...body, unheard_of: 'x' }))],
  ['an empty body', text('')],
  ['an object without members', text('{}')],
  ['an array', text('[]')],
];

test(
  'A check tells what it can do without, and what it takes besides',
  { area, proves: ['loans.required-fields.consistent'] },
  async ({ loans, probe, check, target, run, bank }) => {
    const terms = await loans.terms();
    const omitted = omissions({ probe, check, ...required });
    for (const name of [...wishes, ...wishes]) await omitted.try(await loans.validate(terms), loans.values(terms), name);
    for (const [about, spoil] of lenient)
      await probe(await loans.validate(terms), loans.values(terms), { spoil, open: { point: 'service.request-leniency', about } });
    for (const currency of ['XQX', terms.currency.toLowerCase()]) {
      const twin = await loans.validate(terms);
      const about = currency === 'XQX' ? 'a currency that nobody has' : 'the currency in small letters';
      await probe(twin, { ...loans.values(terms), currency }, { open: { point: 'loans.value-bounds', about } });
    }
    for (const method of ['OPTIONS', 'GET'])
      await probe(await loans.validate(terms), loans.values(terms), {
        spoil: (wire) => ({ ...wire, method, body: null }),
        open: { point: 'service.other-methods', about: method },
      });
    void [target, run, bank, without];
  },
);

test(
  'A loan request tells what it can do without, and what a repeated order_id brings',
  { area, proves: ['loans.required-fields.consistent'], spends: { applications: 0.05 } },
  async ({ loans, bank, probe, check, run }) => {
    const values = loans.values(await loans.terms());
    const twin = await bank.requestLoan(values);
    if (!twin.accepted) return;
    const again = await bank.requestLoan.call(bank, values).constructor === undefined ? null : await bank.ask('requestLoan', values, { probe: true });
    if (again !== null && again.outcome !== 'not-sent') {
      const same = again.accepted && again.data.application_id === twin.data.application_id;
      const value = again.accepted ? (same ? 'the same application' : 'another application') : answered(again);
      run.observe('loans.order-id-repeated', 'requestLoan', value, again.exchange.id, undefined, twin.exchange.id);
    }
    const omitted = omissions({ probe, check, ...required });
    const terms = await loans.terms();
    for (const name of [...wishes, ...wishes]) await omitted.try(twin, loans.values(terms), name);
  },
);
