/** Judges that identifiers of one kind that have leading zeros have the same number of digits. Example: 0042 and 0107, but not 107. */
import { citeSection, defineLevels, FIELDS_SECTION } from '../../../clauses/clause.ts';
import type { OperationId } from '../../../model/exchange.ts';
import type { Run } from '../../../model/record.ts';
import type { SeenAtm } from '../../records/kinds.ts';
import { groupBy } from '../../../util/group-by.ts';
import { max } from '../../../util/min-max.ts';
import { areAtOnePlace, joinInputs } from '../atms/positions.ts';
import { broken, kept, notTested, ofRun, type Verdict } from '../../../behaviours/behaviour.ts';

/** At least this many different identifiers must have leading zeros, because a few may have one width by chance. */
const MIN_PADDED = 10;

/** An identifier in an answer. `listName` is the same for all answers to one request. */
interface ShownId {
  readonly text: string;
  readonly exchange: string;
  readonly listName: string;
  readonly atm?: SeenAtm;
}

/** A kind of identifiers: its name, its place in answers, and all identifiers of a run. */
interface IdentifierKind {
  readonly name: string;
  readonly operation: OperationId;
  readonly pointer: string;
  readonly listIds: (run: Run) => readonly ShownId[];
}

const identifierKinds: readonly IdentifierKind[] = [
  {
    name: 'ATM number',
    operation: 'findAtms',
    pointer: '/data/*/atm_no',
    listIds: ({ atmAnswers }) =>
      atmAnswers.flatMap((answer) =>
        answer.atms.map((atm) => ({ text: atm.no, exchange: answer.exchange, listName: joinInputs(answer), atm })),
      ),
  },
  {
    name: 'application id',
    operation: 'requestLoan',
    pointer: '/data/application_id',
    listIds: ({ applications }) => applications.map(({ text, exchange }) => ({ text, exchange, listName: exchange })),
  },
  {
    name: 'account id',
    operation: 'requestLoan',
    pointer: '/data/infos/*/account_id',
    listIds: ({ accounts }) => accounts.map(({ text, exchange }) => ({ text, exchange, listName: exchange })),
  },
];

/** True if exactly the identifiers of one list are shorter. */
function areOfOneList(shorterIds: readonly ShownId[], allIds: readonly ShownId[]): boolean {
  const [listName, ...otherListNames] = new Set(shorterIds.map((id) => id.listName));
  const idsOfList = allIds.filter((id) => id.listName === listName);
  const isShorter = ({ text }: ShownId): boolean => shorterIds.some((shorterId) => shorterId.text === text);
  return otherListNames.length === 0 && idsOfList.every(isShorter);
}

/** True if another ATM has the place or the name of this ATM: the two may be one machine with two numbers. */
const sharesSite = ({ text, atm }: ShownId, allIds: readonly ShownId[]): boolean =>
  atm !== undefined &&
  allIds.some(
    (otherId) =>
      otherId.atm !== undefined &&
      otherId.text !== text &&
      (otherId.atm.name === atm.name || areAtOnePlace(otherId.atm, atm)),
  );

/** Judges the identifiers of one kind; null if too few have leading zeros. */
function judgeKind({ name: kindName, operation, pointer, listIds }: IdentifierKind, run: Run): Verdict | null {
  const numericIds = listIds(run).filter(({ text }) => /^\d+$/.test(text));
  const idsByText = groupBy(numericIds, ({ text }) => text);
  const maxWidth = max([...idsByText.keys()].map((text) => text.length));
  const paddedTexts = [...idsByText.keys()].filter((text) => text.startsWith('0') && text.length === maxWidth);
  const [examplePadded] = paddedTexts;
  const [paddedId] = examplePadded === undefined ? [] : (idsByText.get(examplePadded) ?? []);
  if (paddedId === undefined || paddedTexts.length < MIN_PADDED) return null;
  const shorterIds = numericIds.filter(({ text }) => text.length < maxWidth);
  const [firstShorter] = shorterIds;
  const contrast = { exchange: paddedId.exchange, operation };
  const { size: shorterCount } = new Set(shorterIds.map(({ text }) => text));
  if (firstShorter === undefined) return kept(contrast, { count: idsByText.size });
  const areOfSeveralLists = shorterCount > 1 && !areOfOneList(shorterIds, numericIds);
  if (areOfSeveralLists || shorterIds.some((id) => sharesSite(id, numericIds)))
    return notTested(`the ${kindName}s have several widths`);
  return broken(
    { exchange: firstShorter.exchange, operation },
    {
      contrast,
      pointer,
      expected: `${maxWidth} digits, as the other ${idsByText.size - shorterCount} ${kindName}s have`,
      received: `"${firstShorter.text}"`,
      count: shorterCount,
    },
  );
}

export const identifiersPadded = ofRun({
  id: 'service.identifiers-padded',
  clause: defineLevels('service').expected(
    citeSection(FIELDS_SECTION),
    'If identifiers of one kind have leading zeros, all of them have the same number of digits.',
  ),
  unit: 'answers',
  control: 'At least ten identifiers of the kind have leading zeros, and all those have one width.',
  judge(run) {
    const verdicts = identifierKinds.flatMap((kind) => judgeKind(kind, run) ?? []);
    return verdicts.length > 0 ? verdicts : [notTested('fewer than ten identifiers of a kind have leading zeros')];
  },
});
