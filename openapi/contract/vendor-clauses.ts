/**
 * Makes clauses for requirements of an overlay. Each new or changed keyword of an answer gets a clause with an id `vendor.…`. Example:
 * an overlay adds `maxLength: 20` to the merchant name; the clause `vendor.list-merchants.data.merchants.merchant-name.max-length` is
 * added. The statements about a renamed header field get the new name.
 */
import type { Clause } from '../clauses/clause.ts';
import { addClauses, fieldClauses, isFieldClauseId, type ClauseId } from '../clauses/index.ts';
import type { Area } from '../clauses/areas.ts';
import { groupBy } from '../util/group-by.ts';
import {
  followSchemaReference,
  findNode,
  listOperationNodes,
  readAllOf,
  readClauses,
  getMemberSchemas,
  walkDocument,
  type Json,
  type Schema,
  type SchemaNode,
} from './references.ts';

/** Keywords that require nothing of a value, or that other code judges. */
const KEYWORDS_WITHOUT_PROMISE =
  /^(?:x-|\$|(?:title|description|examples?|deprecated|default|properties|required|items|allOf)$|(?:unevaluated|additional)Properties$)/;

const toKebabCase = (text: string): string =>
  text
    .replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');

/** An operation whose schemas are searched for new keywords. */
interface OperationWalk {
  readonly document: Schema;
  readonly operation: string;
  readonly area: Area;
  readonly title: string;
  /** The new clauses by id. This object is filled. */
  readonly newClauses: Record<string, Clause>;
}

/** A `$ref` and the keywords beside it apply together. Moves the `$ref` and its clauses into an entry of `allOf`. */
function moveReferenceToAllOf(raw: Schema, keywords: readonly string[], { document }: OperationWalk): void {
  const { $ref } = raw;
  if (typeof $ref !== 'string') return;
  const referencedSchema = followSchemaReference(document, { $ref });
  const clauses = readClauses(raw);
  const sharedKeywords = keywords.filter((keyword) => Object.hasOwn(raw, keyword) && keyword in referencedSchema);
  const keptClauses = Object.fromEntries(
    sharedKeywords.flatMap((keyword) => (clauses[keyword] ? [[keyword, clauses[keyword]]] : [])),
  );
  if (Object.keys(keptClauses).length === 0) return;
  const node = raw as Record<string, Json>;
  delete node['$ref'];
  node['allOf'] = [...readAllOf(raw), { $ref, 'x-clause': keptClauses }];
}

function addVendorClause(
  raw: Schema,
  path: readonly string[],
  keyword: string,
  requirement: string,
  walk: OperationWalk,
): void {
  const id = ['vendor', walk.operation, ...path, keyword].map(toKebabCase).join('.');
  const documentedClauses = readClauses(raw);
  // The documented clause of `type` also says that the field is present: the document still promises this.
  const presence =
    keyword === 'type' && documentedClauses['type'] !== undefined ? { required: documentedClauses['type'] } : {};
  (raw as Record<string, Json>)['x-clause'] = { ...presence, ...documentedClauses, [keyword]: id };
  const field = path.at(-1) ?? 'the answer';
  walk.newClauses[id] = {
    level: 'must',
    exercise: 'conditional',
    area: walk.area,
    statement: `The overlay says of ${field}: ${requirement}.`,
    source: { section: 'Resources and their fields', table: `Overlay “${walk.title}”`, row: field },
  };
}

const readRequired = (schema: Schema): readonly string[] => (schema['required'] ?? []) as readonly string[];

/** Adds clauses for promises that `before`, the same schemas without the overlay, do not have. */
function addClausesForChanges(
  { at, raw, schema }: SchemaNode,
  oldSchemas: readonly Schema[],
  walk: OperationWalk,
): void {
  const path = at.split('/').filter((part) => part !== '' && part !== '*');
  const changedKeywords = Object.entries(schema).filter(
    ([keyword, value]) =>
      !KEYWORDS_WITHOUT_PROMISE.test(keyword) &&
      !oldSchemas.some((oldSchema) => JSON.stringify(oldSchema[keyword]) === JSON.stringify(value)),
  );
  moveReferenceToAllOf(
    raw,
    changedKeywords.map(([keyword]) => keyword),
    walk,
  );
  for (const [keyword, value] of changedKeywords)
    addVendorClause(raw, path, keyword, `${keyword} ${JSON.stringify(value)}`, walk);
  for (const name of readRequired(schema)) {
    const member = getMemberSchemas(schema)[name];
    if (member !== undefined && !oldSchemas.some((oldSchema) => readRequired(oldSchema).includes(name)))
      addVendorClause(member, [...path, name], 'required', 'it is always there', walk);
  }
}

