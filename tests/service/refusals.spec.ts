import { contrastRefusals, contrastSpellings, scenario, test } from '../../fixtures/runner/index.ts';

for (const area of ['loans', 'payment-links', 'atms'] as const) {
  test(
    `A request is taken in every spelling that means the same (${area})`,
    ...scenario(`spellings-${area}`, { area, exclusive: true }, (tools) => contrastSpellings(tools, area)),
  );
  test(
    `What is refused has a reason (${area})`,
    ...scenario(`refusals-${area}`, { area, exclusive: true }, (tools) => contrastRefusals(tools, area)),
  );
}
