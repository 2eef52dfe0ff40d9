import { unlistedValues } from '../../fixtures/arbitraries/made-up.ts';
import {
  mapAll,
  MAX_CONCURRENT_PROBES,
  probeMissingFields,
  scenario,
  test,
  type Values,
} from '../../fixtures/runner/index.ts';

const area = 'payment-links';
const INSTALLMENT_LIST_PARAMETERS = ['branch_no', 'currency_code', 'is_domestic'] as const;
const LINK_FIELDS = [
  'language_code',
  'branch_no',
  'personal_description',
  'amount',
  'merchant_no',
  'installment',
  'currency_code',
  'is_domestic',
] as const;

test(
  'Lists of a merchant without one parameter',
  ...scenario('list-variants', { area, early: true }, async ({ links, bank, probe, run }) => {
    const { combinations } = await links.catalogue();
    const [place] = combinations;
    if (place === undefined) return;
    const { installments: _, ...query } = place;
    const of = { merchant_no: query.merchant_no, is_domestic: query.is_domestic };
    const omitted = probeMissingFields({ probe, run, area });
    for (let time = 0; time < 2; time += 1) {
      await Promise.all([
        omitted.try(await bank.listCurrencies(of), of, 'is_domestic'),
        ...INSTALLMENT_LIST_PARAMETERS.map(async (name) =>
          omitted.try(await bank.listInstallments(query), query, name),
        ),
      ]);
    }
    await Promise.all([
      ...(['branch_no', 'currency_code'] as const).map(async (name) =>
        probe(
          await bank.listInstallments(query),
          { ...query, [name]: unlistedValues[name] },
          { open: { point: 'links.unknown-branch', question: `${name} that is not on the list` } },
        ),
      ),
      bank.listInstallments(query).then((control) =>
        probe(control, query, {
          mutate: (draft) => ({ ...draft, path: draft.path.replace(/[^/]+$/, (word) => word.toLowerCase()) }),
          open: { point: 'links.installments-path-case', question: 'the path in small letters' },
        }),
      ),
      ...['OPTIONS', 'HEAD'].map(async (method) =>
        probe(
          await bank.listMerchants(),
          {},
          { mutate: (draft) => ({ ...draft, method }), open: { point: 'service.other-methods', question: method } },
        ),
      ),
    ]);
  }),
);

test(
  'Payment links without one field',
  ...scenario('link-variants', { area, early: true, creates: { links: 6 } }, async ({ links, bank, probe, run }) => {
    const terms = await links.small();
    if (terms === undefined) return;
    const control = await links.create(terms);
    const values = (): Values => ({
      ...control.exchange.request.asked,
      personal_description: String(links.values(terms)['personal_description']),
    });
    const ask = (change: Values, about: string) =>
      probe(control, { ...values(), ...change }, { open: { point: 'links.unknown-branch', question: about } });
    const omitted = probeMissingFields({ probe, run, area });
    // Sends one omission first: if each request creates a link, one must be left to repeat it.
    const [first, ...others] = LINK_FIELDS;
    await Promise.all([
      // Repeats the request: the answer must be the same.
      bank.createPaymentLink(values()),
      first === undefined ? null : omitted.try(control, values(), first),
    ]);
    const unknown = ['branch_no', 'currency_code'] as const;
    const variants = [
      ...unknown.map((name) => () => ask({ [name]: unlistedValues[name] }, `${name} that is not on the list`)),
      ...[...others, ...LINK_FIELDS].map((name) => () => omitted.try(control, values(), name)),
      () =>
        probe(
          control,
          { ...values(), language_code: 'xq' },
          { open: { point: 'links.value-bounds', question: 'a language code that does not exist' } },
        ),
    ];
    await mapAll(variants, MAX_CONCURRENT_PROBES, (send) => send());
  }),
);
