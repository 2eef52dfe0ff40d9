import type { Bugs, bugSwitch } from '../server-kit.ts';

/** Faults that this server can ship with. */
export const bugs = {
  must: {
    'ids-as-doubles': 'bodies are parsed with JSON.parse, which rounds ids beyond 2^53',
    'latin5-column': 'the description goes to a column of an older character set, which has no emoji',
    'varchar-255': 'the description is a varchar(255), and nothing checks the length before',
    'falsy-rate': 'a commission of zero is falsy and becomes null',
  },
  should: {
    'no-transaction': 'whether an application was disbursed is asked and written down in separate statements',
    'decimal-comma': 'rates in lira are printed in the locale of the country',
    'swapped-axes': 'the district query reads a point column, where x is the longitude',
    'domestic-only': 'links for cards from abroad are refused since the flag is checked with a falsy test',
    'whole-amounts': 'the amount of a link is validated as an integer',
    'cache-by-path': 'the currencies of a merchant are cached by the path without the query',
    'order-id-by-clock': 'order_id is derived from the second in which the link was made',
    'aborted-transaction': 'a refused contract leaves its transaction open, and the next statement fails',
    'token-prefix': 'the bearer token is compared up to the length of what was sent',
    'half-filled-cache': 'the cached list of branches is there, empty, while the first request still fills it',
  },
  sometimes: {},
  unseen: {
    'latest-of-account':
      'the query joins disbursements on the account, which several applications share; no disbursement fails below MAX_AMOUNT: the limits are above it, and what is not approved is refused',
    'limit-before-order':
      'the locator takes the first rows and sorts them by distance afterwards; all answers together show three ATMs, and there may be no others',
  },
} satisfies Bugs;

/** The question whether one of this server's bugs is switched on. */
export type Has = ReturnType<typeof bugSwitch<typeof bugs>>;
