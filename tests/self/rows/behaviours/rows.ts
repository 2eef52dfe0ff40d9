/**
 * Makes a test of each row: a condition, exchanges in which it holds, and the expected result of a behaviour. The title is for example
 * `atms.closest is kept if each answer has the four closest ATMs`. The exchanges are first written as evidence, and read back.
 */
import { expect, test } from '@playwright/test';
import type { ComparedBehaviour, RunBehaviour } from '../../../../openapi/behaviours/behaviour.ts';
import { evaluateBehaviours } from '../../../../openapi/evaluate-run.ts';
import { writeEvidence, type EvidenceOf, type Shape } from '../../../../openapi/behaviours/evidence.ts';
import { openRun } from '../../../../openapi/evaluate-run.ts';
import { readAnswer } from '../../../../openapi/history/answers.ts';
import { readProbe } from '../../../../openapi/history/records.ts';
import { judge } from '../../../../openapi/judge.ts';
import type { History } from '../../../../openapi/model/history.ts';
import type { Exchange } from '../../../../openapi/model/exchange.ts';
import type { Violation } from '../../../../openapi/model/finding.ts';
import type { ExchangeRecord } from '../../../../openapi/model/journal.ts';
import type { RunRecord } from '../../../../openapi/model/record.ts';
import { collectRecords, EMPTY_HISTORY } from '../../support/judge-harness.ts';

interface Row<E> {
  readonly evidence: E;
  readonly is: 'kept' | 'broken' | 'not tested';
  /** The finding or its important parts, or the reason for the result `not tested`. */
  readonly how?: Partial<Violation> | string | undefined;
}
export const kept = <E>(evidence: NoInfer<E>): Row<E> => ({ evidence, is: 'kept' });
export const broken = <E>(evidence: NoInfer<E>, how?: Partial<Violation>): Row<E> => ({ evidence, is: 'broken', how });
export const notTested = <E>(evidence: NoInfer<E>, why: string): Row<E> => ({ evidence, is: 'not tested', how: why });

/** Rows by the condition that they have in common. */
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
  const answers = Object.entries(written.exchanges).map(([role, ids]) => [
    role,
    ids.flatMap((exchangeId) => {
      const exchange = byId.get(exchangeId);
      return exchange === undefined ? [] : [readAnswer(exchange, judge(exchange).outcome)];
    }),
  ]);
  const about = { ...written.about, ...(way === undefined ? {} : { way }) };
  const compared = { answers: Object.fromEntries(answers), about };
  return { ...EMPTY_HISTORY, compared: (clause) => (clause === id ? [compared] : []) };
}

/** An exchange; for an invalid request, with the id of its positive control. */
type Recorded = Exchange & Pick<ExchangeRecord, 'control' | 'repeats'>;

function recordForHistory(exchanges: readonly Recorded[]): History {
  const records = exchanges.flatMap((exchange): readonly RunRecord[] => [
    ...collectRecords(exchange),
    ...readProbe(exchange, exchange, judge(exchange).outcome),
  ]);
  return { ...EMPTY_HISTORY, run: openRun(JSON.parse(JSON.stringify(records)) as RunRecord[]) };
}

/** Makes the tests of a behaviour that is judged from the comparison of one scenario. A row has the exchanges by their role. */
export function rows<S extends Shape>(
  behaviour: ComparedBehaviour<string, S>,
  rowsByCondition: Rows<EvidenceOf<S, 'row'>>,
): void {
  testRows(behaviour, rowsByCondition, (evidence) => compareForHistory(behaviour as ComparedBehaviour, evidence));
}

/** Makes the tests of a behaviour that is judged from all answers of a run. A row has the exchanges of a run. */
export const runRows = (behaviour: Pick<RunBehaviour, 'id'>, rowsByCondition: Rows<readonly Recorded[]>): void =>
  testRows(behaviour, rowsByCondition, recordForHistory);

function testRows<E>(
  { id, way }: Pick<ComparedBehaviour, 'id' | 'way'>,
  rowsByCondition: Rows<E>,
  toHistory: (evidence: E & object) => History,
): void {
  for (const [condition, oneOrSeveral] of Object.entries(rowsByCondition)) {
    const rowsOfTest = [oneOrSeveral].flat() as readonly Row<E & object>[];
    const results = [...new Set(rowsOfTest.map(({ is }) => is))].join(' or ');
    test(`${id}${way === undefined ? '' : ` (${way})`} is ${results} if ${condition}`, () => {
      for (const [nth, { evidence, is, how }] of rowsOfTest.entries()) {
        const { broken: found, exercised, untested } = evaluateBehaviours(toHistory(evidence));
        const findings = found.filter(({ clause }) => clause === id);
        const isTested = exercised.some(({ clause }) => clause === id);
        const result = isTested ? 'kept' : 'not tested';
        expect([nth, findings.length > 0 ? 'broken' : result]).toEqual([nth, is]);
        if (typeof how === 'string') expect(untested).toContainEqual({ clause: id, why: how });
        else if (how !== undefined) expect(findings[0]).toMatchObject(how);
      }
    });
  }
}
