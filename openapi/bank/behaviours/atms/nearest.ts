/** Judges that a query with a position returns the nearest ATM. Needs a strict proof, because the document itself states this rule. */
import { defineLevels } from '../../../clauses/clause.ts';
import { positionRuleSource } from '../../clauses/atms.ts';
import type { SeenAtm } from '../../records/kinds.ts';
import { measureKm } from '../../../util/geo.ts';
import { max, min } from '../../../util/min-max.ts';
import { countTurns } from '../../../behaviours/agreement.ts';
import { broken, kept, notTested, ofRun, type Verdict } from '../../../behaviours/behaviour.ts';
import { areAtOnePlace, ELLIPSOID_TOLERANCE, isByPosition, type AtmAnswer, type PositionAnswer } from './positions.ts';
import { getAtmNumber, listKnownAtms, type KnownAtm } from './closest.ts';
import { fitStraightLines, readDistances } from './distances.ts';

/** At least this many milliseconds must pass between two queries, because a cache may answer the second one. */
const MIN_MS_BETWEEN_QUERIES = 2000;
/** The queries at both positions must alternate this many times: A-B-A-B. */
const MIN_POSITION_ALTERNATIONS = 4;

const hasAtm = ({ atms }: AtmAnswer, atmNumber: string): boolean => atms.some((atm) => getAtmNumber(atm) === atmNumber);

/** True if two ATMs share a name, an address or a place: a bank may show one machine for each site. */
const shareSite = (atm: SeenAtm, otherAtm: SeenAtm): boolean =>
  areAtOnePlace(atm, otherAtm) ||
  (['atm_name', 'atm_address'] as const).some(
    (field) => atm.texts[field] !== null && atm.texts[field] === otherAtm.texts[field],
  );

const isNearerThan = (nearestKm: number, { asked }: PositionAnswer, { positions, slackKm }: KnownAtm): boolean =>
  positions.every((atm) => measureKm(asked, atm) * (1 + ELLIPSOID_TOLERANCE) + slackKm < nearestKm);

/**
 * Returns the answer at the position of a missing ATM, if the missing ATM and a returned ATM replace each other. Example: queries at
 * position 1 always return ATM A and never ATM B, although B is nearer. Queries at the position of B always return B and never A. If
 * the bank preferred one of the two ATMs, it would return this ATM at both positions.
 */
function findProofAtMissingAtm(
  missingAtm: KnownAtm,
  answer: PositionAnswer,
  allAnswers: readonly PositionAnswer[],
  farthestKm: number,
): PositionAnswer | undefined {
  const [missingPosition] = missingAtm.positions;
  const isAt = (position: PositionAnswer['asked'], candidateAnswer: PositionAnswer): boolean =>
    candidateAnswer.asked.latitude === position.latitude && candidateAnswer.asked.longitude === position.longitude;
  const answersAtSamePosition = allAnswers.filter((candidate) => isAt(answer.asked, candidate));
  const answersAtMissingAtm = allAnswers.filter(
    (candidate) => missingPosition !== undefined && isAt(missingPosition, candidate),
  );
  if (missingAtm.positions.length !== 1 || missingPosition === undefined) return undefined;
  const turnCount = countTurns(answersAtSamePosition, answersAtMissingAtm, MIN_MS_BETWEEN_QUERIES);
  if (turnCount < MIN_POSITION_ALTERNATIONS) return undefined;
  const isReturnedHere = answersAtSamePosition.some((candidate) => hasAtm(candidate, missingAtm.atmNumber));
  if (isReturnedHere || !answersAtMissingAtm.every((candidate) => hasAtm(candidate, missingAtm.atmNumber)))
    return undefined;
  const replacesMissingAtm = (atm: SeenAtm): boolean =>
    answersAtSamePosition.every((candidate) => hasAtm(candidate, getAtmNumber(atm))) &&
    !answersAtMissingAtm.some((candidate) => hasAtm(candidate, getAtmNumber(atm))) &&
    measureKm(missingPosition, atm) < farthestKm;
  const isAtReturnedSite = answer.atms.some((atm) => shareSite(atm, missingPosition));
  return answer.atms.some(replacesMissingAtm) && !isAtReturnedSite ? answersAtMissingAtm[0] : undefined;
}

const UNPROVEN_VERDICT = notTested('an answer left out the nearest ATM, but the run could not prove a fault');

export const nearestAtm = ofRun({
  id: 'atms.closest.nearest',
  clause: defineLevels('atms').mustIfShown(
    positionRuleSource,
    'A query with a position returns the nearest ATM, if a query at the position of this ATM returns it too.',
  ),
  operation: 'findAtms',
  control: 'The run knows an ATM that the answer leaves out.',
  judge(run) {
    const runDistances = readDistances(run);
    const straightLineFit = runDistances === null ? null : fitStraightLines(runDistances.distances);
    if (straightLineFit === null) return [notTested('the distances are not all straight lines in one unit')];
    const answers = run.atmAnswers.filter(isByPosition).filter(({ drawnFrom }) => drawnFrom === undefined);
    const knownAtms = listKnownAtms(run.atmAnswers, straightLineFit.stepKm);
    const farthestKm = max(answers.flatMap(({ asked, atms }) => atms.map((atm) => measureKm(asked, atm))));
    const verdicts = answers.flatMap((answer): readonly Verdict[] => {
      const returnedNumbers = new Set(answer.atms.map(getAtmNumber));
      const missingAtms = knownAtms.filter(({ atmNumber }) => !returnedNumbers.has(atmNumber));
      if (answer.atms.length === 0 || missingAtms.length === 0) return [];
      const nearestKm = min(answer.atms.map((atm) => measureKm(answer.asked, atm)));
      const nearerAtms = missingAtms.filter((atm) => isNearerThan(nearestKm, answer, atm));
      if (nearerAtms.length === 0) return [kept(answer)];
      for (const nearerAtm of nearerAtms) {
        const contrast = findProofAtMissingAtm(nearerAtm, answer, answers, farthestKm);
        if (contrast === undefined) continue;
        const expected = `the ATM ${nearerAtm.shownNumber}, which is nearer than every ATM in the answer`;
        const received = 'the other ATMs, while a query with the position of this ATM returns it each time';
        return [broken(answer, { contrast, pointer: '/data', expected, received })];
      }
      return [UNPROVEN_VERDICT];
    });
    if (verdicts.length === 0) return [notTested('no answer left out an ATM that the run knows')];
    const isDoubtful = verdicts.includes(UNPROVEN_VERDICT);
    return isDoubtful ? verdicts.filter(({ is }) => is !== 'kept') : verdicts;
  },
});
