/**
 * The dialect of a target as an OpenAPI Overlay 1.0: what OpenAPI can say of its answers to open points. Applied to the
 * contract it gives the target's own precise document.
 */
import { operations } from '../../openapi/contract/operations.ts';
import { propertiesOf, type Json, type Schema } from '../../openapi/contract/references.ts';
import { deref, operationNode, resolve } from '../../openapi/contract/schema.ts';
import { operationIds, type OperationId } from '../../openapi/model/exchange.ts';
import { isRejection } from '../../openapi/model/outcome.ts';
import { getOrSet } from '../../openapi/util/group-by.ts';
import { operationName, targetName } from '../text/phrases.ts';
import { asYaml } from '../text/yaml.ts';
import type { Observation, Report } from '../model/report.ts';

interface Action {
  readonly target: string;
  readonly description?: string;
  readonly update?: Json;
  readonly remove?: true;
}

/** An overlay that changes nothing must still have an action. */
const nothing: Action = { target: '$.info', description: 'Nothing that OpenAPI can say was observed.', update: {} };

const own = (report: Report, point: string, operation: OperationId): readonly Observation[] =>
  report.observations.filter(
    (one) => one.point === point && one.operation === operationName(operations[operation]) && one.about === null,
  );

const at = (...names: readonly string[]): string =>
  `$${names.map((name) => `['${name.replaceAll("'", "\\'")}']`).join('')}`;

/** Where a part of an operation stands in the contract. */
const under = (id: OperationId, part: string): string =>
  at('paths', operations[id].path, operations[id].method.toLowerCase(), part);

/** A response without its examples: they are those of the document, and the target's answers may hold more. */
function withoutExamples(response: Schema | undefined): Schema | undefined {
  const media = (response?.['content'] as Record<string, Schema> | undefined)?.['application/json'];
  if (response === undefined || media === undefined) return response;
  return { ...response, content: { 'application/json': { schema: media['schema'] ?? {} } } };
}

/** The success statuses of each operation, in the place of `2XX`. */
function statuses(report: Report): Action[] {
  return operationIds.flatMap((id): Action[] => {
    const seen = [...new Set(own(report, 'service.success-status', id).map(({ value }) => value))].sort();
    const node = operationNode(operations[id]);
    const success = withoutExamples((node['responses'] as Record<string, Schema>)['2XX']);
    if (seen.length === 0 || success === undefined) return [];
    const target = under(id, 'responses');
    return [
      { target: `${target}['2XX']`, description: `${id} succeeds with ${seen.join(' or ')}`, remove: true },
      { target, update: Object.fromEntries(seen.map((status) => [status, success])) },
    ];
  });
}

const isRefused = ({ answer }: Observation): boolean =>
  answer !== undefined && 'reply' in answer && answer.withoutData !== true && isRejection({ outcome: answer.reply });

/** Which fields and parameters are required: those whose omission was refused every time. */
function required(report: Report): Action[] {
  const refused = (id: OperationId): readonly string[] => {
    const about = report.observations.filter(
      ({ point, operation }) =>
        /required-(?:fields|parameters)$/.test(point) && operation === operationName(operations[id]),
    );
    const names = new Set(about.flatMap(({ question }) => question?.without ?? []));
    return [...names]
      .filter((name) => about.filter(({ question }) => question?.without === name).every(isRefused))
      .sort();
  };
  return operationIds.flatMap((id): Action[] => {
    // The parameters of the two forms of a query cannot be required one by one.
    if (operations[id].forms.length > 1) return [];
    const node = operationNode(operations[id]);
    const names = refused(id);
    const body = node['requestBody'] as { content: { 'application/json': { schema: Schema } } } | undefined;
    if (body !== undefined) {
      const ref = String(body.content['application/json'].schema['$ref']).split('/').slice(1);
      return names.length === 0
        ? []
        : [{ target: at(...ref), description: `What ${id} cannot do without`, update: { required: [...names] } }];
    }
    const parameters = (node['parameters'] ?? []) as readonly Schema[];
    return names.flatMap((name) => {
      const index = parameters.findIndex((parameter) => parameter['name'] === name);
      return index < 0 ? [] : [{ target: `${under(id, 'parameters')}[${index}]`, update: { required: true } }];
    });
  });
}

/** A skeleton as a schema: the members that it names are there, in these types. */
function schemaOf(skeleton: unknown): Schema {
  if (Array.isArray(skeleton))
    return skeleton.length === 0 ? { type: 'array' } : { type: 'array', items: schemaOf(skeleton[0]) };
  if (typeof skeleton === 'object' && skeleton !== null) {
    const members = Object.entries(skeleton);
    return {
      type: 'object',
      required: members.map(([name]) => name),
      properties: Object.fromEntries(members.map(([name, child]) => [name, schemaOf(child)])),
    };
  }
  return ['string', 'number', 'boolean', 'null'].includes(String(skeleton)) ? { type: String(skeleton) } : {};
}

