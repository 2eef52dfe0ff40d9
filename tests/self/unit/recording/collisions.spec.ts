/** Hiding changes no judged value by chance: a hidden value may equal a value of another place, or a part of it. */
import { expect, test } from '@playwright/test';
import { openHiding } from '../../../../fixtures/recording/hide.ts';
import { matchRequest, type RecordedRequest } from '../../../../fixtures/recording/match-request.ts';
import { sandboxCredentials } from '../../../../fixtures/reference-bank/bank.ts';
import { seededRandom, type Random } from '../../../../fixtures/reference-bank/values/random.ts';
import { composeRequest, renderBody, renderPathWithQuery } from '../../../../fixtures/session/request.ts';
import { operationIds, type Answer, type OperationId } from '../../../../openapi/model/exchange.ts';
import { getOrSet } from '../../../../openapi/util/group-by.ts';
import { toIdText } from '../../../../openapi/util/ids.ts';
import { exchange } from '../../support/judge-harness.ts';

const base = 'https://bank.example';

interface Recorded {
  readonly request: RecordedRequest;
  readonly answer: Answer;
}
interface Traffic extends Recorded {
  readonly operation: OperationId;
}
type Leaf = readonly [name: string, value: string];

/** Returns the exchanges of one documented request to each operation. */
const recordTraffic = (): readonly Traffic[] =>
  operationIds.map((operation) => {
    const { answer, request } = exchange(operation);
    const draft = composeRequest(operation, request.asked, sandboxCredentials);
    const headers = Object.entries({ ...draft.headers, Authorization: `Bearer ${sandboxCredentials.accessToken}` });
    const url = base + renderPathWithQuery(draft);
    return { operation, request: { method: draft.method, url, headers, body: renderBody(draft) }, answer: answer! };
  });

function* listLeaves(value: unknown, name = ''): Generator<Leaf> {
  if (typeof value !== 'object' || value === null) return yield [name, String(value)];
  for (const [key, child] of Object.entries(value)) yield* listLeaves(child, Array.isArray(value) ? name : key);
}

/** Returns the inputs and the data of an exchange. */
const listValues = ({ request, answer }: Recorded): readonly Leaf[] => [
  ...Object.entries(matchRequest(request)?.asked ?? {}).map(([name, value]): Leaf => [name, String(value)]),
  ...listLeaves((JSON.parse(Buffer.from(answer.bytes).toString()) as { data: unknown }).data),
];

const QUANTITY = /amount$|limit$|rate$|itude$|distance$|^(?:installment|value|end_date)$/;

/** Returns a value that is equal to another value, or shares a part of it. */
function collideWith(value: string, random: Random): string {
  const last = random.letters('0123456789abcdef', 3);
  return random.pick([value, value, value.slice(0, -1) + last, `0${value}`, value.split(/[ .]/)[0] ?? value]);
}

/** Returns the values that hiding changes, although they are judged by their size, or are equal to another value. */
function listFaults(traffic: readonly Traffic[], key: string, beside: RecordedRequest['headers']): readonly string[] {
  const hiding = openHiding(key);
  const addHeaders = ({ request, answer }: Traffic) => ({
    request: { ...request, headers: [...request.headers, ...beside] },
    answer,
  });
  for (const entry of traffic) hiding.learn(addHeaders(entry), entry.operation, base);
  const shownAs = new Map<string, string>();
  const shownFor = new Map<string, string>();
  return traffic.flatMap((entry) => {
    const { operation } = entry;
    const recorded = addHeaders(entry);
    const shown = listValues(hiding.hide(recorded, operation, base).shown);
    return listValues(recorded).flatMap(([name, value], at) => {
      const hidden = shown[at]?.[1] ?? '';
      const [id, pseudonym] = [toIdText(value), toIdText(hidden)];
      const isSame = QUANTITY.test(name)
        ? hidden === value
        : getOrSet(shownAs, id, () => pseudonym) === pseudonym && getOrSet(shownFor, pseudonym, () => id) === id;
      // A link is hidden in parts.
      return isSame || name === 'payment_link' ? [] : [`${operation} ${name}: ${value} is shown as ${hidden}`];
    });
  });
}

test('Numbers, moments and the equality of values stay, whatever a client sends beside them', () => {
  for (let seed = 0; seed < 100; seed += 1) {
    const random = seededRandom(seed, 'collisions');
    const traffic = recordTraffic();
    const values = traffic.flatMap(listValues).map(([, value]) => value);
    const pick = (): string => collideWith(values[random.between(0, values.length - 1)] ?? '', random);
    const beside = Object.entries({ 'X-Context': pick(), Cookie: `sid=${pick()}` });
    expect(listFaults(traffic, `key ${seed}`, beside), JSON.stringify(beside)).toEqual([]);
  }
});

test('A token that reads like the name of a credential hides nothing beside it', () => {
  const link = recordTraffic().find(({ operation }) => operation === 'createPaymentLink')!;
  const { data } = JSON.parse(Buffer.from(link.answer.bytes).toString()) as { data: object };
  const random = seededRandom(1, 'tokens');
  const links = Array.from({ length: 3000 }, (_, at) => {
    const token = random.letters('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_', 32);
    const end_date = `28.11.${1000 + at} 10:20:30`;
    const made = { ...data, payment_link: `https://pay.example/${token}`, payment_token: token, end_date };
    return { ...link, answer: { ...link.answer, bytes: Buffer.from(JSON.stringify({ data: made })) } };
  });
  expect(listFaults(links, 'key', [])).toEqual([]);
});
