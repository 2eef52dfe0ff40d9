import { eachOf, test } from '../../fixtures/test.ts';

const area = 'payment-links';

test('Merchants, branches, currencies and installments are listed for one another', { area }, async ({ links, bank, target }) => {
  const { combinations } = await links.catalogue();
  if (combinations.length === 0) return;
  // Enough calls of each list that a fault in every tenth answer shows.
  const rounds = Array.from({ length: 24 }, (_, index) => combinations[index % combinations.length]);
  await eachOf(rounds, target.inFlight, async (place) => {
    if (place === undefined) return;
    const { merchant, branch, currency, domestic } = place;
    await Promise.all([
      bank.listMerchants(),
      bank.listBranches({ merchant_no: merchant }),
      bank.listCurrencies({ merchant_no: merchant, is_domestic: domestic }),
      bank.listInstallments({ merchant_no: merchant, branch_no: branch, currency_code: currency, is_domestic: domestic }),
    ]);
  });
});

test('Asking for the same list again brings the same list', { area, proves: ['links.lists-repeat'] }, async ({ links, bank, check }) => {
  const { combinations } = await links.catalogue();
  const [place] = combinations;
  if (place === undefined) return;
  const { merchant, branch, currency, domestic } = place;
  const lists = [
    () => bank.listMerchants(),
    () => bank.listBranches({ merchant_no: merchant }),
    () => bank.listCurrencies({ merchant_no: merchant, is_domestic: domestic }),
    () => bank.listInstallments({ merchant_no: merchant, branch_no: branch, currency_code: currency, is_domestic: domestic }),
  ];
  for (const ask of lists) {
    const [first, second] = [await ask(), await ask()];
    if (!first.accepted || !second.accepted) continue;
    check('links.lists-repeat', second, sameList(first.data, second.data), {
      pointer: '/data',
      expected: 'what the same request brought just before',
      received: 'something else',
      contrast: first,
    });
  }
});

/** True where both hold the same values, whatever the order of keys and entries. */
function sameList(one: unknown, other: unknown): boolean {
  return canonical(one) === canonical(other);
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).sort().join()}]`;
  if (typeof value !== 'object' || value === null) return `${typeof value} ${String(value)}`;
  return `{${Object.entries(value)
    .map(([key, child]) => `${key}:${canonical(child)}`)
    .sort()
    .join()}}`;
}
