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

const judgePositions = (shownAtms: readonly ShownAtm[]): readonly Verdict[] =>
  findContradictions(shownAtms, ({ no }) => no, areAtOnePlace).map(({ answer, contrast, count }) =>
    broken(answer, {
      contrast,
      count,
      pointer: '/data/*/atm_no',
      expected: `one place for the number ${answer.no}`,
      received: `${contrast.latitude}, ${contrast.longitude} and ${answer.latitude}, ${answer.longitude}`,
    }),
  );

/** Returns the name of a field without its prefix: `city` for `atm_city`. */
const nameField = (field: TextField): string => field.slice('atm_'.length);

/** Judges whether an ATM has the same city or district in all answers. The spelling may differ. */
function judgePlaceName(shownAtms: readonly ShownAtm[], field: 'atm_city' | 'atm_district'): readonly Verdict[] {
  const atmsWithName = shownAtms.filter(({ texts }) => texts[field] !== null);
  const contradictions = findContradictions(
    atmsWithName,
    ({ no, latitude, longitude }) => `${no} ${latitude} ${longitude}`,
    (atm, otherAtm) => atm.texts[field] === otherAtm.texts[field],
  );
  return mergeBroken(contradictions, ({ answer: { no } }) => ({
    pointer: `/data/*/${field}`,
    expected: `the ${nameField(field)} of the ATM ${no} in another answer`,
    received: `another ${nameField(field)}`,
  }));
}

/** Returns the texts that two different ATMs of one answer have. */
function findSharedTexts(answers: readonly AtmAnswer[], field: TextField): ReadonlySet<string> {
  const sharedTexts = new Set<string>();
  for (const { atms } of answers) {
    const atmNumberByText = new Map<string, string>();
    for (const { no, texts } of atms) {
      const text = texts[field];
      if (text === null) continue;
      if ((atmNumberByText.get(text) ?? no) === no) atmNumberByText.set(text, no);
      else sharedTexts.add(text);
    }
  }
  return sharedTexts;
}

/** At least this many different texts must be swapped between ATMs: a single text may fit any ATM, such as "out of service". */
const MIN_SWAPPED_TEXTS = 2;

/** An ATM (`atmNumber`) that has a text in one answer, and another ATM (`ownerNumber`) that has the same text in an earlier answer. */
interface SwappedText extends Contradiction<{ readonly exchange: string }> {
  readonly atmNumber: string;
  readonly text: string;
  readonly ownerNumber: string;
}

function findSwappedTexts(answers: readonly AtmAnswer[], field: TextField): readonly SwappedText[] {
  const sharedTexts = findSharedTexts(answers, field);
  const firstByAtmNumber = new Map<string, { readonly text: string; readonly answer: AtmAnswer }>();
  return answers.flatMap((answer) => {
    const swappedTexts = answer.atms.flatMap(({ no, texts }): SwappedText[] => {
      const text = texts[field];
      if (text === null || sharedTexts.has(text)) return [];
      const firstTextOfAtm = firstByAtmNumber.get(no);
      if (firstTextOfAtm === undefined) firstByAtmNumber.set(no, { text, answer });
      if (firstTextOfAtm === undefined || firstTextOfAtm.text === text) return [];
      const ownerAtm = firstTextOfAtm.answer.atms.find((atm) => atm.no !== no && atm.texts[field] === text);
      return ownerAtm === undefined
        ? []
        : [{ atmNumber: no, text, ownerNumber: ownerAtm.no, answer, contrast: firstTextOfAtm.answer }];
    });
    return new Set(swappedTexts.map(({ text }) => text)).size < MIN_SWAPPED_TEXTS ? [] : swappedTexts;
  });
}

/** Judges whether no ATM gets the name or address of another ATM. Another spelling or a new name is allowed. */
function judgeAtmText(answers: readonly AtmAnswer[], field: 'atm_name' | 'atm_address'): readonly Verdict[] {
  return mergeBroken(findSwappedTexts(answers, field), ({ atmNumber, ownerNumber }) => ({
    pointer: `/data/*/${field}`,
    expected: `the ${nameField(field)} of the ATM ${atmNumber} in another answer`,
    received: `the ${nameField(field)} of the ATM ${ownerNumber} in that answer`,
  }));
}

export const atmAtOnePlace = ofRun({
  id: 'atms.no.one-place',
  clause: expected(atmField('atm_no'), 'All answers give one ATM number (atm_no) the same place and the same texts.'),
  operation: 'findAtms',
  control: 'The same ATM number comes at least twice.',
  judge({ atmAnswers }) {
    const shownAtms = listShownAtms(atmAnswers);
    return [
      ...keptIfRepeated(shownAtms, ({ no }) => no, NO_ATM_TWICE),
      ...judgePositions(shownAtms),
      ...judgePlaceName(shownAtms, 'atm_city'),
      ...judgePlaceName(shownAtms, 'atm_district'),
      ...judgeAtmText(atmAnswers, 'atm_name'),
      ...judgeAtmText(atmAnswers, 'atm_address'),
    ];
  },
});

/** True if one answer shows these ATMs with different numbers: then they are different ATMs. */
const areInOneAnswer = (atms: readonly ShownAtm[]): boolean =>
  [...groupBy(atms, ({ exchange }) => exchange).values()].some(
    (atmsOfAnswer) => new Set(atmsOfAnswer.map(({ no }) => no)).size > 1,
  );

export const atmNumberSameText = ofRun({
  id: 'atms.no.same-text',
  clause: mustIfShown(
    atmField('atm_no'),
    'The ATM number (atm_no) of an ATM is the same text in every answer, including its leading zeros.',
  ),
  operation: 'findAtms',
  control: 'The same ATM comes at least twice.',
  judge({ atmAnswers }) {
    const shownAtms = listShownAtms(atmAnswers);
    const describeAtm = ({ no, latitude, longitude, name }: ShownAtm): string =>
      `${toInteger(no)} ${latitude} ${longitude} ${name}`;
    const contradictions = findContradictions(
      shownAtms,
      describeAtm,
      (atm, otherAtm) => atm.no === otherAtm.no || toInteger(otherAtm.no) === null,
    );
    return [
      ...keptIfRepeated(shownAtms, describeAtm, NO_ATM_TWICE),
      ...contradictions
        .filter(({ alike: sameAtms }) => !areInOneAnswer(sameAtms))
        .map(({ answer, contrast, count }) =>
          broken(answer, {
            contrast,
            count,
            pointer: '/data/*/atm_no',
            expected: `"${contrast.no.length > answer.no.length ? contrast.no : answer.no}" in every answer`,
            received: `"${contrast.no}" and "${answer.no}" for the ATM ${contrast.name}`,
          }),
        ),
    ];
  },
});
