import type { Bugs } from '../server-kit.ts';

/** Faults that this server can ship with. */
export const bugs = {
  must: {
    'lower-case-routes': 'a rule of the house has all routes registered in lower case',
    'length-in-characters': 'Content-Length counts characters, and letters beyond ASCII cut the body short',
    'single-error-object': 'errors is an array for several errors and the bare object for one',
    'bare-error-code': 'the semicolon of an error code was taken for a separator and trimmed',
    'zero-distance': 'an ATM at the very position has the distance 0, which is falsy and left out',
    'text-installments': 'the list for cards from abroad comes from a form and holds texts',
    'acos-of-more-than-one':
      'rounding takes the cosine above 1 where somebody stands at an ATM, and NaN is null in JSON',
  },
  should: {
    'truthy-fields': 'a field is missing when it is falsy, and so is a false flag',
    'last-twenty': 'the map of applications keeps the last twenty, to save memory',
    'id-by-second': 'the application id is the time in seconds',
    'month-from-zero': 'end_date takes the month as JavaScript counts it',
    'float-cents': 'whether an amount has whole cents is asked of amount * 100 in floats',
    'stack-in-answer': 'a body that is no JSON ends in a 500 with the stack trace',
    'negative-amounts': 'amounts are refused when they are falsy, and negative ones are not',
    'secret-unread': 'with a valid token the links do not look at the client secret any more',
    'first-offer-only': 'the account of a contract is compared with the first offer alone',
    'stuck-for-ipv6': 'the fraud check never answers for IPv6 addresses, and the outcome stays pending',
    'dropped-connections': 'the balancer cuts every thirtieth connection before the answer',
    'trusted-connection': 'credentials are checked with the first request of a connection only',
  },
  sometimes: {},
  unseen: {
    'planar-distance':
      'a degree of longitude is taken to be as long as one of latitude; roads may be three times as long as the line, and these are half as long again',
  },
} satisfies Bugs;
