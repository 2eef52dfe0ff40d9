/**
 * Which amounts, currencies, languages and lengths are taken. Amounts are given in powers of ten, so that two runs which ask
 * for different amounts read the same target alike.
 */
import type { History } from '../model/check.ts';
import type { FactRecord, AnswerFact } from '../model/facts.ts';
import type { Inference } from '../model/finding.ts';
import type { ClauseId } from '../clauses/index.ts';
import type { OperationId } from '../model/exchange.ts';
import { exchangesOf } from './inference-of.ts';
import { grouped } from '../util/counted.ts';
import { max, min } from '../util/min-max.ts';
import { getOrSet, groupBy } from '../util/group-by.ts';

type Answers = readonly FactRecord<AnswerFact>[];

const points: readonly (readonly [OperationId, ClauseId])[] = [
  ['validateLoan', 'loans.value-bounds'],
  ['requestLoan', 'loans.value-bounds'],
  ['createPaymentLink', 'links.value-bounds'],
];

/** Request fields of which the values are listed, taken or not. */
const listedFields = { currency: 'currencies', language_code: 'languages', customer_ip: 'addresses' } as const;

const taken = ({ fact }: FactRecord<AnswerFact>): boolean => fact.outcome === 'accepted';
const turnedDown = ({ fact }: FactRecord<AnswerFact>): boolean =>
  fact.outcome === 'declined' || (fact.outcome === 'refused' && fact.status !== 404 && fact.comesAgain !== true);

/** Answers whose value of `name` is one that was taken with other values of the rest, or of which nothing else is known. */
function withUsual(answers: Answers, name: string): Answers {
  const usual = new Map<string, Set<string>>();
  for (const one of answers.filter(taken))
    for (const [field, value] of Object.entries(one.fact.asked)) getOrSet(usual, field, () => new Set()).add(value);
  const free = new Set([name, 'amount', 'length of personal_description']);
  return answers.filter(({ fact }) =>
    Object.entries(fact.asked).every(([field, value]) => free.has(field) || usual.get(field)?.has(value) === true),
  );
}

const below = (amount: number): number => (amount <= 0 ? 0 : 10 ** Math.floor(Math.log10(amount) + 1e-12));
const above = (amount: number): number => (amount <= 0 ? 0 : 10 ** Math.ceil(Math.log10(amount) - 1e-12));

function amounts(answers: Answers): { readonly value: string; readonly exchanges: readonly string[] } | null {
  const known = withUsual(answers, 'amount').map((one) => ({ one, amount: Number(one.fact.asked['amount']) }));
  const good = known.filter(({ one, amount }) => taken(one) && amount > 0);
  const bad = known.filter(
    ({ one, amount }) => turnedDown(one) && amount > 0 && !good.some((other) => other.amount === amount),
  );
  if (good.length === 0) return null;
  const [lowest, highest] = [min(good.map(({ amount }) => amount)), max(good.map(({ amount }) => amount))];
  const over = bad.filter(({ amount }) => amount > highest);
  const under = bad.filter(({ amount }) => amount < lowest);
  const hasCents = ({ amount }: { amount: number }): boolean => !Number.isInteger(amount);
  const within = bad.filter(({ amount }) => amount >= lowest && amount <= highest);
  const noCents = !good.some(hasCents) && within.length > 0 && within.every(hasCents);
  const parts = [
    ...(under.length > 0
      ? [
          `none below an amount between ${grouped(below(max(under.map(({ amount }) => amount))))} and ${grouped(above(lowest))}`,
        ]
      : []),
    ...(over.length > 0
      ? [
          `none above an amount between ${grouped(below(highest))} and ${grouped(above(min(over.map(({ amount }) => amount))))}`,
        ]
      : []),
    ...(noCents ? ['whole amounts only'] : []),
  ];
  return {
    value: parts.length === 0 ? 'no limit was seen' : parts.join('; '),
    exchanges: exchangesOf([...over, ...under, ...(noCents ? within : []), ...good].map(({ one }) => one)),
  };
}

type Found = { readonly about: string; readonly value: string; readonly exchanges: readonly string[] };

