import { areas, loadProbes, scenario, test } from '../../fixtures/runner/index.ts';

for (const area of areas.filter((id) => id !== 'atms'))
  test(
    `Values that were accepted at first and then refused, and other values (${area})`,
    ...scenario(`stays-accepted-${area}`, { area, stage: 'unsteadiness' }, (tools) =>
      loadProbes().askForLostValues(tools, area),
    ),
  );
