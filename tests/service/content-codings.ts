/** Sends requests with Accept-Encoding: gzip and without it, and compares the answers. */
import {
  areas,
  listAccepted,
  MAX_RECORDED_BODY,
  MIN_CODING_ROUNDS,
  MIN_UNREADABLE_ANSWERS,
  operationIds,
  operations,
  type OperationId,
  type Reply,
  type Tools,
  type Values,
} from '../../fixtures/runner/index.ts';
import { compressedAnswersReadable } from '../../openapi/behaviours/service/availability.ts';
import { sameInEachCoding } from '../../openapi/behaviours/service/content-codings.ts';

type Area = (typeof areas)[number];

interface AnswerPair {
  readonly probe: Reply;
  readonly control: Reply;
}

/** Sends a request without gzip and with gzip, alternately, until `isEnough`. Returns no pairs if the bank refuses gzip. */
async function sendAlternately(
  { bank, probe }: Tools,
  operation: OperationId,
  values: Values,
  isEnough: (pairs: readonly AnswerPair[]) => boolean,
): Promise<readonly AnswerPair[]> {
  const pairs: AnswerPair[] = [];
  while (!isEnough(pairs)) {
    // One more request without gzip: if two machines take turns, each gets both kinds of requests.
    if (pairs.length === 1) await bank.ask(operation, values);
    const control = await bank.ask(operation, values);
    const reply = await probe(control, values, {
      mutate: (draft) => ({ ...draft, headers: { ...draft.headers, 'Accept-Encoding': 'gzip' } }),
    });
    if (reply === null || (reply.status ?? 0) >= 300) return [];
    pairs.push({ probe: reply, control });
  }
  return pairs;
}

/** True if both answers have the same bytes, after decoding. */
const haveSameBytes = ({ probe, control }: AnswerPair): boolean =>
  Buffer.compare(probe.exchange.answer?.bytes ?? Buffer.alloc(0), control.exchange.answer?.bytes ?? Buffer.alloc(0)) ===
  0;

/**
 * Returns the values of the request with the largest answer that has letters beyond ASCII and fits into an entry of the exchange
 * log.
 */
function findValuesOfLargestAnswer({ requests }: Tools['run']['session'], operation: OperationId): Values | undefined {
  const getLength = ({ lengthBeyondAscii = 0 }: (typeof requests)[number]): number =>
    lengthBeyondAscii > MAX_RECORDED_BODY ? 0 : lengthBeyondAscii;
  const [largestRequest] = listAccepted(requests, operation).toSorted((a, b) => getLength(b) - getLength(a));
  return largestRequest === undefined || getLength(largestRequest) === 0 ? undefined : largestRequest.values;
}

/** Compares answers of reading operations. At least one operation of payment links and of ATMs is compared. */
export async function compareContentCodings(tools: Tools, area: Area): Promise<void> {
  const { atms, run } = tools;
  const [position] = area === 'atms' ? [...(await atms.findKnownPositions()), ...atms.getStartPositions()] : [];
  const defaultOperation = { 'payment-links': 'listMerchants', atms: 'findAtms', loans: null } as const;
  const readingOperations = operationIds.filter(
    (id) => operations[id].area === area && operations[id].method === 'GET',
  );
  for (const operation of readingOperations) {
    const valuesOfLargest = findValuesOfLargestAnswer(run.session, operation);
    if (valuesOfLargest === undefined && operation !== defaultOperation[area]) continue;
    const pairs = await sendAlternately(tools, operation, valuesOfLargest ?? { ...position }, (pairsSoFar) => {
      const lastPair = pairsSoFar.at(-1);
      if (lastPair === undefined) return false;
      if (!lastPair.probe.accepted) return pairsSoFar.length >= MIN_UNREADABLE_ANSWERS;
      return haveSameBytes(lastPair) || pairsSoFar.length >= MIN_CODING_ROUNDS;
    });
    if (pairs.length === 0) continue;
    run.compare(compressedAnswersReadable, { answers: pairs });
    run.compare(sameInEachCoding, { answers: pairs });
  }
}
