/**
 * Tests that each option of the reference bank shows in its answers. The proof tests the default refusals and the effect of most
 * options.
 */
import { isDeepStrictEqual } from 'node:util';
import { expect, test } from '@playwright/test';
import { drawVariants } from '../../../../fixtures/banks/variants/random-variants.ts';
import { variants } from '../../../../fixtures/banks/variants/index.ts';
import { createBank, sandboxCredentials } from '../../../../fixtures/reference-bank/bank.ts';
import { withBehaviour, type BehaviourChange } from '../../../../fixtures/reference-bank/options/index.ts';
import { ATMS_PATH, openClient, LINKS_PREFIX, LOANS_PREFIX, writeMembers, type Ask } from './bank-client.ts';

type Tree = { readonly [name: string]: unknown };
type Path = readonly string[];

const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value);
const readValueAt = (tree: unknown, path: Path): unknown =>
  path.reduce((node, name) => (isTree(node) ? node[name] : undefined), tree);

/** Returns the options that a behaviour changes. Options without a default, such as additional members, count as a whole. */
function listOptions(change: unknown, standard: unknown, path: Path = []): readonly Path[] {
  if (isDeepStrictEqual(change, standard)) return [];
  if (!isTree(change) || !isTree(standard) || Object.keys(standard).length === 0) return [path];
  return Object.entries(change).flatMap(([name, value]) => listOptions(value, standard[name], [...path, name]));
}

/** Returns the behaviour with one option at its default. */
function removeOption(change: Tree, [name = '', ...rest]: Path): BehaviourChange {
  const { [name]: value, ...others } = change;
  return rest.length === 0 ? others : { ...others, [name]: removeOption(value as Tree, rest) };
}

