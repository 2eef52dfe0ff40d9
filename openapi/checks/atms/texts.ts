/** Checks that an ATM has the same name, address, city and district in all answers. */
import type { Check } from '../../model/check.ts';
import type { AtmFact, FactRecord } from '../../model/facts.ts';
import { findContradictions, mergeFindings, noteCheck } from '../../notes/generators.ts';

/** At least this many different texts must be swapped between ATMs: a single text may fit any ATM, such as "out of service". */
const MIN_SWAPPED_TEXTS = 2;

/** Returns the texts that several ATMs of one answer share, such as a common address. */
function findSharedTexts(answers: readonly FactRecord<AtmFact>[], index: 0 | 1): ReadonlySet<string> {
  const shared = new Set<string>();
  for (const { fact } of answers) {
    const holders = new Map<string, string>();
    for (const [no, , , , , { [index]: text }] of fact.atms) {
      if (text === null) continue;
      if ((holders.get(text) ?? no) === no) holders.set(text, no);
      else shared.add(text);
    }
  }
  return shared;
}

/** Finds ATMs that have, in a later answer, the text of another ATM. */
function findSwappedTexts(answers: readonly FactRecord<AtmFact>[], index: 0 | 1) {
  const shared = findSharedTexts(answers, index);
  const first = new Map<string, { text: string; answer: FactRecord<AtmFact> }>();
  return answers.flatMap((answer) => {
    const found = answer.fact.atms.flatMap(([no, , , , , { [index]: text }]) => {
      if (text === null || shared.has(text)) return [];
      const before = first.get(no);
      if (before === undefined) first.set(no, { text, answer });
      if (before === undefined || before.text === text) return [];
      const owner = before.answer.fact.atms.find((atm) => atm[0] !== no && atm[5][index] === text);
      return owner === undefined
        ? []
        : [{ no, text, owner: owner[0], exchange: answer.exchange, contrast: before.answer }];
    });
    return new Set(found.map(({ text }) => text)).size < MIN_SWAPPED_TEXTS ? [] : found;
  });
}

/** Makes a check that no ATM gets the name or address of another ATM. Another spelling or a new name is allowed. */
const checkAtmTexts = (field: 'atm_name' | 'atm_address', index: 0 | 1): Check =>
  noteCheck('atms.no.one-place', 'findAtms', function* ({ notes }) {
    yield* mergeFindings(
      findSwappedTexts(notes('atms'), index).map((by) => ({
        by,
        contrast: by.contrast,
        pointer: `/data/*/${field}`,
        expected: `the ${field.slice('atm_'.length)} of the ATM ${by.no} in another answer`,
        received: `the ${field.slice('atm_'.length)} of the ATM ${by.owner} in that answer`,
      })),
    );
  });

/** Makes a check that an ATM has the same city or district in all answers. The spelling may differ. */
const checkCityName = (field: 'atm_city' | 'atm_district', index: 2 | 3): Check =>
  noteCheck('atms.no.one-place', 'findAtms', function* ({ notes }) {
    const named = notes('atms').flatMap(({ exchange, fact }) =>
      fact.atms.flatMap(([no, latitude, longitude, , , { [index]: name }]) =>
        name === null ? [] : [{ exchange, no, name, key: `${no} ${latitude} ${longitude}` }],
      ),
    );
    const wrong = findContradictions(
      named,
      ({ key }) => key,
      (a, b) => a.name === b.name,
      (_, { no }) => ({
        pointer: `/data/*/${field}`,
        expected: `the ${field.slice('atm_'.length)} of the ATM ${no} in another answer`,
        received: `another ${field.slice('atm_'.length)}`,
      }),
    );
    yield* mergeFindings([...wrong]);
  });

export const textChecks: readonly Check[] = [
  checkCityName('atm_city', 2),
  checkCityName('atm_district', 3),
  checkAtmTexts('atm_name', 0),
  checkAtmTexts('atm_address', 1),
];
