/** Checks payment links: unknown merchants, and branches of other merchants. */
import type { Check } from '../model/check.ts';
import type { ClauseId } from '../clauses/index.ts';
import { readIdText } from '../history/answer-data.ts';
import { isRefusal } from '../model/outcome.ts';
import { getEntries } from '../rules/entries.ts';
import { checkComparison } from './check.ts';

/** Makes a check that the bank returns no list for an unknown merchant, also not the list of a merchant with a similar number. */
const checkUnknownMerchant = (clause: ClauseId, name: string): Check =>
  checkComparison(
    clause,
    ({ one }) => {
      const [probe, similar, control] = [one('probe'), one('similar'), one('control')];
      if (similar !== undefined) {
        const isSame = similar.accepted && JSON.stringify(similar.data) === JSON.stringify(control?.data);
        const expected = 'a refusal, or no branches of a merchant with a similar number';
        return { by: similar, holds: !isSame, pointer: `/data/${name}`, expected, contrast: control };
      }
      if (probe === undefined) return null;
      const list = probe.data[name];
      const holds = !(probe.accepted && Array.isArray(list) && list.length > 0);
      return { by: probe, holds, pointer: `/data/${name}`, expected: 'a refusal, or an empty list', contrast: control };
    },
    ['links.unknown-ids', 'an unknown merchant'],
  );

export const linkChecks: readonly Check[] = [
  checkUnknownMerchant('links.unknown-merchant.currencies', 'currencies'),
  checkUnknownMerchant('links.unknown-merchant.branches', 'branches'),
  checkUnknownMerchant('links.unknown-merchant.installments', 'installments'),
  // The bank must refuse a branch of another merchant in the same way as an unknown branch.
  checkComparison(
    'links.foreign-branch',
    ({ one }) => {
      const [probe, control, branches, unknown] = [one('probe'), one('control'), one('branches'), one('unknown')];
      if (probe === undefined) return null;
      const words = { pointer: 'request/body/branch_no', expected: 'a refusal, as for a branch that does not exist' };
      if (!probe.accepted) return { by: probe, holds: true, ...words, contrast: control };
      const own = getEntries(branches?.data['branches']).map(({ no }) => readIdText(no));
      const isForeign = branches?.accepted === true && !own.includes(String(probe.exchange.request.asked['branch_no']));
      if (!isForeign || unknown === undefined || !isRefusal(unknown)) return null;
      return { by: probe, holds: false, ...words, contrast: unknown };
    },
    ['links.unknown-ids', 'a branch of another merchant'],
  ),
];
