import type { Bugs } from '../server-kit.ts';

/** Faults that this server can ship with. */
export const bugs = {
  must: {
    'shared-context': 'the application in hand is kept in a variable of the module across an await',
    'atm-cache-by-path': 'the locator is cached by path, so that the first query answers all',
    'atm-no-cast': 'the province query casts atm_no to an integer to sort by it and returns the cast',
    'quoted-sql': 'the description is put into the SQL text between quotation marks',
    'float-limit': 'the limit is worked out in floats and printed with at least two decimals',
    'unpadded-time': 'a library update prints the parts of the time in end_date without leading zeros',
    'text-order-id': 'the schema says that order_id is a text',
    'commercial-rate': 'the rate of commercial disbursements comes from another system with four decimals',
  },
  should: {
    'sequence-race': 'the next application id is read before the audit is awaited and used after it',
    'double-disbursement': 'whether the application was disbursed is asked outside the transaction that writes',
    'installment-cache-by-branch': 'the key of the installment cache leaves out currency_code and is_domestic',
    'ipv4-only': 'the check knows IPv4 addresses alone',
    'open-locator': 'the credential hook is registered after the routes of the locator',
    'limits-zipped': 'limits come from a second query in another order and are put to the offers by index',
    'or-for-and': 'the district query joins its two conditions with OR',
  },
  sometimes: {
    'sticky-decline': 'one failed disbursement blocks the customer, and all later ones fail',
    'reconciled-away': 'reconciliation turns every fourth outcome that was final into a failure',
  },
  unseen: {},
} satisfies Bugs;
