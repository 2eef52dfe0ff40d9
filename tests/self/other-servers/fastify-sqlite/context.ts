import { createBugSwitch, type Bugs } from '../server-kit.ts';
import { openStore } from './database.ts';

/** The bugs of this server: they need a framework, a database, or time between two steps. */
export const bugs = {
  must: {
    'shared-context': 'the application in hand is kept in a variable of the module across an await',
    'atm-cache-by-path': 'the locator is cached by path, so that the first query answers all',
    'quoted-sql': 'the description is put into the SQL text between quotation marks',
    'float-limit': 'the limit is worked out in floats and printed with at least two decimals',
    'text-order-id': 'the schema says that order_id is a text',
  },
  should: {
    'sequence-race': 'the next application id is read before the audit is awaited and used after it',
    'double-disbursement': 'whether the application was disbursed is asked outside the transaction that writes',
    'installment-cache-by-branch': 'the key of the installment cache leaves out currency_code and is_domestic',
    'open-locator': 'the credential hook is registered after the routes of the locator',
    'limits-zipped': 'limits come from a second query in another order and are put to the offers by index',
  },
} satisfies Bugs;

/** The data that the routes share. `audit` simulates a call to another service: other requests are served during this call. */
export type Context = ReturnType<typeof makeContext>;

export const makeContext = (bug: string | undefined) => ({
  store: openStore(),
  has: createBugSwitch(bugs, bug),
  audit: async (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5)),
});

/** An error that Fastify answers with the error's status. */
export class Refusal extends Error {
  readonly statusCode: number;

  constructor(statusCode: number, message: string) {
    super(message);
    this.statusCode = statusCode;
  }
}

/** Converts money to minor units; refuses an amount with fractions of a cent. */
export function toMinor(amount: number): number {
  const minor = Math.round(amount * 100);
  if (minor <= 0 || !Number.isSafeInteger(minor) || Math.abs(amount * 100 - minor) > 1e-4)
    throw new Refusal(400, 'amount must be positive and have at most two decimals');
  return minor;
}

export const makeObjectSchema = (properties: object) => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
});
