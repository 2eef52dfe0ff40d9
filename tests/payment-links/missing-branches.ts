/** Requests branch lists again if they do not have the branch that the merchant list names. */
import { groupBy, isSameId, listEntries, type Reply, type Tools } from '../../fixtures/runner/index.ts';

const MAX_MERCHANTS = 2;
/** How often both lists are requested, alternately. */
const TURN_COUNT = 2;

export async function repeatMissingBranches(
  { links, bank }: Tools,
  merchantList: Reply<'listMerchants'>,
): Promise<void> {
  const { combinations } = await links.catalogue();
  const branchesByMerchant = groupBy(combinations, ({ merchant_no }) => merchant_no);
  const isMissing = ({ merchant_no, branch_code }: { merchant_no?: unknown; branch_code?: unknown }): boolean =>
    branch_code != null &&
    branchesByMerchant.get(String(merchant_no))?.every(({ branch_no }) => !isSameId(branch_no, branch_code)) === true;
  const merchants = listEntries(merchantList.data.merchants).filter(isMissing).slice(0, MAX_MERCHANTS);
  for (const { merchant_no } of merchants)
    for (let turn = 0; turn < TURN_COUNT; turn += 1) {
      await bank.listBranches({ merchant_no: String(merchant_no) });
      await bank.listMerchants();
    }
}
