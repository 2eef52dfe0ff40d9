/** Makes a test of each row: the evidence of a behaviour, and what follows. Evidence takes the way through the journal. */
import { expect, test } from '@playwright/test';
import type { ComparedBehaviour, RunBehaviour } from '../../../../openapi/behaviours/behaviour.ts';
import { evaluateBehaviours } from '../../../../openapi/behaviours/evaluate.ts';
import { writeEvidence, type EvidenceOf, type Shape } from '../../../../openapi/behaviours/evidence.ts';
import type { BehaviourId } from '../../../../openapi/clauses/index.ts';
import { groupNotesByKind, NO_COMPARISONS } from '../../../../openapi/checks/history.ts';
import { readAnswer } from '../../../../openapi/history/answered.ts';
import { judge } from '../../../../openapi/judge.ts';
import type { History } from '../../../../openapi/model/check.ts';
import type { Exchange } from '../../../../openapi/model/exchange.ts';
import type { FactRecord } from '../../../../openapi/model/facts.ts';
import type { Violation } from '../../../../openapi/model/finding.ts';
import { readFacts } from '../../../../openapi/notes/index.ts';

interface Row<E> {
  readonly evidence: E;
  readonly is: 'kept' | 'broken' | 'not tested';
  /** The finding, or its important parts; the reason of `not tested`. */
  readonly how?: Partial<Violation> | string | undefined;
}
export const kept = <E>(evidence: NoInfer<E>): Row<E> => ({ evidence, is: 'kept' });
export const broken = <E>(evidence: NoInfer<E>, how?: Partial<Violation>): Row<E> => ({ evidence, is: 'broken', how });
export const notTested = <E>(evidence: NoInfer<E>, why: string): Row<E> => ({ evidence, is: 'not tested', how: why });

/** Several rows with one title and one result. */
type Rows<E> = Readonly<Record<string, Row<E> | readonly Row<E>[]>>;

function compareForHistory({ id, way, evidence: shape }: ComparedBehaviour, evidence: object): History {
  const byId = new Map<string, Exchange>();
  const remember = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    if ('durationMs' in value) byId.set((value as Exchange).id, value as Exchange);
    else for (const inner of Object.values(value)) remember(inner);
  };
  remember(evidence);
  const written = writeEvidence(shape, evidence as EvidenceOf<Shape, 'row'>);
  if (typeof written === 'string') throw new Error(written);
  const all = (role: string) =>
    (written.exchanges[role] ?? []).flatMap((one) => {
      const exchange = byId.get(one);
      return exchange === undefined ? [] : [readAnswer(exchange, judge(exchange).outcome)];
    });
  const compared = {
    roles: Object.keys(written.exchanges),
    about: { ...written.about, ...(way === undefined ? {} : { way }) },
    all,
    one: (role: string) => all(role)[0],
  };
  return { ...NO_COMPARISONS, notes: () => [], compared: (clause) => (clause === id ? [compared] : []) };
}

function noteForHistory(exchanges: readonly Exchange[]): History {
  const records = exchanges.flatMap((exchange): FactRecord[] => {
    const { outcome, value } = judge(exchange);
    return readFacts(exchange, outcome, value).map((fact) => ({ exchange: exchange.id, fact }));
  });
  return { ...NO_COMPARISONS, notes: groupNotesByKind(JSON.parse(JSON.stringify(records)) as FactRecord[]) };
}

/** Rows of a behaviour that scenarios test: replies by role. */
export function rows<S extends Shape>(
  behaviour: ComparedBehaviour<BehaviourId, S>,
  all: Rows<EvidenceOf<S, 'row'>>,
): void {
  testRows(behaviour.id, all, (evidence) => compareForHistory(behaviour as ComparedBehaviour, evidence));
}

/** Rows of a behaviour of all answers: the exchanges of a run. */
export const runRows = ({ id }: Pick<RunBehaviour, 'id'>, all: Rows<readonly Exchange[]>): void =>
  testRows(id, all, noteForHistory);

function testRows<E>(id: BehaviourId, all: Rows<E>, toHistory: (evidence: E & object) => History): void {
  for (const [title, given] of Object.entries(all))
    test(`${id}: ${title}`, () => {
      for (const [nth, { evidence, is, how }] of [given].flat().entries() as Iterable<[number, Row<E & object>]>) {
        const { broken: found, exercised, untested } = evaluateBehaviours(toHistory(evidence));
        const own = found.filter(({ clause }) => clause === id);
        const isTested = exercised.some(({ clause }) => clause === id);
        const result = own.length > 0 ? 'broken' : isTested ? 'kept' : 'not tested';
        expect([nth, result]).toEqual([nth, is]);
        if (typeof how === 'string') expect(untested).toContainEqual({ clause: id, why: how });
        else if (how !== undefined) expect(own[0]).toMatchObject(how);
      }
    });
}
