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
    // Both searches run at the same time, before scenarios of a lower rank begin.
    const [knownPositions, workingCodes] = await Promise.all([atms.findKnownPositions(), atms.findCodes()]);
    const position = knownPositions[0] ?? atms.getStartPositions()[0];
    const codes = workingCodes[0] ?? atms.listCandidateCodes()[0];
    if (position === undefined || codes === undefined) return;
    const byPosition: Values = { ...position };
    const byProvince: Values = { ...codes };
    const probeWithout = probeMissingFields(tools, 'atms');
    const omissions = [...Object.keys(position), ...Object.keys(codes)].map((name) => async () => {
      const values = name in position ? byPosition : byProvince;
      return probeWithout(await bank.findAtms(values), values, name);
    });
    const queryAtms = (values: Values, options: RequestOptions) => async () =>
      probe(await bank.findAtms(byPosition), values, options);
    const bounds: Readonly<Record<string, Values>> = {
      'latitude 91': { latitude: '91' },
      'longitude 181': { longitude: '181' },
      'a latitude in words': { latitude: 'north' },
      'an empty latitude': { latitude: '' },
    };
    // An apostrophe ends a text in SQL. A number of twenty digits does not fit into 64 bits.
    const apostropheQuestion = { point: 'atms.value-bounds', question: 'a district code with an apostrophe' } as const;
    const control = await bank.findAtms(byProvince);
    const queryDistrict = (code: string, options?: RequestOptions) => () =>
      probe(control, { ...byProvince, district_code: code }, options);
    await mapAll(
      [
        ...omissions,
        ...omissions,
        queryDistrict(`${codes.district_code}'`, { open: apostropheQuestion }),
        ...listIdEndings().map((ending) => queryDistrict(`${codes.district_code}${ending}`)),
        queryDistrict('9'.repeat(20)),
        queryAtms(
          { ...byPosition, ...byProvince },
          { open: { point: 'atms.required-parameters', question: 'both forms' } },
        ),
        queryAtms({}, { open: { point: 'atms.required-parameters', question: 'no parameter' } }),
        ...Object.entries(bounds).map(([question, change]) =>
          queryAtms({ ...byPosition, ...change }, { open: { point: 'atms.value-bounds', question } }),
        ),
        ...['OPTIONS', 'HEAD'].map((method) =>
          queryAtms(byPosition, {
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
