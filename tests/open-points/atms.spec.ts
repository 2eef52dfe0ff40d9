import {
  mapAll,
  MAX_CONCURRENT_PROBES,
  probeMissingFields,
  scenario,
  test,
  type Asking,
  type RequestDraft,
  type Values,
} from '../../fixtures/runner/index.ts';
import { idEndings } from '../../fixtures/arbitraries/texts.ts';

const area = 'atms';

test(
  'ATM queries with a part of a query form, with both forms, and without parameters',
  ...scenario('atm-query-variants', { area, early: true }, async ({ atms, bank, probe, run }) => {
    // Looks for both at once, before scenarios with a lower rank do.
    const [known, found] = await Promise.all([atms.known(), atms.codes()]);
    const [position, codes] = [known[0] ?? atms.starts()[0], found[0] ?? atms.candidates()[0]];
    if (position === undefined || codes === undefined) return;
    const near: Values = { ...position };
    const at: Values = { ...codes };
    const bounds = [
      ['latitude 91', { latitude: '91' }],
      ['longitude 181', { longitude: '181' }],
      ['a latitude in words', { latitude: 'north' }],
      ['an empty latitude', { latitude: '' }],
    ] as const;
    const probes: readonly (readonly [values: Values, asking: Asking])[] = [
      [{ ...near, ...at }, { open: { point: 'atms.required-parameters', question: 'both forms' } }],
      [{}, { open: { point: 'atms.required-parameters', question: 'no parameter' } }],
      ...bounds.map(
        ([question, change]) => [{ ...near, ...change }, { open: { point: 'atms.value-bounds', question } }] as const,
      ),
      ...['OPTIONS', 'HEAD'].map(
        (method) =>
          [
            near,
            {
              mutate: (draft: RequestDraft) => ({ ...draft, method }),
              open: { point: 'service.other-methods', question: method },
            },
          ] as const,
      ),
    ];
    // An apostrophe ends a text in SQL, and a number with twenty digits has more than 64 bits.
    const quoted = { ...at, district_code: `${codes.district_code}'` };
    const open = { point: 'atms.value-bounds', question: 'a district code with an apostrophe' } as const;
    const control = await bank.findAtms(at);
    const odd = [...idEndings.map((ending) => `${codes.district_code}${ending}`), '9'.repeat(20)];
    const omitted = probeMissingFields({ probe, run, area });
    const omissions = [
      ...['latitude', 'longitude'].map((name) => [near, name] as const),
      ...['province_code', 'district_code'].map((name) => [at, name] as const),
    ];
    const variants = [
      ...[...omissions, ...omissions].map(
        ([values, name]) =>
          async () =>
            omitted.try(await bank.findAtms(values), values, name),
      ),
      () => probe(control, quoted, { open }),
      ...odd.map((district_code) => () => probe(control, { ...at, district_code })),
      ...probes.map(
        ([values, asking]) =>
          async () =>
            probe(await bank.findAtms(near), values, asking),
      ),
    ];
    await mapAll(variants, MAX_CONCURRENT_PROBES, (ask) => ask());
  }),
);
