/** Reads what one history entry proves without other entries. */
import { judge } from '../judge.ts';
import { readAnswer, toObservedAnswer } from './answers.ts';
import { readProbe, readRecords } from './records.ts';
import type { Judgement } from '../judgement.ts';
import type { Exchange } from '../model/exchange.ts';
import { getFindingKey, type Violation } from '../model/finding.ts';
import type { ExchangeRecord, Reading } from '../model/journal.ts';
import { isThrottled } from '../model/outcome.ts';
import { observeExchange } from '../observer/index.ts';
import { groupBy } from '../util/group-by.ts';
import { hashValue } from '../util/hash.ts';

export type Unsealed = Omit<ExchangeRecord, 'sha256'>;

export const sealEntry = (entry: Unsealed): ExchangeRecord => ({ ...entry, sha256: hashValue(entry) });

export function toExchange(entry: Unsealed): Exchange {
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

/** Makes the violations of an answer that repeats a credential of its request. */
export const findReflections = ({ id, operation, reflected = [] }: Unsealed): readonly Violation[] =>
  reflected.map((pointer) => ({
    clause: REFLECTION_CLAUSE,
    operation,
    pointer,
    kind: 'behaviour',
    expected: 'an answer without the credentials of its request',
    received: 'a credential, masked in the evidence',
    exchange: id,
  }));

/** Reads what one exchange shows, whatever it was sent for. */
export function readExchange(exchange: Exchange, judgement: Judgement, attempts: ExchangeRecord['attempts']): Reading {
  const { value, ...judged } = judgement;
  const facts = readRecords(exchange, judged.outcome, value);
  return { ...judged, facts, seen: observeExchange(exchange, judgement, attempts) };
}

/** Reads an exchange again from its entry. What the entry hides or cuts was read by the run. */
export function readAgain(entry: Unsealed): Reading {
  const exchange = toExchange(entry);
  return { ...readExchange(exchange, judge(exchange), entry.attempts), ...entry.takenFromRun };
}

/** Returns what a probe shows about its open point. A throttled probe shows nothing. */
function readOpenAnswer({ open, control }: Unsealed, exchange: Exchange, { outcome }: Reading): Reading['seen'] {
  if (open === undefined || isThrottled(exchange.answer)) return [];
  return [
    { ...open, answer: toObservedAnswer(readAnswer(exchange, outcome)), ...(control === undefined ? {} : { control }) },
  ];
}

/** Returns what an entry proves: the reading of its exchange, and what follows from how it was sent. */
export function readEntry(entry: Unsealed, reading: Reading = readAgain(entry)): Reading {
  const exchange = toExchange(entry);
  const { breaks, facts } = entry.provesNothing === true ? { breaks: [], facts: [] } : reading;
  return {
    ...reading,
    breaks: [...breaks, ...findReflections(entry)],
    facts: [...facts, ...readProbe(entry, exchange, reading.outcome)],
    seen: [...reading.seen, ...readOpenAnswer(entry, exchange, reading)],
  };
}

/** True if everything that is read in `exchange` can be read from its entry. */
export function showsAll(entry: Unsealed, { request, answer }: Exchange): boolean {
  const shown = toExchange(entry);
  return (
    !entry.truncated &&
    shown.request.body === request.body &&
    Object.entries(request.asked).every(([name, value]) => shown.request.asked[name] === value) &&
    (answer === null || shown.answer === null
      ? answer === shown.answer
      : Buffer.compare(shown.answer.bytes, answer.bytes) === 0 &&
        String(shown.answer.headers) === String(answer.headers))
  );
}

/** Returns violations with the texts of the entry. `hide` rewrites a text that cannot be made from the entry. */
export function quoteEntry(
  breaks: readonly Violation[],
  entry: Unsealed,
  hide: (text: string, exchange: string) => string,
): readonly Violation[] {
  if (breaks.length === 0) return [];
  // Both judgements have the violations of a finding in the same order, one for each form of the received value.
  const quotable = groupBy(judge(toExchange(entry)).breaks, getFindingKey);
  return [...groupBy(breaks, getFindingKey)].flatMap(([key, forms]) =>
    forms.map((found, index) => {
      const shown = quotable.get(key)?.[index];
      const { expected, received } = shown ?? {
        expected: hide(found.expected, found.exchange),
        received: hide(found.received, found.exchange),
      };
      return { ...found, expected, received };
    }),
  );
}

/** Returns the clauses and pointers that the run judged with data that this entry does not have. */
export function listRunViolations(entry: Unsealed): readonly { readonly clause: string; readonly pointer: string }[] {
  if (entry.takenFromRun === undefined) return [];
  const { takenFromRun, ...shown } = entry;
  const again = readAgain(shown);
  const [judged, taken] = [again, { ...again, ...takenFromRun }].map(
    ({ outcome, exercised, breaks }) =>
      new Map([
        [`outcome ${outcome}`, { clause: 'outcome', pointer: '' }],
        ...exercised.map((clause) => [clause, { clause, pointer: '' }] as const),
        ...breaks.map((found) => [getFindingKey(found), { clause: found.clause, pointer: found.pointer }] as const),
      ]),
  ) as [Map<string, { clause: string; pointer: string }>, Map<string, { clause: string; pointer: string }>];
  return [...new Map([...judged, ...taken])].flatMap(([key, place]) =>
    judged.has(key) === taken.has(key) ? [] : [place],
  );
}
