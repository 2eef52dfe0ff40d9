/** What a stranger to the target can read of the outcome texts of disbursements. */
import { expect, test } from '@playwright/test';
import { incidents } from '../../../../fixtures/banks/incidents/index.ts';
import { answering, hearing } from '../../../../fixtures/banks/incidents/intercept.ts';
import { processingFor } from '../../../../fixtures/banks/incidents/loans/disbursements.ts';
import { mutantNamed } from '../../../../fixtures/banks/mutants/index.ts';
import { createBank } from '../../../../fixtures/reference-bank/bank.ts';
import { examine } from '../../support/examine.ts';
import { withoutNumbers } from '../../../../openapi/util/truncate.ts';
import { isConclusive, isPending } from '../../../../openapi/history/outcome-texts.ts';

test('An outcome is on the way, conclusive, or in words that only a reader understands', () => {
  const read = (text: string): readonly boolean[] => [isPending(text), isConclusive(text)];
  for (const text of ['In progress', 'Accepted for processing', 'İşleniyor', 'Onayda bekliyor', 'wird bearbeitet'])
    expect(read(text), text).toEqual([true, false]);
  for (const text of ['İşleminiz devam etmektedir', 'Kullandırım gerçekleştiriliyor', 'Ödeme yapılmaktadır'])
    expect(read(text), text).toEqual([true, false]);
  for (const text of ['Kullandırıma devam edilememiştir', 'İşleme devam edememekteyiz'])
    expect(isPending(text), text).toBe(false);
  for (const text of ['OK', 'Processed', 'The disbursement could not be made', 'Kullandırım tamamlandı', 'ausgezahlt'])
    expect(read(text), text).toEqual([false, true]);
  for (const text of ['The loan is approved, the payment follows', 'It will be paid', 'Lähetetty', '7'])
    expect(read(text), text).toEqual([false, false]);
});

test('Texts that differ in numbers and references alone say the same, and words written together do not', () => {
  const differing = (...texts: readonly string[]): number => new Set(texts.map(withoutNumbers)).size;
  expect(differing('Paid at 9:07', 'Paid at 10:12')).toBe(1);
  expect(differing('Paid (a123)', 'Paid (face)', 'Paid (9F0C)', 'Paid (FACE)')).toBe(1);
  expect(differing('Paid, aGVsbG9', 'Paid, QmVsbA')).toBe(1);
  expect(differing('Paid: 0b6f3f0e-6f0c-4c39-9a53-27b0f2b1a9d4', 'Paid: fedcbafe-aaaa-4abc-9abc-abcdefabcdef')).toBe(1);
  for (const texts of [
    ['InProgress', 'PaidOut', 'NotPaid'],
    ['S00', 'E05', 'R036'],
    ['2. Taksit ödendi', '2. Taksit ödenmedi'],
  ])
    expect(differing(...texts), texts.join()).toBe(texts.length);
});

test('Disbursements that later ones have overtaken are stuck, and how many had no outcome stands in the report', async () => {
  const forgotten = new Set<string>();
  let taken = 0;
  const good = createBank({ behaviour: { loans: { outcome: { processingQueries: 1 } } } });
  const noting = hearing(good, ['disburse'], ({ sent }) => {
    if (sent['contract_approved'] === true && (taken += 1) % 3 === 0) forgotten.add(String(sent['application_id']));
  });
  const { scenarios, findings } = await examine(
    processingFor(noting, (id) => forgotten.has(id)),
    { env: { AREAS: 'loans' } },
  );
  const [outcomes] = scenarios.flatMap(({ cases = [] }) => cases.filter(({ label }) => label.includes('outcome')));
  expect(findings.map(({ clause, level, received }) => [clause, level, received])).toEqual([
    ['loans.outcome.reached', 'should', expect.stringContaining('still after')],
  ]);
  expect(outcomes?.of).toBeGreaterThan(9);
  expect(outcomes?.asked).toBe(Number(outcomes?.of) - Math.floor(Number(outcomes?.of) / 3));
});

