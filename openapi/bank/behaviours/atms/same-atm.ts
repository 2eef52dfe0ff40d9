/** Judges that the same ATM has one number, one place and the same texts in all answers. */
import { defineLevels } from '../../../clauses/clause.ts';
import { atmField } from '../../clauses/atms.ts';
import type { SeenAtm } from '../../records/kinds.ts';
import { groupBy } from '../../../util/group-by.ts';
import { toInteger } from '../../../util/ids.ts';
import { findContradictions, keptIfRepeated, mergeBroken, type Contradiction } from '../../../behaviours/agreement.ts';
import { broken, ofRun, type Verdict } from '../../../behaviours/behaviour.ts';
import { areAtOnePlace, type AtmAnswer } from './positions.ts';

interface ShownAtm extends SeenAtm {
  readonly exchange: string;
}
type TextField = keyof SeenAtm['texts'];

const { mustIfShown, expected } = defineLevels('atms');
const NO_ATM_TWICE = 'no ATM came twice';

const listShownAtms = (answers: readonly AtmAnswer[]): readonly ShownAtm[] =>
  answers.flatMap(({ atms, exchange }) => atms.map((atm) => ({ ...atm, exchange })));

const judgePositions = (shown: readonly ShownAtm[]): readonly Verdict[] =>
  findContradictions(shown, ({ no }) => no, areAtOnePlace).map(({ by, contrast, count }) =>
    broken(by, {
      contrast,
      count,
      pointer: '/data/*/atm_no',
      expected: `one place for the number ${by.no}`,
      received: `${contrast.latitude}, ${contrast.longitude} and ${by.latitude}, ${by.longitude}`,
    }),
  );

/** Returns the name of a field without its prefix: `city` for `atm_city`. */
const nameField = (field: TextField): string => field.slice('atm_'.length);

/** Judges whether an ATM has the same city or district in all answers. The spelling may differ. */
function judgePlaceName(shown: readonly ShownAtm[], field: 'atm_city' | 'atm_district'): readonly Verdict[] {
  const withName = shown.filter(({ texts }) => texts[field] !== null);
  const differing = findContradictions(
    withName,
    ({ no, latitude, longitude }) => `${no} ${latitude} ${longitude}`,
    (a, b) => a.texts[field] === b.texts[field],
  );
  return mergeBroken(differing, ({ by: { no } }) => ({
    pointer: `/data/*/${field}`,
    expected: `the ${nameField(field)} of the ATM ${no} in another answer`,
    received: `another ${nameField(field)}`,
  }));
}

/** Returns the texts that two different ATMs of one answer have. */
function findSharedTexts(answers: readonly AtmAnswer[], field: TextField): ReadonlySet<string> {
  const shared = new Set<string>();
  for (const { atms } of answers) {
    const holders = new Map<string, string>();
    for (const { no, texts } of atms) {
      const text = texts[field];
      if (text === null) continue;
      if ((holders.get(text) ?? no) === no) holders.set(text, no);
      else shared.add(text);
    }
  }
  return shared;
}

/** At least this many different texts must be swapped between ATMs: a single text may fit any ATM, such as "out of service". */
const MIN_SWAPPED_TEXTS = 2;

/** An ATM (`no`) that has a text in one answer, and another ATM (`owner`) that has the same text in an earlier answer. */
interface SwappedText extends Contradiction<{ readonly exchange: string }> {
  readonly no: string;
  readonly text: string;
  readonly owner: string;
}

function findSwappedTexts(answers: readonly AtmAnswer[], field: TextField): readonly SwappedText[] {
  const shared = findSharedTexts(answers, field);
  const first = new Map<string, { readonly text: string; readonly answer: AtmAnswer }>();
  return answers.flatMap((answer) => {
    const found = answer.atms.flatMap(({ no, texts }): SwappedText[] => {
      const text = texts[field];
      if (text === null || shared.has(text)) return [];
      const before = first.get(no);
      if (before === undefined) first.set(no, { text, answer });
      if (before === undefined || before.text === text) return [];
      const owner = before.answer.atms.find((atm) => atm.no !== no && atm.texts[field] === text);
      return owner === undefined ? [] : [{ no, text, owner: owner.no, by: answer, contrast: before.answer }];
    });
    return new Set(found.map(({ text }) => text)).size < MIN_SWAPPED_TEXTS ? [] : found;
  });
}

/** Judges whether no ATM gets the name or address of another ATM. Another spelling or a new name is allowed. */
function judgeAtmText(answers: readonly AtmAnswer[], field: 'atm_name' | 'atm_address'): readonly Verdict[] {
  return mergeBroken(findSwappedTexts(answers, field), ({ no, owner }) => ({
    pointer: `/data/*/${field}`,
    expected: `the ${nameField(field)} of the ATM ${no} in another answer`,
    received: `the ${nameField(field)} of the ATM ${owner} in that answer`,
  }));
}

export const atmAtOnePlace = ofRun({
  id: 'atms.no.one-place',
  clause: expected(atmField('atm_no'), 'All answers give one ATM number (atm_no) the same place and the same texts.'),
  operation: 'findAtms',
  control: 'The same ATM number comes at least twice.',
  judge({ atmAnswers }) {
    const shown = listShownAtms(atmAnswers);
    return [
      ...keptIfRepeated(shown, ({ no }) => no, NO_ATM_TWICE),
      ...judgePositions(shown),
      ...judgePlaceName(shown, 'atm_city'),
      ...judgePlaceName(shown, 'atm_district'),
      ...judgeAtmText(atmAnswers, 'atm_name'),
      ...judgeAtmText(atmAnswers, 'atm_address'),
    ];
  },
});

/** True if one answer shows these ATMs with different numbers: then they are different ATMs. */
const areInOneAnswer = (atms: readonly ShownAtm[]): boolean =>
  [...groupBy(atms, ({ exchange }) => exchange).values()].some((shown) => new Set(shown.map(({ no }) => no)).size > 1);

export const atmNumberSameText = ofRun({
  id: 'atms.no.same-text',
  clause: mustIfShown(
    atmField('atm_no'),
    'The ATM number (atm_no) of an ATM is the same text in every answer, including its leading zeros.',
  ),
  operation: 'findAtms',
  control: 'The same ATM comes at least twice.',
  judge({ atmAnswers }) {
    const shown = listShownAtms(atmAnswers);
    const describeAtm = ({ no, latitude, longitude, name }: ShownAtm): string =>
      `${toInteger(no)} ${latitude} ${longitude} ${name}`;
    const differing = findContradictions(shown, describeAtm, (a, b) => a.no === b.no || toInteger(b.no) === null);
    return [
      ...keptIfRepeated(shown, describeAtm, NO_ATM_TWICE),
      ...differing
        .filter(({ alike }) => !areInOneAnswer(alike))
        .map(({ by, contrast, count }) =>
          broken(by, {
            contrast,
            count,
            pointer: '/data/*/atm_no',
            expected: `"${contrast.no.length > by.no.length ? contrast.no : by.no}" in every answer`,
            received: `"${contrast.no}" and "${by.no}" for the ATM ${contrast.name}`,
          }),
        ),
    ];
  },
});
