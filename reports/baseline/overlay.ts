/**
 * Makes an OpenAPI Overlay 1.0 from the behaviour profile of a bank: the answers to open points that OpenAPI can express. Together
 * with the contract, it is the exact document of this bank.
 */
import { operations } from '../../openapi/contract/operations.ts';
import { getMemberSchemas, type Json, type Schema } from '../../openapi/contract/references.ts';
import { followRef, getOperationNode, resolvePointer } from '../../openapi/contract/schema.ts';
import { operationIds, type OperationId } from '../../openapi/model/exchange.ts';
import { isRejection } from '../../openapi/model/outcome.ts';
import { getOrSet, groupBy } from '../../openapi/util/group-by.ts';
import { formatOperationName, formatTargetName } from '../text/phrases.ts';
import { toYaml } from '../text/sanitize.ts';
import type { ReportedAnswer, Report } from '../model/report.ts';

interface Action {
  readonly target: string;
  readonly description?: string;
  readonly update?: Json;
  readonly remove?: true;
}

/** An overlay must have an action: this action changes nothing. */
const ACTION_WITHOUT_EFFECT: Action = {
  target: '$.info',
  description: 'Nothing that OpenAPI can say was observed.',
  update: {},
};

/** If there are this many undocumented members, their names are probably data. */
const MIN_MAP_MEMBERS = 12;

/** Returns the answers of an operation to an open point, without answers to more specific questions. */
const listAnswersTo = (report: Report, point: string, id: OperationId): readonly ReportedAnswer[] =>
  report.observations.filter(
    (one) => one.point === point && one.operation === formatOperationName(operations[id]) && one.about === null,
  );

const writeJsonPath = (...names: readonly string[]): string =>
  `$${names.map((name) => `['${name.replaceAll("'", "\\'")}']`).join('')}`;

const writeOperationPath = (id: OperationId, part: string): string =>
  writeJsonPath('paths', operations[id].path, operations[id].method.toLowerCase(), part);

const splitPointer = (pointer: string): string[] => pointer.split('/').slice(1);

/** Makes actions that replace `2XX` by the success statuses of each operation. */
function listStatusActions(report: Report): Action[] {
  return operationIds.flatMap((id): Action[] => {
    const seen = [...new Set(listAnswersTo(report, 'service.success-status', id).map(({ value }) => value))].sort();
    const response = (getOperationNode(operations[id])['responses'] as Record<string, Schema>)['2XX'];
    if (seen.length === 0 || response === undefined) return [];
    const media = (response['content'] as Record<string, Schema> | undefined)?.['application/json'];
    // Leaves out the examples of the document: real answers may have more members.
    const success =
      media === undefined
        ? response
        : { ...response, content: { 'application/json': { schema: media['schema'] ?? {} } } };
    const target = writeOperationPath(id, 'responses');
    return [
      { target: `${target}['2XX']`, description: `${id} succeeds with ${seen.join(' or ')}`, remove: true },
      { target, update: Object.fromEntries(seen.map((status) => [status, success])) },
    ];
  });
}

const isRefused = ({ answer }: ReportedAnswer): boolean =>
  answer !== undefined && 'reply' in answer && answer.withoutData !== true && isRejection({ outcome: answer.reply });

/** Makes actions that require a field or parameter if every request without it was refused. */
function listRequiredActions(report: Report): Action[] {
  return operationIds.flatMap((id): Action[] => {
    // An operation with several query forms has no parameter that all forms require.
    if (operations[id].forms.length > 1) return [];
    const about = report.observations.filter(
      ({ point, operation }) =>
        /required-(?:fields|parameters)$/.test(point) && operation === formatOperationName(operations[id]),
    );
    const names = [...groupBy(about, ({ question }) => question?.without)]
      .flatMap(([name, same]) => (name !== undefined && same.every(isRefused) ? name : []))
      .sort();
    const node = getOperationNode(operations[id]);
    const body = node['requestBody'] as { content: { 'application/json': { schema: Schema } } } | undefined;
    if (names.length > 0 && body !== undefined) {
      const target = writeJsonPath(...splitPointer(String(body.content['application/json'].schema['$ref'])));
      return [{ target, description: `What ${id} cannot do without`, update: { required: names } }];
    }
    const parameters = (node['parameters'] ?? []) as readonly Schema[];
    return names.flatMap((name) => {
      const index = parameters.findIndex((parameter) => parameter['name'] === name);
      return index < 0
        ? []
        : [{ target: `${writeOperationPath(id, 'parameters')}[${index}]`, update: { required: true } }];
    });
  });
}