/** The shapes of refusals, wherever they were seen: one response serves all operations. */
function refusals(report: Report): Action[] {
  const byLabel = new Map<string, Map<string, Schema>>();
  for (const { answer } of report.observations) {
    if (answer === undefined || !('body' in answer) || answer.mediaType === null || answer.body === 'none') continue;
    const shapes = getOrSet(byLabel, answer.mediaType, () => new Map<string, Schema>());
    if (typeof answer.body === 'string') shapes.set('', { type: 'string' });
    else shapes.set(answer.body.outline, schemaOf(JSON.parse(answer.body.outline)));
  }
  const content = [...byLabel].map(([label, shapes]) => {
    const schemas = [...shapes.values()];
    return [label, { schema: schemas.length === 1 ? (schemas[0] as Schema) : { anyOf: schemas } }] as const;
  });
  return content.length === 0
    ? []
    : [
        {
          target: "$.components.responses['Refusal']",
          description: 'The shape of refusals',
          update: { description: 'A refusal', content: Object.fromEntries(content) },
        },
      ];
}

/** Where an operation's answers are objects: the answer itself, `data`, and the entries of its lists. */
interface ObjectPlace {
  /** The members that lead there in an answer, `*` for entries. */
  readonly names: readonly string[];
  /** The words that lead to its schema in the contract. */
  readonly words: readonly string[];
}

function objectsIn(pointer: string): readonly ObjectPlace[] {
  const found: ObjectPlace[] = [];
  const walk = (raw: Schema, names: readonly string[], below: readonly string[]): void => {
    const ref = raw['$ref'];
    const words = typeof ref === 'string' ? ref.split('/').slice(1) : below;
    const schema = deref(raw);
    if (schema['type'] === 'object' || schema['allOf'] !== undefined) found.push({ names, words });
    if (schema['items'] !== undefined) walk(schema['items'] as Schema, [...names, '*'], [...words, 'items']);
    for (const [name, child] of Object.entries(propertiesOf(schema)))
      walk(child, [...names, name], [...words, 'properties', name]);
  };
  walk(resolve(pointer), [], pointer.split('/').slice(1));
  return found;
}

/** Members that the document does not name: those that were there every time are promised, and no others come. */
function fields(report: Report): Action[] {
  const actions = new Map<string, Action>();
  for (const id of operationIds) {
    const seen = own(report, 'service.additional-fields', id);
    const [only] = seen;
    if (only === undefined || seen.length > 1) continue;
    const pointers = only.answer !== undefined && 'members' in only.answer ? only.answer.members : [];
    const types = typesIn(report, only.exchange, pointers);
    for (const { answer } of operations[id].forms)
      for (const { names, words } of objectsIn(answer)) {
        const here = pointers.flatMap((pointer): [string, Schema][] => {
          const parts = pointer.split('/').slice(1);
          return parts.slice(0, -1).join('/') === names.join('/')
            ? [[String(parts.at(-1)), types.get(pointer) ?? {}]]
            : [];
        });
        const target = at(...words);
        const update = {
          ...(here.length > 0 ? { properties: Object.fromEntries(here) } : {}),
          unevaluatedProperties: false,
        };
        if (pointers.length < 12) actions.set(target, { target, update });
        if (here.length > 0 && pointers.length < 12) {
          // Arrays of an overlay are put behind what is there.
          actions.set(`${target}+`, { target, update: { required: here.map(([name]) => name) } });
        }
      }
  }
  return [...actions.values()];
}

/** The types of the members at these pointers, as far as the kept exchange shows them. */
function typesIn(report: Report, exchange: string, pointers: readonly string[]): ReadonlyMap<string, Schema> {
  const types = new Map<string, Schema>();
  let body: unknown;
  try {
    body = JSON.parse(report.exchanges[exchange]?.response?.body ?? '');
  } catch {
    return types;
  }
  for (const pointer of pointers) {
    let value: unknown = body;
    for (const part of pointer.split('/').slice(1))
      value = Array.isArray(value) ? (value[0] as unknown) : (value as Record<string, unknown> | null)?.[part];
    const type = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
    if (type !== 'undefined') types.set(pointer, { type });
  }
  return types;
}

/** The overlay of a report. Pure. */
export function overlayOf(report: Report): {
  readonly overlay: string;
  readonly info: Json;
  readonly actions: readonly Action[];
} {
  const actions = [...statuses(report), ...required(report), ...refusals(report), ...fields(report)];
  return {
    overlay: '1.0.0',
    info: {
      title: `What ${targetName(report.target)} does where the Bank Open API leaves it open`,
      version: report.startedAt.slice(0, 10),
    },
    actions: actions.length > 0 ? actions : [nothing],
  };
}

/** The same as YAML. */
export function overlayText(report: Report): string {
  return asYaml(overlayOf(report));
}
