/** The mutants of the population: what they say of themselves is so, and none of them does nothing. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { expect, test } from '@playwright/test';
import { conditional } from '../../../fixtures/banks/mutants/conditional/index.ts';
import { operationOf } from '../../../fixtures/banks/lib/exchange.ts';
import type { Mutant } from '../../../fixtures/banks/lib/mutant.ts';
import { manual } from '../../../fixtures/banks/mutants/manual/index.ts';
import { expectations } from '../../../fixtures/banks/mutants/expectations/index.ts';
import { createBank } from '../../../fixtures/reference-bank/bank.ts';
import { clauses } from '../../../openapi/clauses/index.ts';
import { operations } from '../../../openapi/contract/operations.ts';
import { operationIds, type Area } from '../../../openapi/model/exchange.ts';
import { examine } from '../support/examine.ts';

const written: readonly Mutant[] = [...manual, ...conditional, ...expectations];

test('Names are words with dashes, each of them once, and descriptions are sentences', () => {
  for (const { name, description } of written) {
    expect(name).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)*$/);
    expect([name, description]).toEqual([name, expect.stringMatching(/^[^\n]{9,140}\.$/)]);
  }
  expect(new Set(written.map(({ name }) => name)).size).toBe(written.length);
});

test('Each file holds one kind of mutant, and its clauses are of that level', () => {
  const levels = (mutants: readonly Mutant[]) => [...new Set(mutants.map(({ breaks }) => clauses[breaks].level))];
  const kinds = (mutants: readonly Mutant[]) => [...new Set(mutants.map(({ kind }) => kind))];
  expect([kinds(manual), levels(manual)]).toEqual([['manual'], ['must']]);
  expect([kinds(expectations), levels(expectations)]).toEqual([['expectation'], ['should']]);
  expect([kinds(conditional), levels(conditional)]).toEqual([['conditional'], ['must']]);
  for (const { name, also = [] } of expectations)
    expect([name, also.map((clause) => clauses[clause].level).includes('must')]).toEqual([name, false]);
});

test('There are many of them, spread over all operations and over many clauses', () => {
  expect(conditional.length).toBeGreaterThanOrEqual(70);
  expect(manual.length).toBeGreaterThanOrEqual(60);
  expect(expectations.length).toBeGreaterThanOrEqual(60);
  expect([...new Set(conditional.map(({ operation }) => operation))].sort()).toEqual([...operationIds].sort());
  expect(new Set(conditional.map(({ breaks }) => breaks)).size).toBeGreaterThanOrEqual(40);
  expect(new Set(expectations.map(({ breaks }) => breaks)).size).toBeGreaterThanOrEqual(50);
});

test('A pointer is a place of an answer or of a request', () => {
  for (const { name, pointer } of written)
    expect(pointer, name).toMatch(/^(?:|(?:\/(?:\*|[a-z_]+))+|response\/(?:status|body|header\/[\w-]+)|request\/.+)$/);
});

/** A request as it came: each sending makes a new one of it. */
interface Came {
  readonly url: string;
  readonly init: { readonly method: string; readonly headers: Headers; readonly body: string | null };
}

/** Requests of one examination of the good bank, in the order in which they came. */
async function requestsTo(area: Area): Promise<readonly Came[]> {
  const came: Came[] = [];
  const bank = createBank();
  await examine(
    {
      async fetch(request) {
        const { url, method, headers } = request;
        const body = method === 'POST' ? await request.clone().text() : null;
        if (operationOf(method, new URL(url).pathname) !== null)
          came.push({ url, init: { method, headers: new Headers(headers), body } });
        return bank.fetch(request);
      },
    },
    { env: { AREAS: area } },
  );
  return came;
}

const bytesOf = (of: Request | Response): Promise<Buffer> =>
  of.arrayBuffer().then(
    (bytes) => Buffer.from(bytes),
    () => Buffer.alloc(0),
  );
const look = ({ status, headers }: Response, bytes: Buffer): string =>
  JSON.stringify([status, [...headers], bytes.toString('latin1')]);
const ask = async (request: Request): Promise<string> =>
  JSON.stringify([request.method, request.url, [...request.headers], (await bytesOf(request)).toString('latin1')]);

/** Requests that are sent at the same time. */
const abreast = 4;

/** What the good bank got and gave while one request to the mutated one was under way. */
interface Notes {
  readonly original: Request;
  /** The request that came in its place, as text. */
  other?: string;
  response?: Response;
  told?: string;
}

/** Whether a mutant changes anything: a request that the good bank gets, an answer that it gives, or who answers. */
async function changes(mutant: Mutant, requests: readonly Came[]): Promise<boolean> {
  const within = new AsyncLocalStorage<Notes>();
  const good = createBank();
  // All requests come over one connection, as those of a client with a kept-alive connection do.
  const connection = {};
  const mutated = mutant.mutate({
    async fetch(request) {
      const notes = within.getStore();
      if (notes !== undefined && request !== notes.original) notes.other = await ask(request.clone());
      const given = await good.fetch(request);
      const bytes = await bytesOf(given);
      const response = new Response(new Uint8Array(bytes), { status: given.status, headers: given.headers });
      if (notes !== undefined) Object.assign(notes, { response, told: look(given, bytes) });
      return response;
    },
  });
  const differs = async ({ url, init }: Came): Promise<boolean> => {
    const notes: Notes = { original: new Request(url, init) };
    const response = await within.run(notes, async () => mutated.fetch(notes.original, connection));
    if (notes.response === undefined) return true;
    if (notes.other !== undefined && notes.other !== (await ask(new Request(url, init)))) return true;
    return response !== notes.response && notes.told !== look(response, await bytesOf(response));
  };
  for (let from = 0; from < requests.length; from += abreast) {
    const found = await Promise.all(requests.slice(from, from + abreast).map(differs));
    if (found.includes(true)) return true;
  }
  return false;
}

/** Every so many of them, so that each file of the population gives some. In the proof each one has to be caught. */
const every = (count: number): readonly Mutant[] => written.filter((_, index) => index % count === 0);

for (const area of ['loans', 'payment-links', 'atms'] as const)
  test(`No mutant does nothing (${area})`, async () => {
    test.setTimeout(120_000);
    const requests = await requestsTo(area);
    const idle: string[] = [];
    for (const mutant of every(16))
      if (operations[mutant.operation].area === area && !(await changes(mutant, requests))) idle.push(mutant.name);
    expect(idle).toEqual([]);
    const nothing: Mutant = { ...(written[0] as Mutant), mutate: (bank) => bank };
    expect(await changes(nothing, requests)).toBe(false);
  });
