/** Sends ATM queries whose answers the document leaves open. */
import {
  mapAll,
  MAX_CONCURRENT_PROBES,
  probeMissingFields,
  scenario,
  test,
  type RequestOptions,
  type RequestDraft,
  type Values,
} from '../../fixtures/runner/index.ts';
import { listIdEndings } from '../../fixtures/arbitraries/texts.ts';

test(
  'ATM queries without one parameter, without any, with both query forms, and with values out of bounds',
  ...scenario('atm-query-variants', { area: 'atms', early: true }, async (tools) => {
    const { atms, bank, probe } = tools;
    // Searches for a province and a position at the same time, before scenarios with a lower rank do.
    const [known, found] = await Promise.all([atms.findKnownPositions(), atms.findCodes()]);
    const position = known[0] ?? atms.getStartPositions()[0];
    const codes = found[0] ?? atms.listCandidateCodes()[0];
    if (position === undefined || codes === undefined) return;
    const byPosition: Values = { ...position };
    const byProvince: Values = { ...codes };
    const omit = probeMissingFields(tools, 'atms');
    const omissions = [...Object.keys(position), ...Object.keys(codes)].map((name) => async () => {
      const values = name in position ? byPosition : byProvince;
      return omit(await bank.findAtms(values), values, name);
    });
    const ask = (values: Values, asking: RequestOptions) => async () =>
      probe(await bank.findAtms(byPosition), values, asking);
    const bounds: Readonly<Record<string, Values>> = {
      'latitude 91': { latitude: '91' },
      'longitude 181': { longitude: '181' },
      'a latitude in words': { latitude: 'north' },
      'an empty latitude': { latitude: '' },
    };
    // An apostrophe ends a text in SQL, and a number with twenty digits has more than 64 bits.
    const quoted = { point: 'atms.value-bounds', question: 'a district code with an apostrophe' } as const;
    const control = await bank.findAtms(byProvince);
    const askDistrict = (code: string, asking?: RequestOptions) => () =>
      probe(control, { ...byProvince, district_code: code }, asking);
    await mapAll(
      [
        ...omissions,
        ...omissions,
        askDistrict(`${codes.district_code}'`, { open: quoted }),
        ...listIdEndings().map((ending) => askDistrict(`${codes.district_code}${ending}`)),
        askDistrict('9'.repeat(20)),
        ask({ ...byPosition, ...byProvince }, { open: { point: 'atms.required-parameters', question: 'both forms' } }),
        ask({}, { open: { point: 'atms.required-parameters', question: 'no parameter' } }),
        ...Object.entries(bounds).map(([question, change]) =>
          ask({ ...byPosition, ...change }, { open: { point: 'atms.value-bounds', question } }),
        ),
        ...['OPTIONS', 'HEAD'].map((method) =>
          ask(byPosition, {
            mutate: (draft: RequestDraft) => ({ ...draft, method }),
            open: { point: 'service.other-methods', question: method },
          }),
        ),
      ],
      MAX_CONCURRENT_PROBES,
      (send) => send(),
    );
  }),
);