test('The available limit is not blamed for a failure that came below it as well', async () => {
  const foundWhere = async (failsBelow: boolean): Promise<readonly string[]> => {
    const limits = new Map<string, number>();
    const failed = new Set<string>();
    let below = 0;
    const offering = answering(createBank(), ['requestLoan'], ({ rows }) => {
      for (const row of rows) limits.set(String(row['account_id']), Number(row['avaliable_limit']));
    });
    const noting = hearing(offering, ['disburse'], ({ sent }) => {
      const limit = limits.get(String(sent['account_id']));
      const isBelow = Number(sent['amount']) < Number(limit) && sent['contract_approved'] === true;
      if (Number(sent['amount']) === limit || (failsBelow && isBelow && (below += 1) === 2))
        failed.add(String(sent['application_id']));
    });
    const bank = answering(noting, ['queryDisbursement'], ({ body, data }, { id }) => {
      if (!failed.has(id)) return;
      data['result'] = 'Disbursement could not be made';
      body['errors'] = [{ message: 'R101;' }];
    });
    const { findings } = await examine(bank, { env: { AREAS: 'loans' } });
    return findings.map(({ clause, received }) => `${clause}: ${received}`);
  };
  const blamed = 'loans.disbursement.at-limit: the outcome Disbursement could not be made';
  expect(await foundWhere(false)).toContain(blamed);
  expect(await foundWhere(true)).not.toContain(blamed);
});

for (const [name, received] of [
  ['contract-taken-twice-at-once', 'both were accepted'],
  ['order-idempotent-but-at-once', 'another application_id for each'],
] as const)
  test(`What is done twice at once is reported of both requests: ${name}`, async () => {
    const { findings } = await examine(mutantNamed(name).mutate(createBank()), { env: { AREAS: 'loans' } });
    expect(findings.map((one) => one.received)).toContain(received);
  });

test('An account is not said to be refused where its id cannot be sent as a number', async () => {
  const bank = answering(createBank(), ['requestLoan'], ({ rows }) => {
    const last = rows.at(-1);
    if (last !== undefined) last['account_id'] = String(last['account_id']).replace(/(?=\d{4}$)/, '-');
  });
  const { findings } = await examine(bank, { env: { AREAS: 'loans' } });
  expect(findings.map(({ clause }) => clause)).toEqual(['loans.offer.account-id.digits']);
});

test('Of a bank that offers no account other test data are advised', async () => {
  const bank = answering(createBank(), ['requestLoan'], ({ data }) => void (data['infos'] = []));
  const { reasons } = await examine(bank, { env: { AREAS: 'loans' } });
  expect(reasons.join(' ')).toMatch(/the ids for it were not found.*If the bank needs other test data, set AMOUNTS/);
});

test('Of a locator that shows no ATMs other positions and provinces are advised', async () => {
  const bank = answering(createBank(), ['findAtms'], () => ({ data: [] }));
  const { reasons } = await examine(bank, { env: { AREAS: 'atms' } });
  expect(reasons.join(' ')).toMatch(/atms\.distance\): .*set POSITIONS.*atms\.no-distance\): .*set PROVINCES/);
});

test('An outcome that was on its way is not said to have changed once it is there', async () => {
  const { open, behaviour } = incidents.find(({ name }) => name === 'integer-orders-never-final')!;
  const bank = open(createBank({ behaviour: behaviour! }), Date);
  const { findings } = await examine(bank, { env: { AREAS: 'loans' }, seed: 3 });
  expect(findings.map(({ clause }) => clause)).toEqual(['loans.outcome.reached']);
});

test('What shows only over the answers of several scenarios has its evidence', async () => {
  const { open } = incidents.find(({ name }) => name === 'like-disbursements-dropped')!;
  const { findings, exchanges } = await examine(open(createBank(), Date), { env: { AREAS: 'loans' } });
  expect(findings.map(({ clause }) => clause)).toContain('loans.outcome.reached');
  for (const { exchange, contrast } of findings)
    expect(Object.keys(exchanges)).toEqual(expect.arrayContaining([exchange, contrast]));
});
