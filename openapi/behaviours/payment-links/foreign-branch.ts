/** The bank refuses a branch of another merchant in the same way as an unknown branch. */
import { defineLevels } from '../../clauses/levels.ts';
import { linkRequestField } from '../../clauses/payment-links.ts';
import { readIdText } from '../../history/answers.ts';
import { isRefusal } from '../../model/outcome.ts';
import { getEntries } from '../../rules/entries.ts';
import { broken, compared, kept, notTested } from '../behaviour.ts';
import { optional, reply } from '../evidence.ts';

const link = reply('createPaymentLink');

export const foreignBranchRefused = compared({
  id: 'links.foreign-branch',
  clause: defineLevels('payment-links').money(
    linkRequestField('branch_no'),
    'If the bank refuses a payment link for an unknown branch, it also refuses a payment link for a branch of another merchant.',
  ),
  evidence: { foreign: link, control: link, branches: optional(reply('listBranches')), unknown: optional(link) },
  asks: ['links.unknown-ids', 'a branch of another merchant'],
  judge({ foreign, control, branches, unknown }) {
    if (!foreign.accepted) return kept(foreign, { contrast: control });
    const own = getEntries(branches?.data.branches).map(({ no }) => readIdText(no));
    if (branches?.accepted !== true || own.includes(String(foreign.exchange.request.asked['branch_no'])))
      return notTested('the branch may be a branch of this merchant too');
    if (unknown === undefined || !isRefusal(unknown)) return notTested('the bank accepts links for any branch');
    return broken(foreign, {
      pointer: 'request/body/branch_no',
      expected: 'a refusal, as for a branch that does not exist',
      contrast: unknown,
    });
  },
});
