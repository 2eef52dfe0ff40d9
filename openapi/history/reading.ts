/** Reads what one entry of the exchange log proves without other entries. */
import { judge } from '../judge.ts';
import { readAnswer, toObservedAnswer } from './answers.ts';
import { readProbe, readRecords } from './records.ts';
import type { Exchange } from '../model/exchange.ts';
import { getFindingKey, type Violation } from '../model/finding.ts';
import type { ExchangeRecord, Reading, Judgement } from '../model/journal.ts';
import { isThrottled } from '../model/outcome.ts';
import { observeExchange } from '../observe.ts';
import { groupBy } from '../util/group-by.ts';
import { hashValue } from '../util/hash.ts';

/** An entry of the exchange log, before its digest is added. */
export type UnsealedEntry = Omit<ExchangeRecord, 'sha256'>;

export const sealEntry = (entry: UnsealedEntry): ExchangeRecord => ({ ...entry, sha256: hashValue(entry) });

/** Returns the exchange of an entry, as far as the entry shows it. */
export function toExchange(entry: UnsealedEntry): Exchange {
  const { id, operation, kind, request, response, failure, timing, ticks, seed } = entry;
  const isAnswered = response !== null && failure === null;
  return {
    id,
    operation,
    kind,
    request,
    answer: isAnswered
      ? {
          status: response.status,
          headers: response.headers,
          bytes: Buffer.from(response.body, response.encoding === 'base64' ? 'base64' : 'utf8'),
        }
      : null,
    failure,
    startedAt: Date.parse(timing.startedAt),
    durationMs: timing.durationMs,
    ...(ticks === undefined ? {} : { ticks }),
    ...(seed === undefined ? {} : { seed }),
  };
}

export const REFLECTION_CLAUSE = 'service.credentials-not-reflected';

/** Returns the violations of an answer that repeats a credential of its request. */
export const findReflections = ({ id, operation, reflected = [] }: UnsealedEntry): readonly Violation[] =>
  reflected.map((pointer) => ({
    clause: REFLECTION_CLAUSE,
    operation,
    pointer,
    kind: 'behaviour',
    expected: 'an answer without the credentials of its request',
    received: 'a credential, masked in the evidence',
    exchange: id,
  }));

/** Reads what one exchange shows, without what follows from the reason for which it was sent. */
export function readExchange(exchange: Exchange, judgement: Judgement, attempts: ExchangeRecord['attempts']): Reading {
  const { value, ...judgementWithoutValue } = judgement;
  const facts = readRecords(exchange, judgementWithoutValue.outcome, value);
  return { ...judgementWithoutValue, facts, seen: observeExchange(exchange, judgement, attempts) };
}

/** Reads an exchange again from its entry. Takes from the run what the entry hides or cuts. */
export function rereadEntry(entry: UnsealedEntry): Reading {
  const exchange = toExchange(entry);
  return { ...readExchange(exchange, judge(exchange), entry.attempts), ...entry.takenFromRun };
}

/** Returns what an invalid request shows about its open point. A throttled one shows nothing. */
function readOpenAnswer({ open, control }: UnsealedEntry, exchange: Exchange, { outcome }: Reading): Reading['seen'] {
  if (open === undefined || isThrottled(exchange.answer)) return [];
  return [
    { ...open, answer: toObservedAnswer(readAnswer(exchange, outcome)), ...(control === undefined ? {} : { control }) },
  ];
}

/** Returns what an entry proves: the reading of its exchange, and what follows from how it was sent. */
export function readEntry(entry: UnsealedEntry, reading: Reading = rereadEntry(entry)): Reading {
  const exchange = toExchange(entry);
  const { breaks, facts } = entry.provesNothing === true ? { breaks: [], facts: [] } : reading;
  return {
    ...reading,
    breaks: [...breaks, ...findReflections(entry)],
    facts: [...facts, ...readProbe(entry, exchange, reading.outcome)],
    seen: [...reading.seen, ...readOpenAnswer(entry, exchange, reading)],
  };
}

/** True if the entry hides and cuts nothing: everything that is read in `exchange` can be read from the entry. */
export function showsAll(entry: UnsealedEntry, { request, answer }: Exchange): boolean {
  const { request: shownRequest, answer: shownAnswer } = toExchange(entry);
  const showsInputs = Object.entries(request.asked).every(([name, value]) => shownRequest.asked[name] === value);
  if (entry.truncated || shownRequest.body !== request.body || !showsInputs) return false;
  if (answer === null || shownAnswer === null) return answer === shownAnswer;
  const showsBody = Buffer.compare(shownAnswer.bytes, answer.bytes) === 0;
  return showsBody && String(shownAnswer.headers) === String(answer.headers);
}

/** Returns violations with texts that quote the entry. `hide` masks a text that cannot be made from the entry. */
export function quoteEntry(
  breaks: readonly Violation[],
  entry: UnsealedEntry,
  hide: (text: string, exchange: string) => string,
): readonly Violation[] {
  if (breaks.length === 0) return [];
  // Both judgements have the violations of a finding in the same order, one for each form of the received value.
  const violationsOfEntry = groupBy(judge(toExchange(entry)).breaks, getFindingKey);
  return [...groupBy(breaks, getFindingKey)].flatMap(([key, forms]) =>
    forms.map((violation, index) => {
      const violationOfEntry = violationsOfEntry.get(key)?.[index];
      const { expected, received } = violationOfEntry ?? {
        expected: hide(violation.expected, violation.exchange),
        received: hide(violation.received, violation.exchange),
      };
      return { ...violation, expected, received };
    }),
  );
}

/** Returns the clauses and pointers that the run judged with data that this entry does not have. */
export function listRunViolations(
  entry: UnsealedEntry,
): readonly { readonly clause: string; readonly pointer: string }[] {
  if (entry.takenFromRun === undefined) return [];
  const { takenFromRun, ...shownEntry } = entry;
  const readingOfEntry = rereadEntry(shownEntry);
  const [judgedFromEntry, judgedByRun] = [readingOfEntry, { ...readingOfEntry, ...takenFromRun }].map(
    ({ outcome, exercised, breaks }) =>
      new Map([
        [`outcome ${outcome}`, { clause: 'outcome', pointer: '' }],
        ...exercised.map((clause) => [clause, { clause, pointer: '' }] as const),
        ...breaks.map(
          (violation) => [getFindingKey(violation), { clause: violation.clause, pointer: violation.pointer }] as const,
        ),
      ]),
  ) as [Map<string, { clause: string; pointer: string }>, Map<string, { clause: string; pointer: string }>];
  return [...new Map([...judgedFromEntry, ...judgedByRun])].flatMap(([key, place]) =>
    judgedFromEntry.has(key) === judgedByRun.has(key) ? [] : [place],
  );
}
