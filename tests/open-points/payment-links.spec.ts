/** Sends requests for lists and payment links whose answers the document leaves open. */
import { unlistedValues } from '../../fixtures/bank/arbitraries/made-up.ts';
import { toPlace } from '../../fixtures/bank/arbitraries/payment-links.ts';
import {
  mapAll,
  MAX_CONCURRENT_PROBES,
  operations,
  probeMissingFields,
  scenario,
  test,
  type Values,
} from '../../fixtures/runner/index.ts';

const area = 'payment-links';

test(
  'Lists of a merchant without one parameter, with unlisted values, and with other methods',
  ...scenario('list-variants', { area, early: true }, async (tools) => {
    const { links, bank, probe } = tools;
    const [combination] = (await links.catalogue()).combinations;
    if (combination === undefined) return;
    const placeQuery = toPlace(combination);
    const { merchant_no, is_domestic } = placeQuery;
    const probeWithout = probeMissingFields(tools, area);
    const currencyQuery = { merchant_no, is_domestic };
    for (let count = 0; count < 2; count += 1)
      await Promise.all([
        probeWithout(await bank.listCurrencies(currencyQuery), currencyQuery, 'is_domestic'),
        ...['branch_no', 'currency_code', 'is_domestic'].map(async (name) =>
          probeWithout(await bank.listInstallments(placeQuery), placeQuery, name),
        ),
      ]);
    await Promise.all([
      ...(['branch_no', 'currency_code'] as const).map(async (name) =>
        probe(
          await bank.listInstallments(placeQuery),
          { ...placeQuery, [name]: unlistedValues[name] },
          { open: { point: 'links.unknown-branch', question: `${name} that is not on the list` } },
        ),
      ),
      bank.listInstallments(placeQuery).then((control) =>
        probe(control, placeQuery, {
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
  'Payment links without one field, and with unlisted values',
  ...scenario('link-variants', { area, early: true, creates: { links: 6 } }, async (tools) => {
    const { links, bank, probe } = tools;
    const controlLink = await links.createNext();
    if (controlLink === null) return;
    const { terms, reply: acceptedReply } = controlLink;
    const makeValues = (): Values => ({
      ...acceptedReply.exchange.request.asked,
      personal_description: String(links.values(terms)['personal_description']),
    });
    const probeWithout = probeMissingFields(tools, area);
    // One incomplete request comes first. If it creates a link, the caps must still allow to repeat it.
    const fieldNames = operations.createPaymentLink.inputs.map(({ name }) => name);
    const [firstName = '', ...otherNames] = fieldNames;
    await Promise.all([
      // Repeats the request: the answer must be the same.
      bank.createPaymentLink(makeValues()),
      probeWithout(acceptedReply, makeValues(), firstName),
    ]);
    const probeWith =
      (changedValues: Values, point: 'links.unknown-branch' | 'links.value-bounds', question: string) => () =>
        probe(acceptedReply, { ...makeValues(), ...changedValues }, { open: { point, question } });
    const requestsToSend = [
      ...(['branch_no', 'currency_code'] as const).map((name) =>
        probeWith({ [name]: unlistedValues[name] }, 'links.unknown-branch', `${name} that is not on the list`),
      ),
      ...[...otherNames, ...fieldNames].map((name) => () => probeWithout(acceptedReply, makeValues(), name)),
      probeWith({ language_code: 'xq' }, 'links.value-bounds', 'a language code that does not exist'),
    ];
    await mapAll(requestsToSend, MAX_CONCURRENT_PROBES, (send) => send());
  }),
);
