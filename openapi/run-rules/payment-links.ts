/** Payment links differ from one another. */
import type { FactRecord, LinkFact, HighestFact, PaymentFact } from '../model/facts.ts';
import type { RunRuleResult } from '../model/finding.ts';
import { isRejection, type Outcome } from '../model/outcome.ts';
import type { Exchange } from '../model/exchange.ts';
import { digest } from '../util/hash.ts';
import { readMoment } from '../contract/formats.ts';
import { featuresOf } from './answers.ts';
import { groupBy } from '../util/group-by.ts';
import { ResultCollector, recordsOf } from './result-collector.ts';

/** The payment that an exchange may have been. */
export function paymentFacts({ operation, startedAt, durationMs }: Exchange, outcome: Outcome): readonly PaymentFact[] {
  if (operation !== 'createPaymentLink' || isRejection({ outcome })) return [];
  return [{ rule: 'payment', from: startedAt, at: startedAt + durationMs }];
}

/** Digits at the end of a token that are counted on. */
const MAX_DIGITS = 18;

function digestOfNext(token: string): string | null {
  const digits = new RegExp(`\\d{1,${MAX_DIGITS}}$`).exec(token)?.[0];
  if (digits === undefined) return null;
  return digest(token.slice(0, -digits.length) + String(BigInt(digits) + 1n).padStart(digits.length, '0'));
}

export function linkFacts(exchange: Exchange, data: unknown): readonly (LinkFact | HighestFact)[] {
  const {
    order_id: orderId,
    payment_token: token,
    end_date: expiry,
    qr_max_amount: highest,
  } = data as Readonly<Record<string, unknown>>;
  if (exchange.operation === 'listMerchants' && typeof highest === 'number')
    return [{ rule: 'highest', amount: highest }];
  if (exchange.operation !== 'createPaymentLink') return [];
  return [
    {
      rule: 'link',
      orderId: typeof orderId === 'string' ? digest(orderId.toLowerCase().replaceAll(/[^0-9a-f]/g, '')) : null,
      token: typeof token === 'string' && token !== '' ? digest(token) : null,
      nextToken: typeof token === 'string' ? digestOfNext(token) : null,
      expiry: typeof expiry === 'string' && readMoment(expiry) !== null ? expiry : null,
      from: exchange.startedAt,
      at: exchange.startedAt + exchange.durationMs,
      asked: featuresOf(exchange.request),
    },
  ];
}

const unique = [
  { name: 'orderId', clause: 'links.link.order-id.distinct', pointer: '/data/order_id', what: 'order id' },
  { name: 'token', clause: 'links.link.payment-token.distinct', pointer: '/data/payment_token', what: 'token' },
] as const;

/** Tokens of a run that are the next after another of it: among random ones there is none. */
const MIN_COUNTED = 3;

/** Who has one link can guess the others where tokens are counted. */
function tokensCounted(results: ResultCollector, links: readonly FactRecord<LinkFact>[]): void {
  const clause = 'links.link.payment-token.not-counted';
  const tokens = new Map(links.flatMap((link) => (link.fact.token === null ? [] : [[link.fact.token, link] as const])));
  const [first] = tokens.values();
  if (first === undefined || tokens.size <= MIN_COUNTED) return;
  results.exercise(clause, 'createPaymentLink', tokens.size - 1, first.exchange);
  const counted = links.flatMap((link) => {
    const next = tokens.get(link.fact.nextToken ?? '');
    return next === undefined ? [] : [{ link, next }];
  });
  const [one] = counted;
  if (one === undefined || counted.length < MIN_COUNTED) return;
  results.break({
    clause,
    operation: 'createPaymentLink',
    pointer: '/data/payment_token',
    expected: 'a token that nobody can guess from another one',
    received: 'the token of another link and one more',
    exchange: one.next.exchange,
    contrast: one.link.exchange,
    count: counted.length,
  });
}

export function evaluateLinks(records: readonly FactRecord[]): RunRuleResult {
  const results = new ResultCollector();
  const links = recordsOf(records, 'link');
  tokensCounted(results, links);
  for (const { name, clause, pointer, what } of unique) {
    const named = links.filter(({ fact }) => fact[name] !== null);
    const [first] = named;
    if (first === undefined || named.length < 2) continue;
    results.exercise(clause, 'createPaymentLink', named.length - 1, first.exchange);
    for (const [one, two, ...more] of groupBy(named, ({ fact }) => String(fact[name])).values())
      if (one !== undefined && two !== undefined)
        results.break({
          clause,
          operation: 'createPaymentLink',
          pointer,
          expected: `a new ${what} for a new link`,
          received: `the ${what} of another link`,
          exchange: two.exchange,
          contrast: one.exchange,
          count: 1 + more.length,
        });
  }
  return results.result();
}
