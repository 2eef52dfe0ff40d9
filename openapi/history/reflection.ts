/** Makes the violation for an answer that repeats a credential of its request. */
import type { Exchange } from '../model/exchange.ts';
import type { Violation } from '../model/finding.ts';

export const REFLECTION_CLAUSE = 'service.credentials-not-reflected';

export const makeReflection = ({ id, operation }: Pick<Exchange, 'id' | 'operation'>, pointer: string): Violation => ({
  clause: REFLECTION_CLAUSE,
  operation,
  pointer,
  kind: 'behaviour',
  expected: 'an answer without the credentials of its request',
  received: 'a credential, masked in the evidence',
  exchange: id,
});
