/** A request with what came of it, as checks compare it: a view of one entry, made when it is looked at. */
import type { Exchange, OperationId } from '../model/exchange.ts';
import type { Outcome } from '../model/outcome.ts';
import { parseBody } from '../validation/parse-body.ts';

/** What came of a request that a check or a scenario looks at; `not-sent` where a scenario sent nothing. */
export interface Came {
  readonly operation: OperationId;
  readonly outcome: Outcome | 'not-sent';
  /** A 2xx with `data` that does not say false of itself. */
  readonly accepted: boolean;
  /** Null where there is no answer. */
  readonly status: number | null;
  readonly exchange: Exchange;
}

/** The same with its answer. */
export interface Answered extends Came {
  /** The readable body of a 2xx, integers beyond 2^53 as bigint; else undefined. */
  readonly body: unknown;
  /** The members of its `data`; none where there is no such object. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** An exchange with its outcome. Its body is read when it is asked for. */
export function answered(exchange: Exchange, outcome: Outcome): Answered {
  const { answer, operation } = exchange;
  let read: { readonly body: unknown } | undefined;
  const body = (): unknown => {
    read ??= {
      body:
        answer !== null && answer.status >= 200 && answer.status < 300 ? parseBody(answer).content.exact : undefined,
    };
    return read.body;
  };
  return {
    operation,
    outcome,
    accepted: outcome === 'accepted',
    status: answer?.status ?? null,
    exchange,
    get body() {
      return body();
    },
    get data() {
      const data = (body() as { data?: unknown } | null | undefined)?.data;
      return (typeof data === 'object' && data !== null ? data : {}) as Answered['data'];
    },
  };
}
