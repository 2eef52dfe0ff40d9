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
    const firstCodes = workingCodes[0] ?? atms.listCandidateCodes()[0];
    if (position === undefined || firstCodes === undefined) return;
    const positionQuery: Values = { ...position };
    const districtQuery: Values = { ...firstCodes };
    const probeWithout = probeMissingFields(tools, 'atms');
    const omissions = [...Object.keys(position), ...Object.keys(firstCodes)].map((name) => async () => {
      const values = name in position ? positionQuery : districtQuery;
      return probeWithout(await bank.findAtms(values), values, name);
    });
    const queryAtms = (values: Values, options: RequestOptions) => async () =>
      probe(await bank.findAtms(positionQuery), values, options);
    const valuesOutOfBounds: Readonly<Record<string, Values>> = {
      'latitude 91': { latitude: '91' },
      'longitude 181': { longitude: '181' },
      'a latitude in words': { latitude: 'north' },
      'an empty latitude': { latitude: '' },
    };
    // An apostrophe ends a text in SQL. A number of twenty digits does not fit into 64 bits.
    const apostropheQuestion = { point: 'atms.value-bounds', question: 'a district code with an apostrophe' } as const;
    const districtReply = await bank.findAtms(districtQuery);
    const queryDistrict = (districtCode: string, options?: RequestOptions) => () =>
      probe(districtReply, { ...districtQuery, district_code: districtCode }, options);
    await mapAll(
      [
        ...omissions,
        ...omissions,
        queryDistrict(`${firstCodes.district_code}'`, { open: apostropheQuestion }),
        ...listIdEndings().map((ending) => queryDistrict(`${firstCodes.district_code}${ending}`)),
        queryDistrict('9'.repeat(20)),
        queryAtms(
          { ...positionQuery, ...districtQuery },
          { open: { point: 'atms.required-parameters', question: 'both forms' } },
        ),
        queryAtms({}, { open: { point: 'atms.required-parameters', question: 'no parameter' } }),
        ...Object.entries(valuesOutOfBounds).map(([question, changedValues]) =>
          queryAtms({ ...positionQuery, ...changedValues }, { open: { point: 'atms.value-bounds', question } }),
        ),
        ...['OPTIONS', 'HEAD'].map((method) =>
          queryAtms(positionQuery, {
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
