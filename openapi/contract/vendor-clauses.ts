/**
 * Clauses for what an overlay promises beyond the document: each new or changed keyword of an answer gets a clause of its own
 * in the namespace `vendor.`, so that it is judged and reported under its own sentence; and clauses about header fields that an
 * overlay renames speak of the new name.
 */
import type { Clause } from '../clauses/clause.ts';
import { addClauses, clauses, type ClauseId } from '../clauses/index.ts';
import type { Area } from '../clauses/areas.ts';

type Node = Record<string, unknown>;

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value);
const nodesIn = (value: unknown): Readonly<Record<string, Node>> =>
  isNode(value) ? (value as Record<string, Node>) : {};

/** What is no promise about a value, or is judged where it stands: the parts of a node, and members that are not named. */
const NOT_PROMISES =
  /^(?:x-|\$|(?:title|description|examples?|deprecated|default|properties|required|items|allOf)$|(?:unevaluated|additional)Properties$)/;

function deref(document: Node, raw: Node): Node {
  if (typeof raw['$ref'] !== 'string') return raw;
  const found = raw['$ref']
    .split('/')
    .slice(1)
    .reduce<unknown>((node, part) => nodesIn(node)[part.replaceAll('~1', '/')], document);
  return isNode(found) ? { ...deref(document, found), ...raw } : raw;
}

const kebab = (text: string): string =>
  text
    .replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');

interface Walk {
  readonly documents: readonly [before: Node, now: Node];
  readonly operation: string;
  readonly area: Area;
  readonly title: string;
  readonly seen: Set<Node>;
  readonly made: Record<string, Clause>;
}

/** Gives a keyword of a node a clause of its own. */
function promise(raw: Node, path: readonly string[], keyword: string, says: string, walk: Walk): void {
  const id = ['vendor', walk.operation, ...path, keyword].map(kebab).join('.');
  const carried = raw['x-clause'];
  raw['x-clause'] = { ...(typeof carried === 'string' ? { type: carried } : nodesIn(carried)), [keyword]: id };
  const field = path.at(-1) ?? 'the answer';
  walk.made[id] = {
    level: 'must',
    exercise: 'conditional',
    area: walk.area,
    statement: `The overlay says of ${field}: ${says}.`,
    source: { section: 'Resources and their fields', table: `Overlay “${walk.title}”`, row: field },
  };
}

function visit(rawBefore: Node | undefined, raw: Node, path: readonly string[], walk: Walk): void {
  if (walk.seen.has(raw)) return;
  walk.seen.add(raw);
  const before = rawBefore === undefined ? {} : deref(walk.documents[0], rawBefore);
  const now = deref(walk.documents[1], raw);
  for (const [keyword, value] of Object.entries(now))
    if (!NOT_PROMISES.test(keyword) && JSON.stringify(value) !== JSON.stringify(before[keyword]))
      promise(raw, path, keyword, `${keyword} ${JSON.stringify(value)}`, walk);
  const [needed, neededNow] = [before, now].map((node) => (node['required'] ?? []) as readonly string[]) as [
    readonly string[],
    readonly string[],
  ];
  const [members, membersNow] = [nodesIn(before['properties']), nodesIn(now['properties'])];
  for (const name of neededNow.filter((one) => !needed.includes(one))) {
    const member = membersNow[name];
    if (member !== undefined) promise(member, [...path, name], 'required', 'it is always there', walk);
  }
  for (const [name, member] of Object.entries(membersNow)) visit(members[name], member, [...path, name], walk);
  if (isNode(now['items'])) visit(nodesIn(before)['items'], now['items'], path, walk);
  const parts = (before['allOf'] ?? []) as readonly Node[];
  for (const [at, part] of ((now['allOf'] ?? []) as readonly Node[]).entries()) visit(parts[at], part, path, walk);
}

/** The operations of a document by id. */
function operationsOf(document: Node): ReadonlyMap<string, Node> {
  const all = Object.values(nodesIn(document['paths'])).flatMap((item) => Object.values(nodesIn(item)));
  return new Map(
    all.filter((node) => typeof node['operationId'] === 'string').map((node) => [String(node['operationId']), node]),
  );
}

/** References to the answer schemas of an operation. */
function answersOf(operation: Node): readonly string[] {
  const forms = (operation['x-forms'] ?? []) as readonly { readonly answer: string }[];
  const successes = Object.entries(nodesIn(operation['responses'])).filter(([status]) => status.startsWith('2'));
  const refs = successes.map(
    ([, success]) => nodesIn(nodesIn(success['content'])['application/json'])['schema']?.['$ref'],
  );
  return [...forms.map(({ answer }) => answer), ...refs.filter((ref) => typeof ref === 'string')];
}

/** Adds clauses for what `now` promises beyond `before`; nodes of `now` carry their ids from then on. */
export function nameVendorClauses(before: unknown, now: unknown, title: string): void {
  if (!isNode(before) || !isNode(now)) return;
  const [seen, made] = [new Set<Node>(), {} as Record<string, Clause>];
  for (const [operation, node] of operationsOf(now)) {
    const [area] = (node['tags'] ?? []) as readonly Area[];
    if (area === undefined) continue;
    for (const ref of answersOf(node)) {
      const [old, root] = [before, now].map((document) => deref(document, { $ref: ref }));
      if (root !== undefined) visitRoot(old, root, { documents: [before, now], operation, area, title, seen, made });
    }
  }
  const schemes = [before, now].map((document) => nodesIn(nodesIn(document['components'])['securitySchemes']));
  for (const [name, scheme] of Object.entries(schemes[1] ?? {})) {
    const [was, is, id] = [schemes[0]?.[name]?.['name'], scheme['name'], scheme['x-clause'] as ClauseId];
    if (typeof was === 'string' && typeof is === 'string' && was !== is && clauses[id] !== undefined)
      made[id] = { ...clauses[id], statement: clauses[id].statement.replaceAll(was, is) };
  }
  addClauses(made);
}

/** The members below an answer; the answer itself is a copy, and keeps the clause of its wrapper. */
function visitRoot(before: Node | undefined, now: Node, walk: Walk): void {
  for (const [name, member] of Object.entries(nodesIn(now['properties'])))
    visit(nodesIn(before?.['properties'])[name], member, [name], walk);
}
