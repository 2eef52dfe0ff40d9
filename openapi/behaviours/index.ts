/** All behaviours. Their ids are a part of `ClauseId`. */
import type { Clause } from '../clauses/clause.ts';
import type { BehaviourId } from '../clauses/index.ts';
import type { ComparedBehaviour } from './behaviour.ts';
import { closestAtms } from './atms/closest.ts';
import * as codes from './atms/codes.ts';
import { coordinatesNotSwapped, distancesConsistent } from './atms/distances.ts';
import { nearestAtm } from './atms/nearest.ts';
import { atmAtOnePlace, atmNumberSameText } from './atms/same-atm.ts';
import * as disbursements from './loans/disbursements.ts';
import * as limits from './loans/limit-ledger.ts';
import * as outcomeHistory from './loans/outcome-history.ts';
import * as steps from './loans/steps.ts';
import { branchNamesOwn } from './payment-links/branch-names.ts';
import { foreignBranchRefused } from './payment-links/foreign-branch.ts';
import { lifetimeConsistent } from './payment-links/lifetime.ts';
import { branchesOwn } from './payment-links/own-branches.ts';
import * as refusedLinks from './payment-links/refused.ts';
import * as unique from './payment-links/unique.ts';
import { unknownMerchantLists } from './payment-links/unknown-merchant-lists.ts';
import { isolatedByArea } from './races/isolation.ts';
import * as once from './races/once.ts';
import { noServerError, requestsAnswered } from './service/answers.ts';
import { compressedReadable, serviceAnswers, serviceStopped } from './service/availability.ts';
import { credentialsRefused } from './service/credentials.ts';
import { atmListsRepeat, linkListsRepeat } from './service/lists.ts';
import { statusConsistent } from './service/statuses.ts';

export {
  compressedReadable,
  credentialsRefused,
  disbursements,
  foreignBranchRefused,
  isolatedByArea,
  limits,
  once,
  refusedLinks,
  serviceStopped,
  steps,
  unknownMerchantLists,
};

const { contractOnce, disbursementOnce, disbursementEffectOnce, applicationOnce, sameApplication, linkOnce, sameLink } =
  once;

export const comparedBehaviours = [
  ...Object.values(disbursements),
  ...Object.values(limits),
  ...Object.values(steps),
  outcomeHistory.lateFailure,
  ...Object.values(refusedLinks),
  ...Object.values(unknownMerchantLists),
  foreignBranchRefused,
  ...[contractOnce, disbursementOnce, disbursementEffectOnce, applicationOnce, sameApplication, linkOnce, sameLink],
  ...Object.values(isolatedByArea),
  ...[compressedReadable, serviceStopped],
  ...Object.values(credentialsRefused.loans),
  ...Object.values(credentialsRefused['payment-links']),
  ...Object.values(credentialsRefused.atms),
];
const { applicationIdDistinct, textAndErrors, errorsStay, foundAgain, finalOutcome } = outcomeHistory;

export const runBehaviours = [
  ...[applicationIdDistinct, textAndErrors, errorsStay, foundAgain, finalOutcome],
  ...Object.values(unique),
  lifetimeConsistent,
  branchNamesOwn,
  branchesOwn,
  atmNumberSameText,
  atmAtOnePlace,
  ...Object.values(codes),
  coordinatesNotSwapped,
  distancesConsistent,
  closestAtms,
  nearestAtm,
  ...[serviceAnswers, requestsAnswered, noServerError, statusConsistent, linkListsRepeat, atmListsRepeat],
];

/** Any behaviour with the evidence of this one. */
export type LikeBehaviour<B extends ComparedBehaviour> = ComparedBehaviour<BehaviourId, B['evidence']>;

type Listed = (typeof comparedBehaviours | typeof runBehaviours)[number]['id'];
// Does not compile if a behaviour is not listed here.
export const behaviourClauses: Readonly<Record<BehaviourId, Clause>> = Object.fromEntries(
  [...comparedBehaviours, ...runBehaviours].map(({ id, clause }) => [id, clause]),
) as Readonly<Record<Listed, Clause>>;