interface Operation {
  readonly operationId?: string;
  readonly tags?: readonly Area[];
  readonly 'x-forms'?: readonly { readonly answer: string }[];
  readonly responses?: Readonly<Record<string, Schema>>;
}

const listOperations = (document: Schema): readonly Operation[] =>
  listOperationNodes(document)
    .map(({ node }) => node as Operation)
    .filter(({ operationId }) => operationId !== undefined);

function listAnswerPointers({ 'x-forms': forms = [], responses = {} }: Operation): readonly string[] {
  const successes = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  const references = successes.flatMap(
    ([, success]) => findNode(success, '#/content/application~1json/schema')?.['$ref'] ?? [],
  );
  return [...forms.map(({ answer }) => answer), ...references.filter((ref) => typeof ref === 'string')];
}

const collectClauses = (document: Schema): ReadonlySet<string> =>
  new Set(
    listOperations(document)
      .flatMap(listAnswerPointers)
      .flatMap(($ref) => walkAnswer(document, $ref))
      .flatMap(({ schema }) => Object.values(readClauses(schema))),
  );

const walkAnswer = (document: Schema, $ref: string): readonly SchemaNode[] =>
  findNode(document, $ref) === undefined ? [] : [...walkDocument(document, { $ref })];

/** Adds clauses for the answers of all operations. A schema that several answers share gets its clauses once. */
function addAnswerClauses(oldDocument: Schema, newDocument: Schema, title: string): Readonly<Record<string, Clause>> {
  const newClauses: Record<string, Clause> = {};
  const visited = new Set<Schema>();
  for (const { operationId: operation = '', tags: [area] = [], ...described } of listOperations(newDocument)) {
    if (area === undefined) continue;
    const walk = { document: newDocument, operation, area, title, newClauses };
    for (const $ref of listAnswerPointers(described)) {
      const places = groupBy(walkAnswer(oldDocument, $ref), ({ at }) => at);
      // The object around `data` gets no new clause, because its documented clause stays valid.
      for (const node of walkDocument(newDocument, { $ref })) {
        if (node.at === '' || visited.has(node.raw)) continue;
        visited.add(node.raw);
        const oldSchemas = (places.get(node.at) ?? []).map(({ schema }) => schema);
        addClausesForChanges(node, oldSchemas, walk);
      }
    }
  }
  return newClauses;
}

interface SecurityScheme {
  readonly name?: string;
  readonly 'x-clause'?: ClauseId;
}

const listSecuritySchemes = (document: Schema): Readonly<Record<string, SecurityScheme | undefined>> =>
  (findNode(document, '#/components/securitySchemes') ?? {}) as Readonly<Record<string, SecurityScheme>>;

/** Returns the clauses about header fields that have another name in `now`, with this name. */
function renameHeaderFields(oldDocument: Schema, newDocument: Schema): Readonly<Record<string, Clause>> {
  const oldSchemes = listSecuritySchemes(oldDocument);
  const renamedClauses = Object.entries(listSecuritySchemes(newDocument)).flatMap(([key, scheme]) => {
    const { name, 'x-clause': id = '' } = scheme ?? {};
    const clause = fieldClauses[id];
    const oldName = oldSchemes[key]?.name;
    if (oldName === undefined || name === undefined || oldName === name || clause === undefined) return [];
    return [[id, { ...clause, statement: clause.statement.replaceAll(oldName, name) }] as const];
  });
  return Object.fromEntries(renamedClauses);
}

/** Adds clauses for promises of `now` that `before` does not have, and writes their ids into the schemas of `now`. */
export function addVendorClauses(oldDocument: Schema, newDocument: Schema, title: string): void {
  const newClauses = addAnswerClauses(oldDocument, newDocument, title);
  const remainingClauses = collectClauses(newDocument);
  const replacedClauses = [...collectClauses(oldDocument)].flatMap((id) =>
    remainingClauses.has(id) || !isFieldClauseId(id)
      ? []
      : [[id, { ...fieldClauses[id]!, replacedBy: title }] as const],
  );
  addClauses({
    ...newClauses,
    ...Object.fromEntries(replacedClauses),
    ...renameHeaderFields(oldDocument, newDocument),
  });
}
