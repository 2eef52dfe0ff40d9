/** Makes notes about payment links, the merchant list and the branch lists. */
import { parseDateTime } from '../contract/formats.ts';
import type { Exchange } from '../model/exchange.ts';
import type { BranchesFact, Fact, PaymentFact } from '../model/facts.ts';
import { isRejection, type Outcome } from '../model/outcome.ts';
import { getEntries, readMember, type Entry } from '../rules/entries.ts';
import { digestText } from '../util/hash.ts';
import { toIdText } from '../util/ids.ts';
import { getRepeatableInputs } from './answers.ts';

/** Makes a note about a request that may have created a payment link. */
export function listPaymentFacts(
  { operation, startedAt, durationMs }: Exchange,
  outcome: Outcome,
): readonly PaymentFact[] {
  if (operation !== 'createPaymentLink' || isRejection({ outcome })) return [];
  return [{ rule: 'payment', from: startedAt, at: startedAt + durationMs }];
}

/** At most this many digits at the end of a token are read as a counter. */
const MAX_TOKEN_DIGITS = 18;

function digestNextToken(token: string): string | null {
  const digits = new RegExp(`\\d{1,${MAX_TOKEN_DIGITS}}$`).exec(token)?.[0];
  if (digits === undefined) return null;
  return digestText(token.slice(0, -digits.length) + String(BigInt(digits) + 1n).padStart(digits.length, '0'));
}

export function listLinkFacts(exchange: Exchange, data: unknown): readonly Fact<'link' | 'highest'>[] {
  const { order_id: orderId, payment_token: token, end_date: expiry, qr_max_amount: highest } = data as Entry;
  if (exchange.operation === 'listMerchants' && typeof highest === 'number')
    return [{ rule: 'highest', amount: highest }];
  if (exchange.operation !== 'createPaymentLink') return [];
  return [
    {
      rule: 'link',
      orderId: typeof orderId === 'string' ? digestText(orderId.toLowerCase().replaceAll(/[^0-9a-f]/g, '')) : null,
      token: typeof token === 'string' && token !== '' ? digestText(token) : null,
      nextToken: typeof token === 'string' ? digestNextToken(token) : null,
      expiry: typeof expiry === 'string' && parseDateTime(expiry) !== null ? expiry : null,
      from: exchange.startedAt,
      at: exchange.startedAt + exchange.durationMs,
      asked: getRepeatableInputs(exchange.request),
    },
  ];
}

/** At most this many branches are noted per answer. */
const MAX_NOTED_BRANCHES = 50;

/** Returns a digest of a name, ignoring white space and case; null without a name. */
const digestName = (name: unknown): string | null =>
  typeof name === 'string' && name.trim() !== '' ? digestText(name.replaceAll(/\s+/g, '').toLowerCase()) : null;

export function listBranchFacts(
  { operation, request, startedAt: at }: Exchange,
  data: unknown,
): readonly BranchesFact[] {
  const isOfMerchants = operation === 'listMerchants';
  if (!isOfMerchants && operation !== 'listBranches') return [];
  const readParts = (entry: Entry): readonly unknown[] =>
    isOfMerchants
      ? [entry['merchant_no'], entry['branch_code'], entry['branch_name']]
      : [request.asked['merchant_no'], entry['no'], entry['name']];
  const named = getEntries(readMember(data, isOfMerchants ? 'merchants' : 'branches'))
    .slice(0, MAX_NOTED_BRANCHES)
    .flatMap((entry) => {
      const [merchant, branch, text] = readParts(entry);
      const [name, numbers] = [digestName(text), [merchant, branch]];
      if (name === null || numbers.some((number) => (number ?? null) === null)) return [];
      return [[numbers.map((number) => toIdText(String(number))).join(' '), name] as const];
    });
  return [{ rule: 'branches', isOfMerchants, named, at }];
}
