import { missOutcomes, scenario, test } from '../../fixtures/runner/index.ts';

test(
  'A disbursement that was taken on has an outcome, whichever values it has',
  ...scenario('outcomes-reached', { area: 'loans', exclusive: true }, (tools) => missOutcomes(tools)),
);
