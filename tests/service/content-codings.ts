/** Repeats requests with Accept-Encoding: gzip and without it. */
import {
  areas,
  compressedAnswersReadable,
  listAccepted,
  MAX_RECORDED_BODY,
  MIN_CODING_ROUNDS,
  MIN_UNREADABLE_ANSWERS,
  operationIds,
  operations,
  sameInEachCoding,
  type OperationId,
  type Reply,
  type Tools,
  type Values,
} from '../../fixtures/runner/index.ts';

type Area = (typeof areas)[number];

interface Answers {
  readonly probe: Reply;
  readonly control: Reply;
}

/** Sends a request without gzip and with it, in turn, until `isEnough`. Empty if the bank refuses the request with gzip. */
async function askInTurn(
  { bank, probe }: Tools,
  operation: OperationId,
  values: Values,
  isEnough: (answers: readonly Answers[]) => boolean,
): Promise<readonly Answers[]> {
  const answers: Answers[] = [];
  while (!isEnough(answers)) {
    // Machines that take turns would otherwise get one kind of request each.
    if (answers.length === 1) await bank.ask(operation, values);
    const control = await bank.ask(operation, values);
    const reply = await probe(control, values, {
      mutate: (draft) => ({ ...draft, headers: { ...draft.headers, 'Accept-Encoding': 'gzip' } }),
    });
    if (reply === null || (reply.status ?? 0) >= 300) return [];
    answers.push({ probe: reply, control });
  }
  return answers;
}

/** True if both answers have the same bytes, after decoding. */
const areSame = ({ probe, control }: Answers): boolean =>
  Buffer.compare(probe.exchange.answer?.bytes ?? Buffer.alloc(0), control.exchange.answer?.bytes ?? Buffer.alloc(0)) ===
  0;

/** Returns the values of the request whose answer was the largest with letters beyond ASCII. The entry has all of such an answer. */
function findLargest({ requests }: Tools['run']['session'], operation: OperationId): Values | undefined {
  const lengthOf = ({ lengthBeyondAscii = 0 }: (typeof requests)[number]): number =>
    lengthBeyondAscii > MAX_RECORDED_BODY ? 0 : lengthBeyondAscii;
  const [largest] = listAccepted(requests, operation).toSorted((a, b) => lengthOf(b) - lengthOf(a));
  return largest === undefined || lengthOf(largest) === 0 ? undefined : largest.values;
}

/** Compares the answers of each reading operation of an area that has letters beyond ASCII, and one answer in any case. */
export async function compareContentCodings(tools: Tools, area: Area): Promise<void> {
  const { atms, run } = tools;
  const [position] = area === 'atms' ? [...(await atms.known()), ...atms.starts()] : [];
  const always = { 'payment-links': 'listMerchants', atms: 'findAtms', loans: null } as const;
  const reading = operationIds.filter((id) => operations[id].area === area && operations[id].method === 'GET');
  for (const operation of reading) {
    const largest = findLargest(run.session, operation);
    if (largest === undefined && operation !== always[area]) continue;
    const answers = await askInTurn(tools, operation, largest ?? { ...position }, (seen) => {
      const last = seen.at(-1);
      if (last === undefined) return false;
      if (!last.probe.accepted) return seen.length >= MIN_UNREADABLE_ANSWERS;
      return areSame(last) || seen.length >= MIN_CODING_ROUNDS;
    });
    if (answers.length === 0) continue;
    run.compare(compressedAnswersReadable, { answers });
    run.compare(sameInEachCoding, { answers });
  }
}
