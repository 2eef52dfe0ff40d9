import type { SentRequest } from '../../../../openapi/model/exchange.ts';
import type { AreaFacts, OperationFacts } from '../../../../openapi/model/operation.ts';
import type { Area, OperationId } from './ids.ts';

export { createdResources } from './created.ts';

const plain: OperationFacts = {
  ...{
    area: 'books',
    label: 'Books',
    needs: [],
    after: [],
    readOnly: true,
    subject: null,
    creates: null,
    usesUp: null,
  },
  ...{ asEarlierStep: null, freeText: null, listedInputs: [], list: null, answeredIds: null, rules: [] },
  ...{ isDisguiseShownByRun: false, declinedClause: null, refusalClause: null, boundsPoint: null, refusalsPoint: null },
  ...{ observe: null, kept: { change: null, accepted: null, refused: null, state: null }, logged: null },
  ...{ whenNotReached: null, hasTestData: false, plannedRefusals: [] },
};

export const operationFacts: Readonly<Record<OperationId, OperationFacts>> = {
  listBooks: plain,
  borrowBook: {
    ...{ ...plain, label: 'Borrowing', needs: ['listBooks'], readOnly: false },
    creates: { what: 'borrowing', title: 'Borrowings', kind: 'borrowings', id: 'borrowing', shownBy: null },
    whenNotReached: 'the library has no books',
  },
  queryBorrowing: { ...plain, label: 'Query', needs: ['borrowBook'], readOnly: false, subject: 'borrowing' },
};

export const areaFacts: Readonly<Record<Area, AreaFacts>> = {
  books: { name: 'books', title: 'Books', usesToken: false, noOtherHeaders: 'books.input' },
};

type Values = Readonly<Record<string, unknown>>;

export const findApplication = (): unknown => undefined;
export const findComparedShare = (): null => null;
export const openUniquenessTest = () => (): boolean => true;

export const FRESH_INPUT = 'book';
export const TOKEN_MEMBER = 'token';
export const ADDRESS_MEMBER = 'address';
export const getOrderIdType = (_request: SentRequest): 'text' | null => null;
export const getRepeatableInputs = ({ asked }: SentRequest) =>
  Object.fromEntries(Object.entries(asked).map(([name, value]) => [name, String(value)]));
export const readForms = () => ({});
export const readRequestedId = ({ book = '' }: Values): string => String(book);
export const readAmount = (_values: Values) => ({});

const isNever = (_name: string): boolean => false;
export { isNever as isAddress, isNever as isFilledText, isNever as isForm, isNever as isFreeText };
export { isNever as isFreshInput, isNever as isHumanText, isNever as isWebAddress };
