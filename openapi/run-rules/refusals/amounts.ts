/** Amounts that are refused although smaller and larger ones are taken. */
import type { OperationId } from '../../clauses/areas.ts';
import { divisor } from '../../util/min-max.ts';
import type { AskedRequest, SuspectedValue } from './suspect.ts';

/**
 * Amounts that are refused between smaller and larger ones that are taken, and that no multiple explains. Of an amount with
 * cents its whole part is asked about first: whether the cents make the difference is another question.
 */
export function islands(operation: OperationId, asked: readonly AskedRequest[]): readonly SuspectedValue[] {
  const amountOf = ({ values }: AskedRequest): number => Math.round(Number(values['amount']) * 100);
  const currencyOf = ({ values }: AskedRequest): string => String(values['currency'] ?? values['currency_code']);
  const withAmount = asked.filter(({ values }) => Number(values['amount']) > 0);
  for (const one of withAmount) {
    if (one.outcome !== 'refused') continue;
    const taken = withAmount.filter((other) => other.outcome === 'accepted' && currencyOf(other) === currencyOf(one));
    const amounts = taken.map(amountOf);
    const step = amounts.reduce(divisor, 0);
    const isIsland = (amount: number): boolean =>
      amounts.some((other) => other < amount) &&
      amounts.some((other) => other > amount) &&
      step !== 0 &&
      amount % step === 0 &&
      !amounts.includes(amount);
    const amount = amountOf(one);
    const found = [...new Set([amount - (amount % 100), amount])].filter(isIsland);
    // Where no whole amount is taken at all, that is what the refused ones have in common.
    const isOneOfWhole = [one, ...taken].every((other) => Number.isInteger(amountOf(other) / 100) === (other === one));
    const what = isOneOfWhole ? 'a whole amount between others' : 'an amount between others that are taken';
    if (found.length > 0)
      return found.map((cents) => {
        const change = { amount: cents / 100 };
        return { operation, name: 'amount', what, kind: 'value', change, outcome: 'refused' };
      });
  }
  return [];
}
