import { probeMissingFields, scenario, test, type Values } from '../../fixtures/runner/index.ts';

const area = 'atms';
const required = { point: 'atms.required-parameters', consistent: 'atms.required-parameters.consistent' } as const;

test(
  'How the ATM locator answers half a query, both forms and none',
  ...scenario('atm-query-variants', { area }, async ({ atms, bank, probe, check }) => {
    const [position, codes] = [
      (await atms.known())[0] ?? atms.starts()[0],
      (await atms.codes())[0] ?? atms.candidates()[0],
    ];
    if (position === undefined || codes === undefined) return;
    const near: Values = { ...position };
    const at: Values = { ...codes };
    const omitted = probeMissingFields({ probe, check, ...required });
    for (let time = 0; time < 2; time += 1) {
      await Promise.all([
        ...['latitude', 'longitude'].map(async (name) => omitted.try(await bank.findAtms(near), near, name)),
        ...['province_code', 'district_code'].map(async (name) => omitted.try(await bank.findAtms(at), at, name)),
      ]);
    }
    const ask = async (about: string, values: Values) =>
      probe(await bank.findAtms(near), values, { open: { point: 'atms.required-parameters', question: about } });
    await ask('both forms', { ...near, ...at });
    await ask('no parameter', {});
    for (const [about, change] of [
      ['latitude 91', { latitude: '91' }],
      ['longitude 181', { longitude: '181' }],
      ['a latitude in words', { latitude: 'north' }],
      ['an empty latitude', { latitude: '' }],
    ] as const)
      await probe(
        await bank.findAtms(near),
        { ...near, ...change },
        { open: { point: 'atms.value-bounds', question: about } },
      );
    await probe(await bank.findAtms(near), near, {
      mutate: (draft) => ({ ...draft, bearer: true }),
      open: { point: 'atms.authorization-minded', question: 'with an access token' },
    });
    for (const method of ['OPTIONS', 'HEAD'])
      await probe(await bank.findAtms(near), near, {
        mutate: (draft) => ({ ...draft, method }),
        open: { point: 'service.other-methods', question: method },
      });
  }),
);
