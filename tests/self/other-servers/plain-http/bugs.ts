import type { Bugs } from '../server-kit.ts';

/** Faults that this server can ship with. */
export const bugs = {
  'lower-case-routes': {
    story: 'a rule of the house has all routes registered in lower case',
    breaks: 'must',
    sentence: 'the path segment is written with a capital I',
  },
  'length-in-characters': {
    story: 'Content-Length counts characters, and letters beyond ASCII cut the body short',
    breaks: 'must',
    sentence: 'Request and response bodies are JSON',
  },
  'truthy-fields': {
    story: 'a field is missing when it is falsy, and so is a false flag',
    breaks: 'should',
    sentence: 'refusals that no business rule explains: one value of a boolean',
  },
  'single-error-object': {
    story: 'errors is an array for several errors and the bare object for one',
    breaks: 'must',
    sentence: 'optional top-level errors array of objects with message',
  },
  'bare-error-code': {
    story: 'the semicolon of an error code was taken for a separator and trimmed',
    breaks: 'must',
    sentence: 'letter R followed by three digits and a semicolon',
  },
  'zero-distance': {
    story: 'an ATM at the very position has the distance 0, which is falsy and left out',
    breaks: 'must',
    sentence: 'With latitude and longitude, each carries atm_distance',
  },
  'last-twenty': {
    story: 'the map of applications keeps the last twenty, to save memory',
    breaks: 'should',
    sentence: 'unrelated applications do not disturb each other; outcomes stay',
  },
  'id-by-second': {
    story: 'the application id is the time in seconds',
    breaks: 'should',
    sentence: 'application ids differ',
  },
  'month-from-zero': {
    story: 'end_date takes the month as JavaScript counts it',
    breaks: 'should',
    sentence: 'a link expires in the future',
  },
  'float-cents': {
    story: 'whether an amount has whole cents is asked of amount * 100 in floats',
    breaks: 'should',
    sentence: 'refusals that no business rule explains: cents',
  },
  'stack-in-answer': {
    story: 'a body that is no JSON ends in a 500 with the stack trace',
    breaks: 'should',
    sentence: 'no 5xx for a client mistake, no stack traces',
  },
  'negative-amounts': {
    story: 'amounts are refused when they are falsy, and negative ones are not',
    breaks: 'should',
    sentence: 'amounts of zero and below are refused',
  },
  'secret-unread': {
    story: 'with a valid token the links do not look at the client secret any more',
    breaks: 'should',
    sentence: 'missing or wrong credentials get no data, each header on its own',
  },
  'first-offer-only': {
    story: 'the account of a contract is compared with the first offer alone',
    breaks: 'should',
    sentence: 'what is offered is taken',
  },
  'text-installments': {
    story: 'the list for cards from abroad comes from a form and holds texts',
    breaks: 'must',
    sentence: 'installments: objects with value (integer)',
  },
  'stuck-for-ipv6': {
    story: 'the fraud check never answers for IPv6 addresses, and the outcome stays pending',
    breaks: 'should',
    sentence: 'outcomes become final about as soon for every kind of documented input',
  },
  'dropped-connections': {
    story: 'the balancer cuts every thirtieth connection before the answer',
    breaks: 'should',
    sentence: 'no answer (reset) on a positive request',
  },
  'acos-of-more-than-one': {
    story: 'rounding takes the cosine above 1 where somebody stands at an ATM, and NaN is null in JSON',
    breaks: 'must',
    sentence: 'With latitude and longitude, each carries atm_distance (integer)',
  },
  'planar-distance': {
    story: 'a degree of longitude is taken to be as long as one of latitude',
    breaks: 'should',
    sentence: 'the closest ATMs are returned; atm_distance not above three times the line',
    unseen: 'roads may be three times as long as the line, and these are half as long again',
  },
  'trusted-connection': {
    story: 'credentials are checked with the first request of a connection only',
    breaks: 'should',
    sentence: 'missing or wrong credentials get no data',
  },
} satisfies Bugs;
