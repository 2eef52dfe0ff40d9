/** Applies a requirement set to the catalogue. */
import type { Clause } from '../../openapi/clauses/clause.ts';
import { isVendorClause } from '../../openapi/clauses/index.ts';
import { CURRENT_SET, readRequirementSet } from '../../openapi/clauses/requirement-sets.ts';
import type { Catalogue } from '../model/catalogue.ts';
import type { RunVerdict, Suite } from '../model/report.ts';

/** Returns the catalogue with the levels of the requirement set of a run. Clauses that are not in the set are only recorded. */
export function selectRequirements(catalogue: Catalogue, { requirements: named }: Suite): Catalogue {
  if (named === undefined || named.set === CURRENT_SET) return catalogue;
  const { requirements } = readRequirementSet(named.set);
  const outside = new Set(
    Object.keys(catalogue.clauses).filter((id) => requirements[id] === undefined && !isVendorClause(id)),
  );
  const clauses = Object.entries(catalogue.clauses).map(([id, clause]): [string, Clause] => {
    const { level, exercise } = requirements[id] ?? { level: 'open', exercise: 'conditional' };
    return [id, isVendorClause(id) ? clause : { ...clause, level, exercise }];
  });
  return { ...catalogue, clauses: Object.fromEntries(clauses), outside };
}

/** Returns `, by the requirement set 2026.1` if the run used another set than this suite; else an empty text. */
export const describeRequirementSet = ({ requirements }: Suite): string =>
  requirements === undefined || requirements.set === CURRENT_SET ? '' : `, by the requirement set ${requirements.set}`;

/** Returns ` to the document as changed by “…”` if an overlay was applied; else an empty text. */
export const describeOverlay = ({ overlay }: Suite, verdict: RunVerdict): string =>
  overlay === undefined
    ? ''
    : `${verdict === 'inconclusive' ? ', measured by' : ' to'} the document as changed by “${overlay.title}”`;
