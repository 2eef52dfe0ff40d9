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

function toReading(exchange: Exchange, judgement: Judgement, attempts: ExchangeRecord['attempts']): Reading {
  const { value, ...judged } = judgement;
  const facts = readRecords(exchange, judged.outcome, value);
  return { ...judged, facts, seen: observeExchange(exchange, judgement, attempts) };
}

/** Returns what a probe shows about its open point. A throttled probe shows nothing. */
function readOpenAnswer({ open, control }: Unsealed, exchange: Exchange, { outcome }: Reading): Reading['seen'] {
  if (open === undefined || isThrottled(exchange.answer)) return [];
  return [
    { ...open, answer: toObservedAnswer(readAnswer(exchange, outcome)), ...(control === undefined ? {} : { control }) },
  ];
}

export function readEntry(entry: Unsealed): Reading & Pick<Judgement, 'value'> {
  const exchange = toExchange(entry);
  const judgement = judge(exchange);
  const reading = { ...toReading(exchange, judgement, entry.attempts), ...entry.takenFromRun };
  const { breaks, facts } = entry.provesNothing === true ? { breaks: [], facts: [] } : reading;
  const seen = [...reading.seen, ...readOpenAnswer(entry, exchange, reading)];
  return {
    ...reading,
    breaks: [...breaks, ...findReflections(entry)],
    facts: [...facts, ...readProbe(entry, exchange, reading.outcome)],
    seen,
    value: judgement.value,
  };
}

/** Returns the clauses and pointers that the run judged with data that this entry does not have. */
export function listRunViolations(entry: Unsealed): readonly { readonly clause: string; readonly pointer: string }[] {
  if (entry.takenFromRun === undefined) return [];
  const exchange = toExchange(entry);
  const judged = toReading(exchange, judge(exchange), entry.attempts);
  const [own, taken] = [judged, { ...judged, ...entry.takenFromRun }].map(
    ({ outcome, exercised, breaks }) =>
      new Map([
        [`outcome ${outcome}`, { clause: 'outcome', pointer: '' }],
        ...exercised.map((clause) => [clause, { clause, pointer: '' }] as const),
        ...breaks.map((found) => [getFindingKey(found), { clause: found.clause, pointer: found.pointer }] as const),
      ]),
  ) as [Map<string, { clause: string; pointer: string }>, Map<string, { clause: string; pointer: string }>];
  return [...new Map([...own, ...taken])].flatMap(([key, place]) => (own.has(key) === taken.has(key) ? [] : [place]));
}

const hasAllJudgedParts = (entry: Unsealed, again: Exchange, { request, answer }: Exchange): boolean =>
  !entry.truncated &&
  again.request.body === request.body &&
  Object.entries(request.asked).every(([name, value]) => again.request.asked[name] === value) &&
  (answer === null || again.answer === null
    ? answer === again.answer
    : Buffer.compare(again.answer.bytes, answer.bytes) === 0 &&
      String(again.answer.headers) === String(answer.headers));

/** The parts of a reading to compare. The words of violations do not count. */
const comparedReadingParts: { readonly [Part in keyof Reading]?: (reading: Reading) => unknown } = {
  exercised: ({ exercised }) => exercised.toSorted(),
  breaks: ({ breaks }) => breaks.map(({ expected: _, received: __, ...violation }) => violation),
};

/** Returns the parts of the reading that differ if the exchange is judged again from its redacted entry. */
export function listDifferingParts(
  entry: Unsealed,
  { original, shown }: { readonly original: Exchange; readonly shown: Exchange },
  judgement: Judgement,
): Partial<Reading> | undefined {
  const again = toExchange(entry);
  if (hasAllJudgedParts(entry, again, original)) return undefined;
  const first = toReading(shown, judgement, entry.attempts);
  const second = toReading(again, judge(again), entry.attempts);
  const differing = (Object.keys(first) as (keyof Reading)[]).filter((part) => {
    const read = comparedReadingParts[part] ?? ((reading: Reading): unknown => reading[part]);
    return JSON.stringify(read(first)) !== JSON.stringify(read(second));
  });
  return differing.length === 0 ? undefined : Object.fromEntries(differing.map((part) => [part, first[part]]));
}
