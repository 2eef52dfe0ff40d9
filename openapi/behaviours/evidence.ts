/**
 * Defines evidence: the replies that a scenario compares, in named records and lists. A shape describes the roles, for example
 * `{ before: reply('requestLoan'), pairs: list({ first: reply('disburse'), second: reply('disburse') }) }`.
 * The exchange log has exchange ids by role: `{ before: ['a-1'], 'pairs.first': ['a-2', 'a-4'], 'pairs.second': ['a-3', 'a-5'] }`.
 * `writeEvidence` writes the ids, and `readEvidence` validates them and returns the replies.
 */
import type { Answers } from '../clauses/areas.ts';
import type { Exchange, OperationId } from '../model/exchange.ts';
import type { Answered, Compared, WrittenEvidence } from '../model/history.ts';
import type { Outcome } from '../model/outcome.ts';

/** The type of a decoded answer that nobody has validated: any member may be missing or null. */
type Loose<T> = T extends readonly (infer Item)[]
  ? readonly Loose<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]?: Loose<T[Key]> }
    : T | null;

/** The type of `data` in the answer of an operation. Any field may be missing. */
export type DataOf<O extends OperationId> = Loose<Answers[O]['data']>;

/** A reply as `judge` gets it: with its outcome and its decoded data. */
export type Judged<O extends OperationId> = Omit<Answered, 'operation' | 'data'> & {
  readonly operation: O;
  readonly data: DataOf<O>;
};

/** A reply as a scenario has it; null if nothing was sent. */
export interface Sent<O extends OperationId> {
  readonly operation: O;
  readonly outcome: Outcome | 'not-sent';
  readonly exchange: Pick<Exchange, 'id'>;
  readonly why?: string | null;
}

/** The three types of one reply: in `judge`, in a scenario, and in a row of a test. */
interface ReplyViews<O extends OperationId> {
  readonly judged: Judged<O>;
  readonly sent: Sent<O> | null;
  readonly row: Exchange;
}
type View = keyof ReplyViews<OperationId>;

interface ReplyRole<O extends OperationId> {
  readonly role: 'reply';
  readonly operations: readonly O[];
}
interface WordRole {
  readonly role: 'word';
}
interface OptionalRole<S> {
  readonly role: 'optional';
  readonly item: S;
}
interface ListRole<S> {
  readonly role: 'list';
  readonly item: S;
}
type Single = ReplyRole<OperationId> | { readonly [name: string]: ReplyRole<OperationId> };
type Member = Single | WordRole | ListRole<Single> | OptionalRole<Single | WordRole>;
export type Shape = Readonly<Record<string, Member>>;

/** A reply to one of these operations, or to any operation. */
export const reply = <O extends OperationId = OperationId>(...operations: readonly O[]): ReplyRole<O> => ({
  role: 'reply',
  operations,
});
/** A text for the finding, such as the name of an input. The exchanges do not contain this text. */
export const word: WordRole = { role: 'word' };
export const optional = <S extends Single | WordRole>(item: S): OptionalRole<S> => ({ role: 'optional', item });
/** Any number of replies or records. No member of a record is optional, because the exchange log has one array for each member. */
export const list = <S extends Single>(item: S): ListRole<S> => ({ role: 'list', item });

type OptionalNames<S> = { [N in keyof S]: S[N] extends OptionalRole<unknown> ? N : never }[keyof S];
type Value<M, V extends View> =
  M extends ReplyRole<infer O>
    ? ReplyViews<O>[V]
    : M extends WordRole
      ? string
      : M extends ListRole<infer I>
        ? readonly Value<I, V>[]
        : M extends OptionalRole<infer I>
          ? Value<I, V> | undefined
          : EvidenceOf<M, V>;
/** The evidence of a shape, as `judge` gets it, as a scenario sends it, or as a row of a test has it. */
export type EvidenceOf<S, V extends View = 'judged'> = {
  readonly [N in Exclude<keyof S, OptionalNames<S>>]: Value<S[N], V>;
} & { readonly [N in OptionalNames<S>]?: Value<S[N], V> };

type AnyMember = Member | Shape;
const isRole = <R extends string>(member: AnyMember, role: R): member is Extract<Member, { role: R }> =>
  member['role' as keyof AnyMember] === role;
const joinRoleNames = (at: string, name: string): string => (at === '' ? name : `${at}.${name}`);

/** Returns the id of an exchange; null if the request was not sent. */
function findExchangeId(reply: Sent<OperationId> | Exchange | null | undefined): string | null {
  if (reply == null) return null;
  if (!('exchange' in reply)) return reply.id;
  return reply.outcome === 'not-sent' ? null : reply.exchange.id;
}

