/** The conditions under which the figures of a proof hold. */
import { incidents } from '../../../fixtures/banks/incidents/index.ts';
import { mutants } from '../../../fixtures/banks/mutants/index.ts';
import { variants } from '../../../fixtures/banks/variants/index.ts';
import { readTarget } from '../../../fixtures/config/target.ts';
import { describeRun, digestFolder } from '../../../fixtures/runner/run-identity.ts';
import type { Outcomes, Proof } from '../../../reports/proof/proof.ts';

/** Returns the conditions of the examination: a foreign target with default settings. */
export function measureConditions(): Omit<Proof, keyof Outcomes> {
  const { runs } = readTarget(
    { BASE_URL: 'http://127.0.0.1', CLIENT_ID: 'none', CLIENT_SECRET: 'none', ACCESS_TOKEN: 'none' },
    null,
  );
  const { version } = describeRun().conformance.suite;
  return {
    suite: { version },
    population: { mutants: mutants.length, variants: variants.length, incidents: incidents.length },
    measure: { digest: digestFolder(), runs },
  };
}
