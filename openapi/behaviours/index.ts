/** Lists all behaviours. */
import type { Clause } from '../clauses/clause.ts';
import type { BehaviourId, ClauseId } from '../clauses/index.ts';
import type { ComparedBehaviour } from './behaviour.ts';
import { closestAtms } from './atms/closest.ts';
import { districtComplete } from './atms/complete-lists.ts';
import * as codes from './atms/codes.ts';
import { coordinatesNotSwapped, distancesConsistent } from './atms/distances.ts';
import { nearestAtm } from './atms/nearest.ts';
import { atmAtOnePlace, atmNumberSameText } from './atms/same-atm.ts';
import { askingCostsNothing } from './loans/asking.ts';
import * as belonging from './loans/belonging.ts';
import * as disbursements from './loans/disbursements.ts';
import * as limits from './loans/limit-ledger.ts';
import { anyDigits } from './loans/refused-ids.ts';
import * as parallel from './loans/parallel-disbursements.ts';
import * as outcomeHistory from './loans/outcome-history.ts';
import * as reached from './loans/reached.ts';
import * as steps from './loans/steps.ts';
import { outcomeNotStuck } from './loans/stuck.ts';
import { paymentNotTakenBack } from './loans/taken-back.ts';
import { branchesComplete } from './payment-links/complete-branches.ts';
import { branchListsDiffer, branchNamesNotExchanged } from './payment-links/branches.ts';
import { foreignBranchRefused, otherListRefused, unknownMerchantLists } from './payment-links/foreign-entities.ts';
import { lifetimeConsistent } from './payment-links/lifetime.ts';
import * as unique from './payment-links/unique.ts';
import { isolatedOffers } from './races/isolated-offers.ts';
import { isolatedByArea } from './races/isolation.ts';
import * as once from './races/once.ts';
import * as availability from './service/availability.ts';
import { sameInEachCoding } from './service/content-codings.ts';
import { credentialsRefused } from './service/credentials.ts';
import { atmListsRepeat, linkListsRepeat } from './service/lists.ts';
import { missingFields } from './service/missing-fields.ts';
import { missingOperations } from './service/missing-operations.ts';
import { ownCredentials } from './service/own-credentials.ts';
import { identifiersPadded } from './service/padding.ts';
import * as probes from './service/probes.ts';
import { refusedLinks, refusedLoans } from './service/refused.ts';
import { staysAccepted } from './service/stays-accepted.ts';
import { statusConsistent } from './service/statuses.ts';

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
