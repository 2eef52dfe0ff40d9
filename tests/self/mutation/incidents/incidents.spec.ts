/** How the proof counts incidents. The matrix proves that each incident is noticed. */
import { expect, test } from '@playwright/test';
import { incidents, type Incident } from '../../../../fixtures/banks/incidents/index.ts';
import { EMPTY_DRAW } from '../../../../reports/proof/drawn.ts';
import { makeProof } from '../../../../reports/proof/matrix.ts';
import { writeProofPage } from '../../../../reports/proof/page.ts';
import { renderProof } from '../../../../reports/proof/terminal.ts';
import type { Report } from '../../../../reports/model/report.ts';
import { measureConditions } from '../measured.ts';
import { decideIncidentOutcome, reportOfFault } from '../outcomes.ts';

test('Incidents are counted apart from mutants, and the page names the incidents that were not noticed', () => {
  const said = {
    findings: [],
    verdict: 'conformant',
    reasons: ['Nothing was asked.'],
    errors: [],
  } as unknown as Report;
  const [one, two, three] = incidents.filter(({ visible }) => visible === 'run') as [Incident, Incident, Incident];
  const outcomes = [
    decideIncidentOutcome(one, said),
    decideIncidentOutcome(two, { ...said, verdict: 'inconclusive' }),
    decideIncidentOutcome(three, { ...said, verdict: 'non-conformant' }),
    ...incidents
      .filter(({ visible }) => visible === 'soak')
      .map((late) => decideIncidentOutcome(late, reportOfFault('no clock'))),
  ];
  expect(outcomes.map(({ outcome }) => outcome).slice(0, 4)).toEqual(['silent', 'inconclusive', 'failed', 'broken']);
  const proof = makeProof(
    { mutants: [], banks: [], incidents: outcomes, drawn: EMPTY_DRAW, from: 0, to: 1 },
    measureConditions(),
  );
  expect(renderProof(proof)).toContain('incidents: 1 failed, 0 warned, 1 silent, 1 inconclusive without a finding');
  expect(renderProof(proof)).toMatch(/incidents over time: 0 failed, 0 warned, 0 silent, \d+ broke the suite/);
  const page = writeProofPage(proof, []);
  for (const { name } of [one, two]) expect(page).toContain(`not caught: \`${name}\``);
  expect(page).not.toContain(`not caught: \`${three.name}\``);
});
