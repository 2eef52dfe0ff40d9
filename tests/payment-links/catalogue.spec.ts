import { eachOf, scenario, test } from '../../fixtures/runner/index.ts';

const area = 'payment-links';

test(
  'Merchants, branches, currencies and installments are listed for one another',
  ...scenario('list-catalogue', { area }, async ({ links, bank, target }) => {
    const { combinations } = await links.catalogue();
    if (combinations.length === 0) return;
    // Enough calls of each list that a fault in every tenth answer shows.
    const rounds = Array.from({ length: 12 }, (_, index) => combinations[index % combinations.length]);
    await eachOf(rounds, target.inFlight, async (place) => {
      if (place === undefined) return;
      const { installments: _, ...query } = place;
      const { merchant_no, is_domestic } = query;
      await Promise.all([
        bank.listMerchants(),
        bank.listBranches({ merchant_no }),
        bank.listCurrencies({ merchant_no, is_domestic }),
        bank.listInstallments(query),
      ]);
    });
  }),
);
