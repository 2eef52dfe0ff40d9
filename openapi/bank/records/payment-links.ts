/** Makes the records of payment links, and of the names of branches. */
import { parseDateTime } from '../../contract/formats.ts';
import type { JsonObject } from '../../contract/references.ts';
import type { Exchange } from '../../model/exchange.ts';
import type { AcceptedAnswer, AddRecord } from '../../model/operation.ts';
import { getEntries, readMember } from '../../rules/entries.ts';
import { digestText } from '../../util/hash.ts';
import { toIdText } from '../../util/ids.ts';
import { getRepeatableInputs } from '../inputs.ts';

export const addPayment = ({ startedAt: from, durationMs }: Exchange, add: AddRecord): void =>
  add('payments', { from, at: from + durationMs });

/** At most this many digits at the end of a token are read as a counter. */
const MAX_TOKEN_DIGITS = 18;

/** Returns a digest of the next token if tokens are counted: of `A-0042` the digest of `A-0043`. Null without digits at the end. */
function digestNextToken(token: string): string | null {
  const digits = new RegExp(`\\d{1,${MAX_TOKEN_DIGITS}}$`).exec(token)?.[0];
  if (digits === undefined) return null;
  return digestText(token.slice(0, -digits.length) + String(BigInt(digits) + 1n).padStart(digits.length, '0'));
}

export function addLink({ exchange, data }: AcceptedAnswer, add: AddRecord): void {
  const { request, startedAt, durationMs } = exchange;
  const { order_id: orderId, payment_token: token, end_date: expiry } = data as JsonObject;
  add('links', {
    orderId: typeof orderId === 'string' ? digestText(orderId.toLowerCase().replaceAll(/[^0-9a-f]/g, '')) : null,
    token: typeof token === 'string' && token !== '' ? digestText(token) : null,
    nextToken: typeof token === 'string' ? digestNextToken(token) : null,
    expiry: typeof expiry === 'string' && parseDateTime(expiry) !== null ? expiry : null,
    from: startedAt,
    at: startedAt + durationMs,
    asked: getRepeatableInputs(request),
  });
}

const MAX_KEPT_BRANCHES = 50;

const digestName = (name: unknown): string | null =>
  typeof name === 'string' && name.trim() !== '' ? digestText(name.replaceAll(/\s+/g, '').toLowerCase()) : null;

/** A list with branches, and the names of its members. */
interface BranchListMembers {
  /** The merchant of the list; empty for the merchant list, whose entries name it. */
  readonly asked: string;
  readonly list: string;
  readonly branch: string;
  readonly name: string;
}

function addBranchList({ exchange, data }: AcceptedAnswer, add: AddRecord, members: BranchListMembers): void {
  const { asked, list, branch, name } = members;
  const entries = getEntries(readMember(data, list));
  const named = entries.slice(0, MAX_KEPT_BRANCHES).flatMap((entry) => {
    const merchant = asked === '' ? entry['merchant_no'] : asked;
    const digest = digestName(entry[name]);
    if (digest === null || merchant == null || entry[branch] == null) return [];
    return [{ merchant: toIdText(String(merchant)), branch: toIdText(String(entry[branch])), name: digest }];
  });
  add('branchLists', { isOfMerchants: asked === '', asked, entries: entries.length, named, at: exchange.startedAt });
}

export function addMerchants(answer: AcceptedAnswer, add: AddRecord): void {
  const maxAmount = readMember(answer.data, 'qr_max_amount');
  if (typeof maxAmount === 'number') add('highestAmounts', { amount: maxAmount });
  addBranchList(answer, add, { asked: '', list: 'merchants', branch: 'branch_code', name: 'branch_name' });
}

export function addBranches(answer: AcceptedAnswer, add: AddRecord): void {
  const merchantNumber = toIdText(String(answer.exchange.request.asked['merchant_no']));
  addBranchList(answer, add, { asked: merchantNumber, list: 'branches', branch: 'no', name: 'name' });
}