/** Makes a schema from an outline of a body: its members are required, with these types. */
function makeSchema(skeleton: unknown): Schema {
  if (Array.isArray(skeleton))
    return skeleton.length === 0 ? { type: 'array' } : { type: 'array', items: makeSchema(skeleton[0]) };
  if (typeof skeleton === 'object' && skeleton !== null) {
    const properties = Object.entries(skeleton).map(([name, child]) => [name, makeSchema(child)] as const);
    return {
      type: 'object',
      required: properties.map(([name]) => name),
      properties: Object.fromEntries(properties),
    };
  }
  return ['string', 'number', 'boolean', 'null'].includes(String(skeleton)) ? { type: String(skeleton) } : {};
}

/** Makes an action with the schemas of all refusals, since all operations share one response. */
function listRefusalActions(report: Report): Action[] {
  const byType = new Map<string, Map<string, Schema>>();
  for (const { answer } of report.observations) {
    if (answer === undefined || !('body' in answer) || answer.mediaType === null || answer.body === 'none') continue;
    const shapes = getOrSet(byType, answer.mediaType, () => new Map<string, Schema>());
    if (typeof answer.body === 'string') shapes.set('', { type: 'string' });
    else shapes.set(answer.body.outline, makeSchema(JSON.parse(answer.body.outline)));
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
  readonly names: readonly string[];
  readonly words: readonly string[];
}

function findAnswerObjects(pointer: string): readonly ObjectPlace[] {
  const found: ObjectPlace[] = [];
  const walk = (raw: Schema, names: readonly string[], below: readonly string[]): void => {
    const ref = raw['$ref'];
    const words = typeof ref === 'string' ? splitPointer(ref) : below;
    const schema = followRef(raw);
    if (schema['type'] === 'object' || schema['allOf'] !== undefined) found.push({ names, words });
    if (schema['items'] !== undefined) walk(schema['items'] as Schema, [...names, '*'], [...words, 'items']);
    for (const [name, child] of Object.entries(getMemberSchemas(schema)))
      walk(child, [...names, name], [...words, 'properties', name]);
  };
  walk(resolvePointer(pointer), [], splitPointer(pointer));
  return found;
}

/** Makes actions for undocumented members: members that every answer has are required, and further members are forbidden. */
function listMemberActions(report: Report): Action[] {
  const actions = new Map<string, Action>();
  for (const id of operationIds) {
    const [only, ...others] = listAnswersTo(report, 'service.additional-fields', id);
    if (only === undefined || others.length > 0) continue;
    const pointers = only.answer !== undefined && 'members' in only.answer ? only.answer.members : [];
    if (pointers.length >= MIN_MAP_MEMBERS) continue;
    const body = parseBody(report, only.exchange);
    for (const { names, words } of operations[id].forms.flatMap(({ answer }) => findAnswerObjects(answer))) {
      const here = pointers.map(splitPointer).filter((steps) => steps.slice(0, -1).join('/') === names.join('/'));
      const properties = here.map((steps) => [steps.at(-1)!, inferType(body, steps)] as const);
      const target = writeJsonPath(...words);
      const update = { unevaluatedProperties: false };
      if (here.length === 0) actions.set(target, { target, update });
      else {
        actions.set(target, { target, update: { properties: Object.fromEntries(properties), ...update } });
        // An overlay appends arrays.
        actions.set(`${target}+`, { target, update: { required: properties.map(([name]) => name) } });
      }
    }
  }
  return [...actions.values()];
}

function parseBody(report: Report, exchange: string): unknown {
  try {
    return JSON.parse(report.exchanges[exchange]?.response?.body ?? '');
  } catch {
    return undefined;
  }
}

/** Returns the type of the member at this path; an empty schema if the body does not have the member. */
function inferType(body: unknown, steps: readonly string[]): Schema {
  let value = body;
  for (const step of steps)
    value = Array.isArray(value)
      ? (value[0] as unknown)
      : (value as Record<string, unknown> | null | undefined)?.[step];
  const type = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
  return type === 'undefined' ? {} : { type };
}

export function makeDialectOverlay(report: Report) {
  const actions = [
    ...listStatusActions(report),
    ...listRequiredActions(report),
    ...listRefusalActions(report),
    ...listMemberActions(report),
  ];
  return {
    overlay: '1.0.0',
    info: {
      title: `What ${formatTargetName(report.target)} does where the Bank Open API leaves it open`,
      version: report.startedAt.slice(0, 10),
    },
    actions: actions.length > 0 ? actions : [ACTION_WITHOUT_EFFECT],
  };
}

export const writeOverlay = (report: Report): string => toYaml(makeDialectOverlay(report));
