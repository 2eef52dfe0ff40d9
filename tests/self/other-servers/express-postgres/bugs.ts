import type { Bugs, bugSwitch } from '../server-kit.ts';

/** Faults that this server can ship with. */
export const bugs = {
  'ids-as-doubles': {
    story: 'bodies are parsed with JSON.parse, which rounds ids beyond 2^53',
    breaks: 'must',
    sentence: 'Contract request: application_id (integer), account_id (integer); exact beyond 2^53',
  },
  'no-transaction': {
    story: 'whether an application was disbursed is asked and written down in separate statements',
    breaks: 'should',
    sentence: 'what is refused in a row is not done twice at once',
  },
  'latest-of-account': {
    story: 'the query joins disbursements on the account, which several applications share',
    breaks: 'should',
    sentence: 'unrelated applications do not disturb each other; outcomes stay',
    unseen: 'no disbursement fails below MAX_AMOUNT: the limits are above it, and what is not approved is refused',
  },
  'latin5-column': {
    story: 'the description goes to a column of an older character set, which has no emoji',
    breaks: 'must',
    sentence: 'personal_description: string (free text), reliable 5xx',
  },
  'varchar-255': {
    story: 'the description is a varchar(255), and nothing checks the length before',
    breaks: 'must',
    sentence: 'personal_description: string (free text), reliable 5xx',
  },
  'decimal-comma': {
    story: 'rates in lira are printed in the locale of the country',
    breaks: 'should',
    sentence: 'a point as the sign of decimal texts',
  },
  'swapped-axes': {
    story: 'the district query reads a point column, where x is the longitude',
    breaks: 'should',
    sentence: 'one atm_no, one place; not swapped',
  },
  'domestic-only': {
    story: 'links for cards from abroad are refused since the flag is checked with a falsy test',
    breaks: 'should',
    sentence: 'refusals that no business rule explains: one value of a boolean',
  },
  'whole-amounts': {
    story: 'the amount of a link is validated as an integer',
    breaks: 'should',
    sentence: 'refusals that no business rule explains: cents',
  },
  'cache-by-path': {
    story: 'the currencies of a merchant are cached by the path without the query',
    breaks: 'should',
    sentence: 'lists depend on their parameters; what is offered is taken',
  },
  'limit-before-order': {
    story: 'the locator takes the first rows and sorts them by distance afterwards',
    breaks: 'should',
    sentence: 'With latitude and longitude, the closest ATMs are returned',
    unseen: 'all answers together show three ATMs, and there may be no others',
  },
  'falsy-rate': {
    story: 'a commission of zero is falsy and becomes null',
    breaks: 'must',
    sentence: 'commission_rate: string (decimal text, five decimals)',
  },
  'order-id-by-clock': {
    story: 'order_id is derived from the second in which the link was made',
    breaks: 'should',
    sentence: 'order_id unique per link',
  },
  'aborted-transaction': {
    story: 'a refused contract leaves its transaction open, and the next statement fails',
    breaks: 'should',
    sentence: 'no 5xx that comes and goes',
  },
  'token-prefix': {
    story: 'the bearer token is compared up to the length of what was sent',
    breaks: 'should',
    sentence: 'missing or wrong credentials get no data',
  },
  'half-filled-cache': {
    story: 'the cached list of branches is there, empty, while the first request still fills it',
    breaks: 'should',
    sentence: 'the same GET brings the same list',
  },
} satisfies Bugs;

/** The question whether one of this server's bugs is switched on. */
export type Has = ReturnType<typeof bugSwitch<typeof bugs>>;
