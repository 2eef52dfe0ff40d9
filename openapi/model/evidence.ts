/** Evidence there and back: the exchange that a record shows, and the digest that a record bears. */
import { sha256Of } from '../util/hash.ts';
import type { Exchange } from './exchange.ts';
import type { ExchangeRecord } from './journal.ts';

/** A record with its own digest. */
export function sealed(record: Omit<ExchangeRecord, 'sha256'> & { readonly sha256?: string }): ExchangeRecord {
  const { sha256: _, ...unsigned } = record;
  return { ...unsigned, sha256: sha256Of(unsigned) };
}

/** The exchange that a record was made of, as the record shows it. */
export function exchangeOf(record: Omit<ExchangeRecord, 'sha256'>): Exchange {
  const { id, operation, kind, request, response, failure, timing } = record;
  const answered = response !== null && failure === null;
  return {
    id,
    operation,
    kind,
    request,
    answer: answered
      ? {
          status: response.status,
          headers: response.headers,
          bytes: Buffer.from(response.body, response.encoding === 'base64' ? 'base64' : 'utf8'),
        }
      : null,
    failure,
    startedAt: Date.parse(timing.startedAt),
    durationMs: timing.durationMs,
  };
}
