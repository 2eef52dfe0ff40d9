/** Makes a few exchanges with their roles, and returns the results of the checks. */
import type { Answered, Compared, History } from '../../../openapi/model/check.ts';
import { evaluateChecks } from '../../../openapi/checks/check.ts';
import { NO_COMPARISONS } from '../../../openapi/checks/history.ts';
import { allChecks } from '../../../openapi/checks/index.ts';
import type { ClauseId } from '../../../openapi/clauses/index.ts';
import { readAnswer } from '../../../openapi/history/answered.ts';
import { judge } from '../../../openapi/judge.ts';
import type { Exchange } from '../../../openapi/model/exchange.ts';

/** Exchanges by role, as a scenario compares them. */
export type Roles = Readonly<Record<string, Exchange | readonly Exchange[]>>;

const toJudgedAnswer = (exchange: Exchange): Answered => readAnswer(exchange, judge(exchange).outcome);

const EMPTY_HISTORY: History = { ...NO_COMPARISONS, notes: () => [] };

function makeHistory(clause: ClauseId, rows: readonly Roles[], about: Readonly<Record<string, string>>): History {
  const all = rows.map((roles): Compared => {
    const of = (role: string): readonly Answered[] => [roles[role] ?? []].flat().map(toJudgedAnswer);
    return { roles: Object.keys(roles), about, all: of, one: (role) => of(role)[0] };
  });
  return { ...EMPTY_HISTORY, compared: (of) => (of === clause ? all : []) };
}

/** Returns the result of comparisons: `broken`, `kept`, or `untested`. */
export function readResultOfRoles(
  clause: ClauseId,
  roles: Roles,
  about: Readonly<Record<string, string>> = {},
  more: readonly Roles[] = [],
): 'broken' | 'kept' | 'untested' {
  const { broken, exercised } = evaluateChecks(allChecks, makeHistory(clause, [roles, ...more], about));
  if (broken.some((violation) => violation.clause === clause)) return 'broken';
  return exercised.some((entry) => entry.clause === clause) ? 'kept' : 'untested';
}

/** Returns the clauses that the answers to `count` equal probes break. `again` has the answers to the repetitions of each. */
export function listBrokenByProbe(probe: Exchange, again: readonly Exchange[] = [], count = 1): readonly string[] {
  const control = toJudgedAnswer({ ...probe, kind: 'positive' });
  const probes = Array.from({ length: count }, () => ({
    probe: toJudgedAnswer(probe),
    control,
    again: again.map(toJudgedAnswer),
  }));
  const history: History = { ...EMPTY_HISTORY, probes };
  return evaluateChecks(allChecks, history).broken.map(({ clause }) => clause);
}
