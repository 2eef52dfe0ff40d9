/** The catalogue as a requirement set has it. */
import type { Clause } from '../../openapi/clauses/clause.ts';
import { isVendorClause } from '../../openapi/clauses/index.ts';
import { currentSet, requirementSet } from '../../openapi/clauses/requirement-sets.ts';
import type { Catalogue } from '../model/catalogue.ts';
import type { RunVerdict, Suite } from '../model/report.ts';

/** The catalogue with the levels of the set that a run is judged by; clauses outside it are observed and do not count. */
export function judgedBy(catalogue: Catalogue, { requirements: named }: Suite): Catalogue {
  if (named === undefined || named.set === currentSet) return catalogue;
  const { requirements } = requirementSet(named.set);
  const outside = new Set(
    Object.keys(catalogue.clauses).filter((id) => requirements[id] === undefined && !isVendorClause(id)),
  );
  const clauses = Object.entries(catalogue.clauses).map(([id, clause]): [string, Clause] => {
    const { level, exercise } = requirements[id] ?? { level: 'open', exercise: 'conditional' };
    return [id, isVendorClause(id) ? clause : { ...clause, level, exercise }];
  });
  return { ...catalogue, clauses: Object.fromEntries(clauses), outside };
}

/** `, by the requirement set 2026.1` where that is not the one of this suite; else nothing. */
export const bySet = ({ requirements }: Suite): string =>
  requirements === undefined || requirements.set === currentSet ? '' : `, by the requirement set ${requirements.set}`;

/** ` to the document as changed by “…”` where an overlay was applied, else nothing. */
export const byOverlay = ({ overlay }: Suite, verdict: RunVerdict): string =>
  overlay === undefined
    ? ''
    : `${verdict === 'inconclusive' ? ', measured by' : ' to'} the document as changed by “${overlay.title}”`;
