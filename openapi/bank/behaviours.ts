/** Lists all behaviours. */
import type { Clause } from '../clauses/clause.ts';
import type { BehaviourId, ClauseId } from '../clauses/index.ts';
import type { ComparedBehaviour } from '../behaviours/behaviour.ts';
import { closestAtms } from './behaviours/atms/closest.ts';
import { districtComplete } from './behaviours/atms/complete-lists.ts';
import * as codes from './behaviours/atms/codes.ts';
import { coordinatesNotSwapped, distancesConsistent } from './behaviours/atms/distances.ts';
import { nearestAtm } from './behaviours/atms/nearest.ts';
import { atmAtOnePlace, atmNumberSameText } from './behaviours/atms/same-atm.ts';
import { askingCostsNothing } from './behaviours/loans/asking.ts';
import * as belonging from './behaviours/loans/belonging.ts';
import * as disbursements from './behaviours/loans/disbursements.ts';
import * as limits from './behaviours/loans/limit-ledger.ts';
import { anyDigits } from './behaviours/loans/refused-ids.ts';
import * as parallel from './behaviours/loans/parallel-disbursements.ts';
import * as outcomeHistory from './behaviours/loans/outcome-history.ts';
import * as reached from './behaviours/loans/reached.ts';
import * as steps from './behaviours/loans/steps.ts';
import { outcomeNotStuck } from './behaviours/loans/stuck.ts';
import { paymentNotTakenBack } from './behaviours/loans/taken-back.ts';
import { branchesComplete } from './behaviours/payment-links/complete-branches.ts';
import { branchListsDiffer, branchNamesNotExchanged } from './behaviours/payment-links/branches.ts';
import {
  foreignBranchRefused,
  otherListRefused,
  unknownMerchantLists,
} from './behaviours/payment-links/foreign-entities.ts';
import { lifetimeConsistent } from './behaviours/payment-links/lifetime.ts';
import * as unique from './behaviours/payment-links/unique.ts';
import { isolatedOffers } from './behaviours/races/isolated-offers.ts';
import { isolatedByArea } from './behaviours/races/isolation.ts';
import * as once from './behaviours/races/once.ts';
import * as availability from '../behaviours/service/availability.ts';
import { sameInEachCoding } from '../behaviours/service/content-codings.ts';
import { credentialsRefused } from './behaviours/service/credentials.ts';
import { atmListsRepeat, linkListsRepeat } from './behaviours/service/lists.ts';
import { missingFields } from './behaviours/service/missing-fields.ts';
import { missingOperations } from '../behaviours/service/missing-operations.ts';
import { ownCredentials } from '../behaviours/service/own-credentials.ts';
import { identifiersPadded } from './behaviours/service/padding.ts';
import * as probes from '../behaviours/service/probes.ts';
import { refusedLinks, refusedLoans } from './behaviours/service/refused.ts';
import { staysAccepted } from '../behaviours/service/stays-accepted.ts';
import { statusConsistent } from '../behaviours/service/statuses.ts';

const { compressedAnswersReadable, serviceStopped } = availability;

export {
  belonging,
  compressedAnswersReadable,
  anyDigits,
  askingCostsNothing,
  credentialsRefused,
  disbursements,
  foreignBranchRefused,
  isolatedByArea,
  isolatedOffers,
  limits,
  missingFields,
  once,
  parallel,
  otherListRefused,
  ownCredentials,
  probes,
  refusedLinks,
  refusedLoans,
  sameInEachCoding,
  serviceStopped,
  steps,
  unknownMerchantLists,
};

export const comparedBehaviours = [
  ...Object.values(disbursements),
  ...[limits.limitLedger, limits.failureCostsNothing, limits.repeatCostsNothing],
  ...[askingCostsNothing, parallel.parallelSum, parallel.parallelWithinLimit],
  ...Object.values(steps),
  ...[belonging.sameIdAfterRepeat, anyDigits.approveContract, anyDigits.disburse],
  ...[reached.outcomeReached, reached.outcomeForEachValue, reached.queryForEachValue],
  ...[
    reached.outcomeWhenAskedEarly,
    reached.outcomeWithoutNext,
    reached.disbursementsNotBlocked,
    reached.outcomeNotLost,
  ],
  ...[reached.independentOfFailure, reached.failureExplained, outcomeNotStuck],
  ...Object.values(refusedLoans),
  ...Object.values(refusedLinks),
  ...Object.values(unknownMerchantLists),
  ...[foreignBranchRefused, otherListRefused],
  ...[once.contractOnce, once.disbursementOnce, once.disbursementEffectOnce],
  ...[once.applicationOnce, once.sameApplication, once.linkOnce, once.sameLink],
  ...Object.values(isolatedByArea),
  isolatedOffers,
  ...[compressedAnswersReadable, sameInEachCoding, serviceStopped, probes.repeatedWithoutCrash],
  ...Object.values(missingFields),
  ...Object.values(missingOperations),
  ...Object.values(credentialsRefused.loans),
  ...Object.values(credentialsRefused['payment-links']),
  ...Object.values(credentialsRefused.atms),
  ownCredentials,
];

const { applicationIdDistinct, textAndErrors, errorsStay, foundAgain, finalOutcome } = outcomeHistory;
const {
  contractOfRequestedApplication,
  disbursementOfRequestedApplication,
  outcomeOfRequestedApplication,
  errorsBesideData,
  outcomeRefusedByStatus,
} = belonging;

export const runBehaviours = [
  ...[
    contractOfRequestedApplication,
    disbursementOfRequestedApplication,
    outcomeOfRequestedApplication,
    errorsBesideData,
    outcomeRefusedByStatus,
  ],
  ...[belonging.disbursementFound, belonging.sameReference, belonging.ratesStay],
  // A payment that is taken back is the first finding, and errors that do not stay follow from it.
  ...[applicationIdDistinct, textAndErrors, paymentNotTakenBack, errorsStay, foundAgain, finalOutcome],
  ...Object.values(unique),
  lifetimeConsistent,
  branchNamesNotExchanged,
  branchListsDiffer,
  branchesComplete,
  atmNumberSameText,
  atmAtOnePlace,
  ...Object.values(codes),
  coordinatesNotSwapped,
  distancesConsistent,
  closestAtms,
  nearestAtm,
  districtComplete,
  ...[probes.probesWithoutServerError, probes.probesRefusedByStatus, probes.probesWithoutInternals],
  ...[availability.serviceAnswers, availability.requestsAnswered, availability.noServerError],
  ...[identifiersPadded, staysAccepted, statusConsistent, linkListsRepeat, atmListsRepeat],
];

/** Any behaviour with the evidence of this one. */
export type LikeBehaviour<B extends ComparedBehaviour> = ComparedBehaviour<ClauseId, B['evidence']>;

type ListedId = (typeof comparedBehaviours | typeof runBehaviours)[number]['id'];
// Does not compile if a behaviour is not listed here.
export const behaviourClauses: Readonly<Record<BehaviourId, Clause>> = Object.fromEntries(
  [...comparedBehaviours, ...runBehaviours].flatMap(({ id, clause }) => (clause === undefined ? [] : [[id, clause]])),
) as Readonly<Record<ListedId, Clause>>;
