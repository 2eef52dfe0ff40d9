/** What a report shows beside its verdicts: the flows as they went, and what was covered. */
import type { Area, OperationId } from '../../openapi/model/exchange.ts';
import type { ExchangeRecord } from '../../openapi/model/journal.ts';

/** A step of a flow, the case of a property, or a request that leaves the document. */
export type RequestOrigin = 'flow' | 'property' | 'probe';

/** How the request of an exchange came about. */
export const originOf = ({ kind, property }: Pick<ExchangeRecord, 'kind' | 'property'>): RequestOrigin =>
  kind === 'probe' ? 'probe' : property === undefined ? 'flow' : 'property';

/** One request of a flow. */
export interface Step {
  readonly operation: OperationId;
  readonly exchange: string;
  readonly status: number | null;
  /** The ids and codes that it carried; `from` is the step whose answer gave it, or null. */
  readonly carried: readonly { readonly name: string; readonly value: string; readonly from: number | null }[];
  /** The ids and codes that its answer gave, the ones that later steps carry first. */
  readonly gave: readonly { readonly name: string; readonly value: string }[];
}

/** A flow as it really went, once. */
export interface Flow {
  readonly area: Area;
  readonly steps: readonly Step[];
}

/** An installment of a currency: how many lists offered it, and how many links were made with it. */
export interface Cover {
  readonly currency: string;
  readonly installment: number;
  readonly offered: number;
  readonly links: number;
}
