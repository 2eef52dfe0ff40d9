/**
 * The behaviour profile of a target as an OpenAPI Overlay 1.0: what OpenAPI can say of its answers to open points. Applied to the
 * contract it gives the target's own precise document.
 */
import { operations } from '../../openapi/contract/operations.ts';
import { propertiesOf, type Json, type Schema } from '../../openapi/contract/references.ts';
import { deref, operationNode, resolve } from '../../openapi/contract/schema.ts';
import { operationIds, type OperationId } from '../../openapi/model/exchange.ts';
import { isRejection } from '../../openapi/model/outcome.ts';
import { getOrSet, groupBy } from '../../openapi/util/group-by.ts';
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

/** Members that the document does not name: with so many, the names are data. */
const MANY_MEMBERS = 12;

/** The answers of one operation to a point, without those to narrower questions. */
const answersTo = (report: Report, point: string, id: OperationId): readonly Observation[] =>
  report.observations.filter(
    (one) => one.point === point && one.operation === operationName(operations[id]) && one.about === null,
  );

const at = (...names: readonly string[]): string =>
  `$${names.map((name) => `['${name.replaceAll("'", "\\'")}']`).join('')}`;

/** Where a part of an operation stands in the contract. */
const under = (id: OperationId, part: string): string =>
  at('paths', operations[id].path, operations[id].method.toLowerCase(), part);

const stepsOf = (pointer: string): string[] => pointer.split('/').slice(1);

/** The success statuses of each operation, in the place of `2XX`. */
function statuses(report: Report): Action[] {
  return operationIds.flatMap((id): Action[] => {
    const seen = [...new Set(answersTo(report, 'service.success-status', id).map(({ value }) => value))].sort();
    const response = (operationNode(operations[id])['responses'] as Record<string, Schema>)['2XX'];
    if (seen.length === 0 || response === undefined) return [];
    const media = (response['content'] as Record<string, Schema> | undefined)?.['application/json'];
    // Without its examples: they are those of the document, and the target's answers may hold more.
    const success =
      media === undefined
        ? response
        : { ...response, content: { 'application/json': { schema: media['schema'] ?? {} } } };
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
  return operationIds.flatMap((id): Action[] => {
    // The parameters of the two forms of a query cannot be required one by one.
    if (operations[id].forms.length > 1) return [];
    const about = report.observations.filter(
      ({ point, operation }) =>
        /required-(?:fields|parameters)$/.test(point) && operation === operationName(operations[id]),
    );
    const names = [...groupBy(about, ({ question }) => question?.without)]
      .flatMap(([name, same]) => (name !== undefined && same.every(isRefused) ? name : []))
      .sort();
    const node = operationNode(operations[id]);
    const body = node['requestBody'] as { content: { 'application/json': { schema: Schema } } } | undefined;
    if (names.length > 0 && body !== undefined) {
      const target = at(...stepsOf(String(body.content['application/json'].schema['$ref'])));
      return [{ target, description: `What ${id} cannot do without`, update: { required: names } }];
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
    const properties = Object.entries(skeleton).map(([name, child]) => [name, schemaOf(child)] as const);
    return {
      type: 'object',
      required: properties.map(([name]) => name),
      properties: Object.fromEntries(properties),
    };
  }
  return ['string', 'number', 'boolean', 'null'].includes(String(skeleton)) ? { type: String(skeleton) } : {};
}

/** The shapes of refusals, wherever they were seen: one response serves all operations. */
function refusals(report: Report): Action[] {
  const byType = new Map<string, Map<string, Schema>>();
  for (const { answer } of report.observations) {
    if (answer === undefined || !('body' in answer) || answer.mediaType === null || answer.body === 'none') continue;
    const shapes = getOrSet(byType, answer.mediaType, () => new Map<string, Schema>());
    if (typeof answer.body === 'string') shapes.set('', { type: 'string' });
    else shapes.set(answer.body.outline, schemaOf(JSON.parse(answer.body.outline)));
  }
  const content = [...byType].map(([mediaType, shapes]) => {
    const [first = {}, ...others] = shapes.values();
    return [mediaType, { schema: others.length === 0 ? first : { anyOf: [first, ...others] } }] as const;
  });
  const update = { description: 'A refusal', content: Object.fromEntries(content) };
  const target = "$.components.responses['Refusal']";
  return content.length === 0 ? [] : [{ target, description: 'The shape of refusals', update }];
}

/** An object in the answers of an operation: the answer itself, `data`, or the entries of a list. */
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
    const words = typeof ref === 'string' ? stepsOf(ref) : below;
    const schema = deref(raw);
    if (schema['type'] === 'object' || schema['allOf'] !== undefined) found.push({ names, words });
    if (schema['items'] !== undefined) walk(schema['items'] as Schema, [...names, '*'], [...words, 'items']);
    for (const [name, child] of Object.entries(propertiesOf(schema)))
      walk(child, [...names, name], [...words, 'properties', name]);
  };
  walk(resolve(pointer), [], stepsOf(pointer));
  return found;
}

/** Members that the document does not name: those that were there every time are promised, and no others come. */
function fields(report: Report): Action[] {
  const actions = new Map<string, Action>();
  for (const id of operationIds) {
    const [only, ...others] = answersTo(report, 'service.additional-fields', id);
    if (only === undefined || others.length > 0) continue;
    const pointers = only.answer !== undefined && 'members' in only.answer ? only.answer.members : [];
    if (pointers.length >= MANY_MEMBERS) continue;
    const body = bodyOf(report, only.exchange);
    for (const { names, words } of operations[id].forms.flatMap(({ answer }) => objectsIn(answer))) {
      const here = pointers.map(stepsOf).filter((steps) => steps.slice(0, -1).join('/') === names.join('/'));
      const properties = here.map((steps) => [steps.at(-1)!, typeIn(body, steps)] as const);
      const target = at(...words);
      const update = { unevaluatedProperties: false };
      if (here.length === 0) actions.set(target, { target, update });
      else {
        actions.set(target, { target, update: { properties: Object.fromEntries(properties), ...update } });
        // Arrays of an overlay are put behind what is there.
        actions.set(`${target}+`, { target, update: { required: properties.map(([name]) => name) } });
      }
    }
  }
  return [...actions.values()];
}

/** The JSON of a kept exchange; undefined if there is none. */
function bodyOf(report: Report, exchange: string): unknown {
  try {
    return JSON.parse(report.exchanges[exchange]?.response?.body ?? '');
  } catch {
    return undefined;
  }
}

/** The type of the member at these steps, as far as the body shows it. */
function typeIn(body: unknown, steps: readonly string[]): Schema {
  let value = body;
  for (const step of steps)
    value = Array.isArray(value)
      ? (value[0] as unknown)
      : (value as Record<string, unknown> | null | undefined)?.[step];
  const type = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
  return type === 'undefined' ? {} : { type };
}

/** The overlay of a report. Pure. */
export function overlayOf(report: Report) {
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
export const overlayText = (report: Report): string => asYaml(overlayOf(report));
