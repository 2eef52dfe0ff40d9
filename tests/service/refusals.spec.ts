import { contrastRefusals, scenario, test } from '../../fixtures/runner/index.ts';

for (const area of ['loans', 'payment-links', 'atms'] as const)
  test(
    `What is refused has a reason (${area})`,
    ...scenario(`refusals-${area}`, { area, exclusive: true }, (tools) => contrastRefusals(tools, area)),
  );
