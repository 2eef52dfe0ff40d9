/** Repeats values that the bank accepted at first and refused later. */
import { areas, loadProbes, scenario, test } from '../../fixtures/runner/index.ts';

for (const area of areas.filter((id) => id !== 'atms'))
  test(
    `Requests with values that were accepted at first and refused later, and with other values (${area})`,
    ...scenario(`stays-accepted-${area}`, { area, stage: 'unsteadiness' }, (tools) =>
      loadProbes().askForLostValues(tools, area),
    ),
  );
