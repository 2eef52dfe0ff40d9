/** Exchanges written by hand from the document, each right until a test mutates it, and what the judge says of them. */
import type { Violation } from '../../../openapi/model/finding.ts';
import { clauses, type ClauseId } from '../../../openapi/clauses/index.ts';
import type { Asked, Exchange, OperationId } from '../../../openapi/model/exchange.ts';
import { evaluateRun } from '../../../openapi/evaluate-run.ts';
import { judge } from '../../../openapi/judge.ts';
import type { Judgement } from '../../../openapi/judgement.ts';

/** When the exchanges of these tests were made. */
export const noon = Date.UTC(2030, 5, 1, 12);

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

interface Sample {
  readonly asked: Asked;
  readonly body: Json;
}

const loan = {
  amount: 1000,
  currency: 'EUR',
  commercial_disbursement: true,
  disbursement_purpose: false,
  order_id: 'A-1',
};

const samples: Readonly<Record<OperationId, Sample>> = {
  validateLoan: { asked: loan, body: { data: { result: 'true' } } },
  requestLoan: {
    asked: loan,
    body: {
      data: {
        application_id: '4711',
        result: 'true',
        infos: [
          {
            account_id: '900120',
            account: 'Main account',
            avaliable_limit: '25000.00',
            interest_rate: '2.79000',
            interest_term: '1M',
            commission_rate: '0.50000',
          },
        ],
      },
    },
  },
  approveContract: {
    asked: { application_id: '4711', account_id: '900120' },
    body: { data: { application_id: '4711' } },
  },
  disburse: {
    asked: {
      amount: 10,
      account_id: '900120',
      currency: 'EUR',
      application_id: '4711',
      contract_approved: true,
      customer_ip: '192.0.2.1',
    },
    body: { data: { application_id: '4711' } },
  },
  queryDisbursement: {
    asked: { application_id: '4711' },
    body: { data: { application_id: '4711', result: 'Not made' }, errors: [{ message: 'R036;' }] },
  },
  listMerchants: {
    asked: {},
    body: {
      data: {
        merchants: [
          { account_no: '77', branch_code: 42, merchant_name: 'Books', merchant_no: 60017, branch_name: 'Harbour' },
        ],
        qr_max_amount: 5000.5,
        qr_max_amount_limit_message: '',
        editable: true,
        edit_message: '',
      },
    },
  },
  listCurrencies: {
    asked: { merchant_no: '60017', is_domestic: true },
    body: { data: { currencies: [{ code: 'EUR' }] } },
  },
  listBranches: { asked: { merchant_no: '60017' }, body: { data: { branches: [{ no: 42, name: 'Harbour' }] } } },
  listInstallments: {
    asked: { merchant_no: '60017', branch_no: '42', currency_code: 'EUR', is_domestic: true },
    body: { data: { installments: [{ value: 1, text: 'Single payment' }] } },
  },
  createPaymentLink: {
    asked: {
      language_code: 'en',
      branch_no: '42',
      personal_description: 'x',
      amount: 5,
      merchant_no: '60017',
      installment: 1,
      currency_code: 'EUR',
      is_domestic: true,
    },
    body: {
      data: {
        order_id: '0b6f3f0e-6f0c-4c39-9a53-27b0f2b1a9d4',
        payment_link: 'https://pay.example/l/9Kc2v7',
        payment_token: '9Kc2v7',
        is_success: true,
        end_date: '24.12.2030 18:30:00',
      },
    },
  },
  findAtms: {
    asked: { latitude: '41.01', longitude: '28.95' },
    body: {
      data: [
        {
          atm_address: '4 Harbour Street',
          atm_city: 'Port',
          atm_distance: 420,
          atm_district: 'Old Town',
          atm_latitude: 41.0136,
          atm_longitude: 28.955,
          atm_name: 'Harbour',
          atm_no: '00420',
        },
      ],
    },
  },
};

/** The codes that ask for ATMs by province and district. */
export const byPlace: Asked = { province_code: '34', district_code: '07' };

/** Stands for a field that is left out. */
export const gone = Symbol('gone');

/** A right body of `operation`, with one place changed where `pointer` names it. */
export function body(operation: OperationId, pointer?: string, value?: unknown): Json {
  const copy = structuredClone(samples[operation].body);
  if (pointer === undefined) return copy;
  const keys = pointer.split('/').slice(1);
  const last = String(keys.pop());
  const holder = keys.reduce<Json>((node, key) => (node as { [key: string]: Json })[key] as Json, copy) as {
    [key: string]: Json;
  };
  if (value === gone) delete holder[last];
  else holder[last] = value as Json;
  return copy;
}

export interface Around {
  readonly asked?: Asked;
  readonly status?: number;
  readonly headers?: Exchange['request']['headers'];
  readonly labels?: readonly (readonly [string, string])[];
  readonly kind?: Exchange['kind'];
  readonly at?: number;
  readonly ms?: number;
}

let made = 0;

/** An exchange that brought `answer`: bytes, a text, or what JSON is made of; null for no answer at all. */
export function exchange(operation: OperationId, answer: unknown = body(operation), around: Around = {}): Exchange {
  const { asked = samples[operation].asked, status = 200, headers = {}, kind = 'positive', at = noon, ms = 5 } = around;
  const labels = around.labels ?? [['content-type', 'application/json']];
  const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
  const bytes = answer instanceof Uint8Array ? answer : new TextEncoder().encode(text);
  return {
    id: `exchange-${(made += 1)}`,
    operation,
    kind,
    request: { method: 'POST', path: '/', headers, body: JSON.stringify(asked), asked },
    answer: answer === null ? null : { status, headers: labels, bytes },
    failure: answer === null ? { kind: 'reset', message: 'The connection was reset.' } : null,
    startedAt: at,
    durationMs: ms,
  };
}

/** What is broken, each as `clause pointer`, in one order. */
function judgedOf(breaks: readonly Violation[]): readonly string[] {
  return breaks.map(({ clause, pointer }) => `${clause} ${pointer}`).toSorted();
}

export function judged(operation: OperationId, answer?: unknown, around?: Around): Judgement {
  return judge(exchange(operation, answer, around));
}

/** What the judge finds broken in one answer. */
export function broken(operation: OperationId, answer?: unknown, around?: Around): readonly string[] {
  return judgedOf(judged(operation, answer, around).breaks);
}

/** True where one of the breaks is of a promise of the document. */
export function againstTheDocument(breaks: readonly Violation[]): boolean {
  return breaks.some(({ clause }) => clauses[clause].level === 'must');
}

/** What shows over several exchanges: breaks as `clause pointer`, and the clauses that were put to the test. */
export function evaluated(...exchanges: readonly Exchange[]): {
  readonly broken: readonly string[];
  readonly exercised: ReadonlySet<ClauseId>;
  readonly received: readonly string[];
  readonly counts: readonly number[];
} {
  const records = exchanges.flatMap((one) => judge(one).facts.map((fact) => ({ exchange: one.id, fact })));
  const { broken: breaks, exercised } = evaluateRun(records);
  return {
    broken: judgedOf(breaks),
    exercised: new Set(exercised.map(({ clause }) => clause)),
    received: breaks.map(({ received }) => received),
    counts: breaks.map(({ count = 1 }) => count),
  };
}
