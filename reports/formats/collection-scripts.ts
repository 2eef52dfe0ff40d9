/**
 * Makes the scripts of the collection: each checks an answer by the schema of the contract, and keeps ids for later requests in
 * variables. They use only `pm.test`, `pm.response` and `pm.collectionVariables`, which Postman, newman, Bruno and Insomnia have.
 */
import { operations } from '../../openapi/contract/operations.ts';
import type { Schema } from '../../openapi/contract/references.ts';
import { followRef, resolvePointer } from '../../openapi/contract/schema.ts';
import type { OperationId } from '../../openapi/model/exchange.ts';

/** The schema keywords that the scripts check. Only the suite checks formats. */
const CHECKED_KEYWORDS = new Set(['type', 'required', 'properties', 'items', 'allOf', 'pattern', 'minimum', 'maximum']);

/** Replaces the references in a schema by the referenced schemas, and keeps only the checked keywords. */
export function simplifySchema(schema: Schema): object {
  const entries = Object.entries(followRef(schema)).flatMap(([keyword, value]): [string, unknown][] => {
    if (!CHECKED_KEYWORDS.has(keyword)) return [];
    if (keyword === 'items') return [[keyword, simplifySchema(value as Schema)]];
    if (keyword === 'allOf') return [[keyword, (value as readonly Schema[]).map(simplifySchema)]];
    if (keyword !== 'properties') return [[keyword, value]];
    const members = Object.entries(value as Readonly<Record<string, Schema>>);
    return [[keyword, Object.fromEntries(members.map(([name, member]) => [name, simplifySchema(member)]))]];
  });
  return Object.fromEntries(entries);
}

/** The script that checks a value. The schema checkers of HTTP clients do not know the Unicode classes in the patterns. */
const CHECK_SCRIPT = `
function faultsOf(schema, value, place) {
  const kind = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
  const types = [].concat(schema.type || []);
  const isOfType = types.some((type) => type === kind || (type === 'integer' && Number.isInteger(value)));
  if (types.length > 0 && !isOfType) return [place + ' is ' + kind + ' and not ' + types.join(' or ')];
  const faults = (schema.allOf || []).flatMap((part) => faultsOf(part, value, place));
  if (kind === 'string' && schema.pattern && !new RegExp(schema.pattern, 'u').test(value))
    faults.push(place + ' is ' + JSON.stringify(value) + ' and does not match ' + schema.pattern);
  if (value < schema.minimum || value > schema.maximum)
    faults.push(place + ' is ' + value + ' and not from ' + schema.minimum + ' to ' + schema.maximum);
  if (kind === 'array' && schema.items)
    value.forEach((entry, at) => faults.push(...faultsOf(schema.items, entry, place + '/' + at)));
  if (kind !== 'object') return faults;
  for (const name of schema.required || []) if (!(name in value)) faults.push(place + '/' + name + ' is missing');
  for (const name of Object.keys(schema.properties || {}))
    if (name in value) faults.push(...faultsOf(schema.properties[name], value[name], place + '/' + name));
  return faults;
}`.trim();

/** Gives a fresh order id to each request. */
export const orderIdScript = [
  "pm.collectionVariables.set('order_id', 'A' + Date.now() + Math.floor(1e6 * Math.random()));",
];

/** For each operation, the variables that its answer fills, with the expression for their values in `data`. */
const answerVariables: Readonly<Partial<Record<OperationId, Readonly<Record<string, string>>>>> = {
  requestLoan: {
    application_id: 'data.application_id',
    account_id: 'data.infos.sort((a, b) => b.avaliable_limit - a.avaliable_limit)[0].account_id',
  },
  listMerchants: { merchant_no: 'data.merchants[0].merchant_no' },
  listCurrencies: { currency_code: 'data.currencies[0].code' },
  listBranches: { branch_no: 'data.branches[0].no' },
  listInstallments: { installment: 'data.installments[0].value' },
};

/** The names of all variables that answers fill. */
export const answerVariableNames = Object.values(answerVariables).flatMap((variables) => Object.keys(variables));

/** Further checks of an answer that the document states. */
const extraChecksByOperation: Readonly<Partial<Record<OperationId, readonly string[]>>> = {
  createPaymentLink: [
    "pm.test('The link contains the token', () => {",
    '  const { payment_link: link, payment_token: token } = answer().data;',
    "  if (![token, encodeURIComponent(token)].some((form) => link.includes(form))) throw new Error(link + ' lacks ' + token);",
    '});',
  ],
};

/** Returns the lines of the script that runs after the answer of an operation. */
export function makeCheckScript(id: OperationId): readonly string[] {
  const [{ answer } = { answer: '' }] = operations[id].forms;
  return [
    `const schema = ${JSON.stringify(simplifySchema(resolvePointer(answer)))};`,
    ...CHECK_SCRIPT.split('\n'),
    'const answer = () => JSON.parse(pm.response.text());',
    "pm.test('The status is 2xx', () => {",
    "  if (pm.response.code < 200 || pm.response.code > 299) throw new Error('The status is ' + pm.response.code);",
    '});',
    "pm.test('The answer is as the document says', () => {",
    "  const faults = faultsOf(schema, answer(), '');",
    "  if (faults.length > 0) throw new Error(faults.slice(0, 5).join('; '));",
    '});',
    ...(extraChecksByOperation[id] ?? []),
    ...Object.entries(answerVariables[id] ?? {}).flatMap(([name, value]) => [
      // An id of an earlier run must not replace a missing id.
      `pm.collectionVariables.set('${name}', '');`,
      `pm.test('The answer gives ${name} for the next requests', () => {`,
      '  const { data } = answer();',
      `  const value = ${value};`,
      "  if (value === undefined) throw new Error('It is missing');",
      `  pm.collectionVariables.set('${name}', String(value));`,
      '});',
    ]),
  ];
}
