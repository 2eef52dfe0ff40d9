/** Reads available limits and amounts in cents. */
import { getEntries } from '../../rules/entries.ts';
import { isSameId } from '../../util/ids.ts';

const parseCents = (text: string, pattern: RegExp): bigint | null => {
  const [, whole = '', cents = ''] = pattern.exec(text) ?? [];
  return whole === '' ? null : BigInt(whole.replaceAll(/\D/g, '') + cents.padEnd(2, '0'));
};

/** Reads the available limit of an account, with any digit grouping; null if there is no such amount. */
export function readLimit(look: { readonly data: object }, account: unknown): bigint | null {
  const offer = getEntries((look.data as { infos?: unknown }).infos).find((one) =>
    isSameId(one['account_id'], account),
  );
  const text = String(offer?.['avaliable_limit']).trim();
  const limit = parseCents(text.replace(/^-/, ''), /^(\d[\d.,' ]*)[.,](\d\d)$/);
  return limit !== null && text.startsWith('-') ? -limit : limit;
}

export const readAmount = (amount: unknown): bigint | null => parseCents(String(amount), /^(\d+)(?:\.(\d\d?))?$/);

export const formatCents = (cents: bigint): string => `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`;
