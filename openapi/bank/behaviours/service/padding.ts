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

/** An identifier in an answer. `list` is the same for all answers to one request. */
interface ShownId {
  readonly text: string;
  readonly exchange: string;
  readonly list: string;
  readonly atm?: SeenAtm;
}

/** A kind of identifiers: its name, its place in answers, and all identifiers of a run. */
interface Kind {
  readonly name: string;
  readonly operation: OperationId;
  readonly pointer: string;
  readonly list: (run: Run) => readonly ShownId[];
}

const kinds: readonly Kind[] = [
  {
    name: 'ATM number',
    operation: 'findAtms',
    pointer: '/data/*/atm_no',
    list: ({ atmAnswers }) =>
      atmAnswers.flatMap((answer) =>
        answer.atms.map((atm) => ({ text: atm.no, exchange: answer.exchange, list: joinInputs(answer), atm })),
      ),
  },
  {
    name: 'application id',
    operation: 'requestLoan',
    pointer: '/data/application_id',
    list: ({ applications }) => applications.map(({ text, exchange }) => ({ text, exchange, list: exchange })),
  },
  {
    name: 'account id',
    operation: 'requestLoan',
    pointer: '/data/infos/*/account_id',
    list: ({ accounts }) => accounts.map(({ text, exchange }) => ({ text, exchange, list: exchange })),
  },
];

/** True if the shorter identifiers are exactly those of one list. */
const areOfOneList = (shorter: readonly ShownId[], ids: readonly ShownId[]): boolean =>
  new Set(shorter.map(({ list }) => list)).size === 1 &&
  ids.every(({ list, text }) => list !== shorter[0]?.list || shorter.some((shorterId) => shorterId.text === text));

/** True if another ATM has the place or the name of this ATM: the two may be one machine with two numbers. */
const sharesSite = ({ text, atm }: ShownId, ids: readonly ShownId[]): boolean =>
  atm !== undefined &&
  ids.some(
    (other) =>
      other.atm !== undefined && other.text !== text && (other.atm.name === atm.name || areAtOnePlace(other.atm, atm)),
  );

/** Judges the identifiers of one kind; null if too few have leading zeros. */
function judgeKind({ name, operation, pointer, list }: Kind, run: Run): Verdict | null {
  const ids = list(run).filter(({ text }) => /^\d+$/.test(text));
  const byText = groupBy(ids, ({ text }) => text);
  const width = max([...byText.keys()].map((text) => text.length));
  const padded = [...byText.keys()].filter((text) => text.startsWith('0') && text.length === width);
  const [example] = padded;
  const [first] = example === undefined ? [] : (byText.get(example) ?? []);
  if (first === undefined || padded.length < MIN_PADDED) return null;
  const shorter = ids.filter(({ text }) => text.length < width);
  const [by] = shorter;
  const contrast = { exchange: first.exchange, operation };
  const { size: count } = new Set(shorter.map(({ text }) => text));
  if (by === undefined) return kept(contrast, { count: byText.size });
  if ((count > 1 && !areOfOneList(shorter, ids)) || shorter.some((id) => sharesSite(id, ids)))
    return notTested(`the ${name}s have several widths`);
  return broken(
    { exchange: by.exchange, operation },
    {
      contrast,
      pointer,
      expected: `${width} digits, as the other ${byText.size - count} ${name}s have`,
      received: `"${by.text}"`,
      count,
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
    const verdicts = kinds.flatMap((kind) => judgeKind(kind, run) ?? []);
    return verdicts.length > 0 ? verdicts : [notTested('fewer than ten identifiers of a kind have leading zeros')];
  },
});
