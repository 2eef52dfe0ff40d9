import type { Bugs } from '../server-kit.ts';

/** Faults that this server can ship with. */
export const bugs = {
  'sequence-race': {
    story: 'the next application id is read before the audit is awaited and used after it',
    breaks: 'should',
    sentence: 'application ids differ',
  },
  'double-disbursement': {
    story: 'whether the application was disbursed is asked outside the transaction that writes',
    breaks: 'should',
    sentence: 'what is refused in a row is not done twice at once',
  },
  'shared-context': {
    story: 'the application in hand is kept in a variable of the module across an await',
    breaks: 'must',
    sentence: 'Contract response data: application_id (the id of another entity in its place)',
  },
  'atm-cache-by-path': {
    story: 'the locator is cached by path, so that the first query answers all',
    breaks: 'must',
    sentence: 'With province_code and district_code, atm_distance is not returned',
  },
  'installment-cache-by-branch': {
    story: 'the key of the installment cache leaves out currency_code and is_domestic',
    breaks: 'should',
    sentence: 'what is offered is taken; lists depend on their parameters',
  },
  'atm-no-cast': {
    story: 'the province query casts atm_no to an integer to sort by it and returns the cast',
    breaks: 'must',
    sentence: 'atm_no: string (numeric text, leading zeros kept)',
  },
  'quoted-sql': {
    story: 'the description is put into the SQL text between quotation marks',
    breaks: 'must',
    sentence: 'personal_description: string (free text), reliable 5xx',
  },
  'float-limit': {
    story: 'the limit is worked out in floats and printed with at least two decimals',
    breaks: 'must',
    sentence: 'avaliable_limit: string (decimal text, two decimals)',
  },
  'unpadded-time': {
    story: 'a library update prints the parts of the time in end_date without leading zeros',
    breaks: 'must',
    sentence: 'end_date: string, format DD.MM.YYYY HH:MM:SS',
  },
  'sticky-decline': {
    story: 'one failed disbursement blocks the customer, and all later ones fail',
    breaks: 'should',
    sentence: 'unrelated applications do not disturb each other',
  },
  'text-order-id': {
    story: 'the schema says that order_id is a text',
    breaks: 'must',
    sentence: 'order_id: string or integer (both forms appear)',
  },
  'commercial-rate': {
    story: 'the rate of commercial disbursements comes from another system with four decimals',
    breaks: 'must',
    sentence: 'interest_rate: string (decimal text, five decimals)',
  },
  'ipv4-only': {
    story: 'the check knows IPv4 addresses alone',
    breaks: 'should',
    sentence: 'customer_ip: string (IP address of the customer), the family of an IP address',
  },
  'reconciled-away': {
    story: 'reconciliation turns every fourth outcome that was told as final into a failure',
    breaks: 'should',
    sentence: 'outcomes become final and stay',
  },
  'open-locator': {
    story: 'the credential hook is registered after the routes of the locator',
    breaks: 'should',
    sentence: 'missing or wrong credentials get no data, ATM locator included',
  },
  'limits-zipped': {
    story: 'limits come from a second query in another order and are put to the offers by index',
    breaks: 'should',
    sentence: 'what is offered is taken: an amount within the available limit of the account',
  },
  'or-for-and': {
    story: 'the district query joins its two conditions with OR',
    breaks: 'should',
    sentence: 'the ATMs of a province and district',
  },
} satisfies Bugs;
