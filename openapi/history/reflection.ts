/** Reports answers that repeat a credential of their request. */
import type { Exchange } from '../model/exchange.ts';
import type { Violation } from '../model/finding.ts';

export const REFLECTION = 'service.credentials-not-reflected';

/** Makes the violation for a place in an answer. */
export const reflection = ({ id, operation }: Pick<Exchange, 'id' | 'operation'>, pointer: string): Violation => ({
  clause: REFLECTION,
  operation,
  pointer,
  kind: 'behaviour',
  expected: 'an answer without the credentials of its request',
  received: 'a credential, masked in the evidence',
  exchange: id,
});