/** Returns all answers of a bank to a client that tries every option, and the response times of the bank. */
async function collectAnswers(behaviour: BehaviourChange, seed: string): Promise<readonly string[]> {
  const said: string[] = [];
  const sleep = async (milliseconds: number): Promise<void> => void said.push(`after ${milliseconds} ms`);
  const bank = createBank({ seed, behaviour, sleep, now: () => Date.UTC(2027, 1, 28, 23, 59, 58) });
  const client = openClient(bank);
  const ask = async (...request: Parameters<Ask>): Promise<void> => {
    const { status, headers, body } = await client(...request);
    const pieces: string[] = [];
    for await (const piece of body ?? []) pieces.push(Buffer.from(piece).toString('latin1'));
    said.push(writeMembers([request, status, [...headers], pieces]));
  };
  const each = async (path: string, ...bodies: readonly object[]) => {
    for (const body of bodies) await ask(path, body);
  };

  const loan = { amount: 1000, currency: 'EUR', commercial_disbursement: true, disbursement_purpose: false };
  const of = (name: string, ...values: readonly unknown[]) => values.map((value) => ({ [name]: value }));
  const checks = [
    ...of('amount', 0.5, 30, 75.5, 100.25, 1.125, 650, 40_000, 99_000, '1000', undefined),
    ...of('currency', 'eur', 'TRY', 'KRW', 'USD'),
    ...of('commercial_disbursement', 'true'),
    ...of('colour', 'red'),
  ];
  await each(`${LOANS_PREFIX}/validations`, ...checks.map((more) => ({ ...loan, order_id: 1, ...more })));
  const orders = [1, 2, 2].flatMap((order) => [order, order + 9]);
  await each(`${LOANS_PREFIX}/loans`, ...orders.map((order_id) => ({ ...loan, order_id })), {});
  const opened = [...bank.state.applications.values()].filter(({ offers }) => offers.length > 0);
  for (const [nth, { id, shownId, offers }] of opened.slice(0, 4).entries()) {
    const [one = {}, other = one] = offers.map(({ accountId }) => ({ application_id: id, account_id: accountId }));
    const [amount, customer_ip] = [nth % 2 === 0 ? 1 : 1e9, ['home', '2001:db8::1'][nth] ?? '192.0.2.7'];
    const paid = { ...one, amount, currency: 'EUR', contract_approved: true, customer_ip: '192.0.2.7' };
    const unapproved = { ...paid, contract_approved: nth % 3 > 0 };
    await ask(`${LOANS_PREFIX}/disbursements/${shownId}`);
    await each(`${LOANS_PREFIX}/disbursements`, { ...paid, customer_ip });
    await each(`${LOANS_PREFIX}/contracts`, { application_id: id }, one, other);
    await each(`${LOANS_PREFIX}/disbursements`, unapproved, paid, { ...paid, amount: 1e9 }, { application_id: id });
    for (let query = 0; query < 4; query += 1) await ask(`${LOANS_PREFIX}/disbursements/${shownId}`);
  }
  await each(`${LOANS_PREFIX}/loans`, { ...loan, order_id: 99 });

  await ask(`${LINKS_PREFIX}/merchants`);
  const [merchant] = bank.seedData.merchants;
  const [branch] = merchant?.branches ?? [];
  const [[currency_code = 'EUR', installments = [1]] = []] = branch?.domestic ?? [];
  for (const cards of ['', 'is_domestic=true', 'is_domestic=false', 'is_domestic=True'])
    await ask(`${LINKS_PREFIX}/merchants/${merchant?.no}/available-currency-codes?${cards}`);
  for (const list of ['branches', 'branches/', 'Installments', 'installments'])
    await ask(`${LINKS_PREFIX}/merchants/${merchant?.no}/${list}`);
  const place = { merchant_no: merchant?.no, branch_no: branch?.no, currency_code, is_domestic: true };
  const link = { ...place, language_code: 'en', personal_description: '', amount: 600, installment: installments[0] };
  const texts = (...lengths: readonly number[]) => lengths.map((length) => 'x'.repeat(length));
  const changes = [
    ...of('amount', 0.5, 3, 12.5, 130, 30_000, 1.125),
    ...of('language_code', 'en', 'tr', 'fr'),
    ...of('personal_description', ...texts(50, 70, 120, 250, 600, 5001)),
    ...of('colour', ...texts(5000, 70_000)),
  ];
  await each(`${LINKS_PREFIX}/payment-links`, ...changes.map((change) => ({ ...link, ...change })), { amount: 600 });

  const [position, district] = ['latitude=41&longitude=29', 'province_code=01&district_code=001'];
  const codes = ['province_code=01', 'province_code=1&district_code=1', 'province_code=99&district_code=1'];
  for (const query of [position, 'latitude=0&longitude=-30', district, `${position}&${district}`, '', ...codes])
    await ask(`${ATMS_PATH}?${query}`);

  for (const path of [
    `${LINKS_PREFIX}/merchants`,
    `${LOANS_PREFIX}/disbursements/1`,
    `${ATMS_PATH}?${position}`,
    '/none',
  ])
    for (const headers of [
      { 'X-GW-client-id': '' },
      { 'X-GW-client-id': 'other' },
      { Authorization: `bearer ${sandboxCredentials.accessToken}` },
      { 'Content-Type': '' },
      { Accept: 'application/json' },
    ])
      await ask(path, null, { headers });
  for (const type of ['application/json; charset=utf-8', 'text/plain'])
    await ask(`${LOANS_PREFIX}/validations`, loan, { headers: { 'Content-Type': type } });
  await ask(`${LINKS_PREFIX}/merchants`, {});
  return said;
}

/** Words are separate choices. For numbers, texts and lists, one value shows that the option has an effect. */
const formatChoice = (path: Path, value: unknown): string =>
  [...path, ...(/^"[a-z\d-]+"$/.test(writeMembers(value)) ? [value] : [])].join(' ');

/** The required fields of the locator depend on its two query forms: no answer shows this option. */
const HIDDEN_CHOICE = 'requests required findAtms';

test('Each option that a bank of the population sets shows in its answers', async () => {
  const standard = withBehaviour();
  const shown = new Map<string, boolean>();
  for (const { name, behaviour = {} } of [...variants, ...drawVariants(1, 120)]) {
    const chosen = listOptions(behaviour, standard).map(
      (path) => [path, formatChoice(path, readValueAt(behaviour, path))] as const,
    );
    const unseen = chosen.filter(([, choice]) => shown.get(choice) !== true && choice !== HIDDEN_CHOICE);
    const answers = unseen.length === 0 ? [] : await collectAnswers(behaviour, name);
    for (const [path, choice] of unseen)
      shown.set(choice, !isDeepStrictEqual(answers, await collectAnswers(removeOption(behaviour, path), name)));
  }
  expect(shown.size).toBeGreaterThan(150);
  expect([...shown].flatMap(([choice, isShown]) => (isShown ? [] : [choice]))).toEqual([]);
});

test('The same seed and the same requests give the same answers, and another seed gives others', async () => {
  const [one, again, other] = [
    await collectAnswers({}, 'a'),
    await collectAnswers({}, 'a'),
    await collectAnswers({}, 'b'),
  ];
  expect(again).toEqual(one);
  expect(other).not.toEqual(one);
});
