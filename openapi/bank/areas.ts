/** States what the contract does not say of the areas: their names, and whether requests carry a token. */
import type { Area } from '../clauses/areas.ts';
import type { AreaFacts } from '../model/operation.ts';

export const areaFacts: Readonly<Record<Area, AreaFacts>> = {
  loans: {
    name: 'revolving loans',
    title: 'Revolving Loans',
    usesToken: true,
    noOtherHeaders: 'loans.header.no-others',
  },
  'payment-links': {
    name: 'payment links',
    title: 'Pay-by-Link',
    usesToken: true,
    noOtherHeaders: 'links.header.no-others',
  },
  atms: { name: 'ATM locator', title: 'ATM Locator', usesToken: false, noOtherHeaders: 'atms.header.no-others' },
};
