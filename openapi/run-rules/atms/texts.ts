/** Names and addresses of ATMs that change places from one answer to another. */
import type { AtmFact, FactRecord } from '../../model/facts.ts';
import type { ResultCollector } from '../result-collector.ts';

const fields = ['atm_name', 'atm_address'] as const;

/** ATMs that have, in a later answer, the text that an earlier one gave to another ATM beside their own. */
function exchanged(answers: readonly FactRecord<AtmFact>[], index: 0 | 1) {
  const first = new Map<string, { text: string; answer: FactRecord<AtmFact> }>();
  return answers.flatMap((answer) =>
    answer.fact.atms.flatMap(([no, , , , , { [index]: text }]) => {
      if (text === null) return [];
      const before = first.get(no);
      if (before === undefined) first.set(no, { text, answer });
      if (before === undefined || before.text === text) return [];
      const other = before.answer.fact.atms.find((atm) => atm[0] !== no && atm[5][index] === text);
      return other === undefined
        ? []
        : [{ no, other: other[0], exchange: answer.exchange, contrast: before.answer.exchange }];
    }),
  );
}

/** Another spelling or a new name is no mistake; the name of another ATM is. */
export function evaluateTexts(results: ResultCollector, answers: readonly FactRecord<AtmFact>[]): void {
  for (const index of [0, 1] as const) {
    const found = exchanged(answers, index);
    const [one] = found;
    if (one === undefined) continue;
    const { no, other, exchange, contrast } = one;
    results.break({
      clause: 'atms.no.one-place',
      operation: 'findAtms',
      pointer: `/data/*/${fields[index]}`,
      expected: `what the ATM ${no} had in another answer`,
      received: `what that answer gave to the ATM ${other}`,
      exchange,
      contrast,
      count: found.length,
    });
  }
}
