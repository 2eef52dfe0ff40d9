/** Combines a request with its answer, so that checks can compare it. */
import type { Answered } from '../model/history.ts';
import type { Exchange } from '../model/exchange.ts';
import type { Outcome } from '../model/outcome.ts';
import { parseBody } from '../validation/parse-body.ts';

/** Adds the outcome and the body to an exchange. Parses the body only when it is needed. */
export function readAnswer(exchange: Exchange, outcome: Outcome): Answered {
  const { answer, operation } = exchange;
  const isSuccess = answer !== null && answer.status >= 200 && answer.status < 300;
  let parsed: { readonly body: unknown } | undefined;
  return {
    operation,
    outcome,
    accepted: outcome === 'accepted',
    status: answer?.status ?? null,
    exchange,
    get body() {
      parsed ??= { body: isSuccess ? parseBody(answer).content.exact : undefined };
      return parsed.body;
    },
    get data() {
      const data = (this.body as { data?: unknown } | null | undefined)?.data;
      return (typeof data === 'object' && data !== null ? data : {}) as Answered['data'];
    },
  };
}
