/** Rows of checks: a few exchanges in their roles, and what the checks say of them. */
import type { Answered, Compared, History } from '../../../openapi/model/check.ts';
import { evaluateChecks } from '../../../openapi/checks/check.ts';
import { NOTHING_COMPARED } from '../../../openapi/checks/history.ts';
import { checks } from '../../../openapi/checks/index.ts';
import type { ClauseId } from '../../../openapi/clauses/index.ts';
import { answered } from '../../../openapi/history/answered.ts';
import { judge } from '../../../openapi/judge.ts';
import type { Exchange } from '../../../openapi/model/exchange.ts';

/** Exchanges by their role, as a scenario lays them side by side. */
export type Roles = Readonly<Record<string, Exchange | readonly Exchange[]>>;

const answeredBy = (exchange: Exchange): Answered => answered(exchange, judge(exchange).outcome);

const NOTHING: History = { ...NOTHING_COMPARED, notes: () => [] };

/** A history of one comparison. */
function historyOf(clause: ClauseId, roles: Roles, about: Readonly<Record<string, string>>): History {
  const all = (role: string): readonly Answered[] => [roles[role] ?? []].flat().map(answeredBy);
  const compared: Compared = { about, all, one: (role) => all(role)[0] };
  const isContrast = 'taken' in roles;
  return {
    ...NOTHING,
    compared: (of) => (of === clause && !isContrast ? [compared] : []),
    contrasts: isContrast ? [{ clause, compared }] : [],
  };
}

/** What the checks say of one comparison. */
export const resultOf = (clause: ClauseId, roles: Roles, about: Readonly<Record<string, string>> = {}) =>
  evaluateChecks(checks, historyOf(clause, roles, about));

/** What one comparison shows: `broken`, `kept`, or `untested`. */
export function shownBy(
  clause: ClauseId,
  roles: Roles,
  about: Readonly<Record<string, string>> = {},
): 'broken' | 'kept' | 'untested' {
  const { broken, exercised } = resultOf(clause, roles, about);
  if (broken.some((one) => one.clause === clause)) return 'broken';
  return exercised.some((one) => one.clause === clause) ? 'kept' : 'untested';
}

/** What probes show of the clauses about any probe, each as `clause`: the probe, and what came when it was sent again. */
export function brokenByProbe(probe: Exchange, again: readonly Exchange[] = []): readonly string[] {
  const control = answeredBy({ ...probe, kind: 'positive' });
  const history: History = {
    ...NOTHING,
    probes: [{ probe: answeredBy(probe), control, again: again.map(answeredBy) }],
  };
  return evaluateChecks(checks, history).broken.map(({ clause }) => clause);
}