/** Writes evidence for the exchange log. Returns the reason if a reply of the evidence was not sent. */
export function writeEvidence<S extends Shape>(
  shape: S,
  evidence: EvidenceOf<S, 'sent'> | EvidenceOf<S, 'row'>,
): WrittenEvidence | string {
  const exchanges: Record<string, string[]> = {};
  const about: Record<string, string> = {};
  let whyNotSent: string | undefined;
  function writeReply(reply: Sent<OperationId> | Exchange | null | undefined, at: string): void {
    const id = findExchangeId(reply);
    if (id !== null) (exchanges[at] ??= []).push(id);
    else whyNotSent ??= (reply as Sent<OperationId> | null | undefined)?.why ?? `the request “${at}” was not sent`;
  }
  function write(member: AnyMember, value: unknown, at: string): void {
    if (isRole(member, 'reply')) writeReply(value as Parameters<typeof writeReply>[0], at);
    else if (isRole(member, 'word')) about[at] = String(value);
    else if (isRole(member, 'list')) for (const item of value as readonly unknown[]) write(member.item, item, at);
    else if (isRole(member, 'optional')) {
      if (value != null) write(member.item, value, at);
    } else
      for (const [name, inner] of Object.entries(member))
        write(inner, (value as Record<string, unknown>)[name], joinRoleNames(at, name));
  }
  write(shape, evidence, '');
  return whyNotSent ?? { exchanges, about };
}

/**
 * Returns the operations of the replies that a shape needs, as a list of alternatives for each role. Leaves out optional roles, and
 * roles for any operation. Example: `[['disburse'], ['approveContract', 'disburse']]`.
 */
export function listNeededOperations(member: AnyMember): readonly (readonly OperationId[])[] {
  if (isRole(member, 'reply')) return member.operations.length > 0 ? [member.operations] : [];
  // A word is a text and has no operation. An optional reply is not needed.
  if (isRole(member, 'word') || isRole(member, 'optional')) return [];
  if (isRole(member, 'list')) return listNeededOperations(member.item);
  return Object.values(member).flatMap((inner) => listNeededOperations(inner as AnyMember));
}

/** The evidence of a comparison does not have the shape of its behaviour. The message is the end of a sentence. */
export class Misfit extends Error {}

/** Returns the names of all roles below a member, such as `pairs.first` and `pairs.second`. */
const listPlaces = (member: AnyMember, at: string): readonly string[] =>
  isRole(member, 'reply') || isRole(member, 'word')
    ? [at]
    : Object.entries(member).flatMap(([name, inner]) => listPlaces(inner as AnyMember, joinRoleNames(at, name)));

function readReply({ operations }: ReplyRole<OperationId>, answers: readonly Answered[], at: string, nth?: number) {
  const answer = answers[nth ?? 0];
  if (answer === undefined || (nth === undefined && answers.length > 1))
    throw new Misfit(`“${at}” has ${answers.length} exchanges instead of one`);
  if (operations.length > 0 && !operations.includes(answer.operation))
    throw new Misfit(`“${at}” is an exchange of ${answer.operation}`);
  return answer;
}

/** Reads the evidence of a comparison. Throws `Misfit` if the evidence does not have the shape: anybody may have written the log. */
export function readEvidence<S extends Shape>(shape: S, { answers, about }: Compared): EvidenceOf<S> {
  const findAnswers = (place: string): readonly Answered[] => answers[place] ?? [];
  const allowedRoles = new Set(['way']);
  function read(member: AnyMember, at: string, nth?: number): unknown {
    if (isRole(member, 'reply') || isRole(member, 'word')) allowedRoles.add(at);
    if (isRole(member, 'reply')) return readReply(member, findAnswers(at), at, nth);
    if (isRole(member, 'word')) {
      if (about[at] === undefined) throw new Misfit(`the words “${at}” are missing`);
      return about[at];
    }
    if (isRole(member, 'list')) {
      const places = listPlaces(member.item, at);
      for (const place of places) allowedRoles.add(place);
      const [length = 0, ...otherLengths] = new Set(places.map((place) => findAnswers(place).length));
      if (otherLengths.length > 0) throw new Misfit(`the parts of “${at}” differ in length`);
      return Array.from({ length }, (_, index) => read(member.item, at, index));
    }
    if (isRole(member, 'optional'))
      return listPlaces(member.item, at).some((place) => place in answers || place in about)
        ? read(member.item, at)
        : undefined;
    return Object.fromEntries(
      Object.entries(member).map(([name, inner]) => [name, read(inner as AnyMember, joinRoleNames(at, name), nth)]),
    );
  }
  const evidence = read(shape, '') as EvidenceOf<S>;
  const unexpectedRole = [...Object.keys(answers), ...Object.keys(about)].find((role) => !allowedRoles.has(role));
  if (unexpectedRole !== undefined) throw new Misfit(`it has no role “${unexpectedRole}”`);
  return evidence;
}
