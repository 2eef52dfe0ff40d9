import { lookAtAll, test } from '../fixtures/test.ts';

// In any area: it asks again what the other stories found, whichever area that was in.
for (const area of ['loans', 'payment-links', 'atms'] as const)
  test(`What was found is looked at once more (${area})`, { area, alone: true }, (tools) => lookAtAll(tools, area));