/** Values of a field: that none was turned down, or else each with what became of it. */
function listOf(answers: Answers, name: string, about: string): readonly Found[] {
  const known = withUsual(answers, name).filter(({ fact }) => name in fact.asked);
  const good = known.filter(taken);
  const valueOf = ({ fact }: FactRecord<AnswerFact>): string => String(fact.asked[name]);
  const usual = new Set(good.map(valueOf));
  const amountsTaken = new Set(good.map(({ fact }) => fact.asked['amount']));
  const bad = known.filter(
    (one) => turnedDown(one) && !usual.has(valueOf(one)) && amountsTaken.has(one.fact.asked['amount']),
  );
  if (good.length === 0) return [];
  if (name === 'customer_ip')
    return [{ about, value: families([...usual], bad.map(valueOf)), exchanges: exchangesOf([...bad, ...good]) }];
  if (bad.length === 0) return [{ about, value: 'none was refused', exchanges: exchangesOf(good) }];
  const found = (of: Answers, value: string): readonly Found[] =>
    [...groupBy(of, valueOf)]
      .slice(0, 12)
      .map(([one, same]) => ({ about: `${about}: ${one}`, value, exchanges: exchangesOf(same) }));
  return [
    { about, value: 'some are refused', exchanges: exchangesOf(bad) },
    ...found(good, 'taken'),
    ...found(bad, 'refused'),
  ];
}

function families(good: readonly string[], bad: readonly string[]): string {
  const family = (ip: string): string => (ip.includes(':') ? 'IPv6' : 'IPv4');
  const [takes, refuses] = [new Set(good.map(family)), new Set(bad.map(family))];
  return [...takes]
    .sort()
    .map((name) => `${name} taken`)
    .concat([...refuses].filter((name) => !takes.has(name)).map((name) => `${name} not`))
    .join('; ');
}

function lengths(answers: Answers): { readonly value: string; readonly exchanges: readonly string[] } | null {
  const name = 'length of personal_description';
  const known = withUsual(answers, name).filter(({ fact }) => name in fact.asked);
  const lengthOf = ({ fact }: FactRecord<AnswerFact>): number => Number(fact.asked[name]);
  const longest = Math.max(0, ...known.filter(taken).map(lengthOf));
  const amountsTaken = new Set(known.filter(taken).map(({ fact }) => fact.asked['amount']));
  const tooLong = known.filter(
    (one) => turnedDown(one) && lengthOf(one) > longest && amountsTaken.has(one.fact.asked['amount']),
  );
  if (longest === 0) return null;
  const value =
    tooLong.length === 0
      ? 'no limit was seen'
      : `none above a length between ${Math.floor(longest / 10) * 10} and ${Math.ceil(min(tooLong.map(lengthOf)) / 10) * 10}`;
  return { value, exchanges: exchangesOf([...tooLong, ...known]) };
}

/** Highest amount of a QR payment: what links above it brought. */
function aboveHighest(notes: History['notes'], answers: Answers): readonly Inference[] {
  const highest = notes('highest')[0]?.fact.amount;
  if (highest === undefined) return [];
  const over = answers.filter(
    ({ fact }) => fact.operation === 'createPaymentLink' && Number(fact.asked['amount']) > highest,
  );
  const made = over.filter(taken);
  const shown = made.length > 0 ? made : over.filter(turnedDown);
  const [first] = shown;
  const answer =
    first === undefined
      ? 'not tried'
      : made.length > 0
        ? 'created'
        : first.fact.outcome === 'declined'
          ? 'is_success false'
          : { reply: first.fact.outcome, status: first.fact.status };
  return [
    {
      point: 'links.amount-above-maximum',
      operation: 'createPaymentLink',
      answer,
      count: Math.max(1, shown.length),
      exchanges: exchangesOf(shown),
    },
  ];
}

const named = (about: string, found: Omit<Found, 'about'> | null): readonly Found[] =>
  found === null ? [] : [{ about, ...found }];

export function inferBounds(notes: History['notes']): readonly Inference[] {
  const all = notes('answer');
  const read = points.flatMap(([operation, point]): Inference[] => {
    const answers = all.filter(({ fact }) => fact.operation === operation);
    const bounds = [
      ...named('amounts', amounts(answers)),
      ...Object.entries(listedFields).flatMap(([field, name]) => listOf(answers, field, name)),
      ...(operation === 'createPaymentLink' ? named('descriptions', lengths(answers)) : []),
    ];
    return bounds.map(({ about, value, exchanges }) => ({
      point,
      operation,
      question: about,
      answer: value,
      count: Math.max(1, exchanges.length),
      exchanges,
    }));
  });
  return [...read, ...aboveHighest(notes, all)];
}
