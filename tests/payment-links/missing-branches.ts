/** Asks again for branch lists that do not have the branch of the merchant list. */
import { groupBy, isSameId, listEntries, type Reply, type Tools } from '../../fixtures/runner/index.ts';

const MAX_MERCHANTS = 2;
/** The two lists are asked for so often, by turns. */
const TURNS = 2;

export async function askForMissingBranches({ links, bank }: Tools, list: Reply<'listMerchants'>): Promise<void> {
  const { combinations } = await links.catalogue();
  const branchesOf = groupBy(combinations, ({ merchant_no }) => merchant_no);
  const isMissing = ({ merchant_no, branch_code }: { merchant_no?: unknown; branch_code?: unknown }): boolean =>
    branch_code != null &&
    branchesOf.get(String(merchant_no))?.every(({ branch_no }) => !isSameId(branch_no, branch_code)) === true;
  const missing = listEntries(list.data.merchants).filter(isMissing).slice(0, MAX_MERCHANTS);
  for (const { merchant_no } of missing)
    for (let turn = 0; turn < TURNS; turn += 1) {
      await bank.listBranches({ merchant_no: String(merchant_no) });
      await bank.listMerchants();
    }
}
