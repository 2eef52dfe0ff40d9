import { isIP } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { type Context, Refusal, makeObjectSchema, toMinor } from './context.ts';

interface LoanBody {
  amount: number;
  currency: string;
  commercial_disbursement: boolean;
  disbursement_purpose: boolean;
  order_id: string | number;
}
interface ContractBody {
  application_id: number;
  account_id: number;
}
interface DisbursementBody extends ContractBody {
  amount: number;
  currency: string;
  contract_approved: boolean;
  customer_ip: string;
}
interface OfferRow {
  application_id: number;
  account_id: number;
  account: string;
  limit_minor: number;
  interest_rate: number;
  interest_term: string;
  commission_rate: number;
  currency: string;
  contract_account: number | null;
}

const SERVED_CURRENCIES = ['TRY', 'EUR'];
const SMALLEST_AMOUNT = 1_000;
const LARGEST_AMOUNT = 500_000_000;
const PENDING_PERIOD_MS = 25;
const SUCCESS_TEXT = 'Kullandırım işlemi tamamlandı.';
const FAILURE_TEXT = 'Kullandırım yapılamadı.';
const twoDecimalsFormat = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 20 });

const idSchema = { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER };

/** Adds the five operations of the revolving loans. */
export function addLoanRoutes(app: FastifyInstance, { store, has, audit }: Context): void {
  let inHand = 0;
  const loanSchema = makeObjectSchema({
    amount: { type: 'number', exclusiveMinimum: 0 },
    currency: { type: 'string', enum: SERVED_CURRENCIES },
    commercial_disbursement: { type: 'boolean' },
    disbursement_purpose: { type: 'boolean' },
    order_id: { type: has('text-order-id') ? 'string' : ['string', 'integer'], minLength: 1 },
  });
  const eligible = (minor: number): boolean => minor >= SMALLEST_AMOUNT && minor <= LARGEST_AMOUNT;

  app.post<{ Body: LoanBody }>('/validations', { schema: { body: loanSchema } }, ({ body }) => ({
    data: { result: String(eligible(toMinor(body.amount))) },
  }));

  app.post<{ Body: LoanBody }>('/loans', { schema: { body: loanSchema } }, async ({ body }, reply) => {
    const minor = toMinor(body.amount);
    const nextId = (): number =>
      Number(store.all('SELECT coalesce(max(id), 7100020) + 3 AS next FROM applications')[0]?.['next']);
    const early = nextId();
    await audit();
    const limit = Math.round((minor * 6) / 5);
    const applicationId = store.transaction(() => {
      const next = has('sequence-race') ? early : nextId();
      store.run('INSERT OR REPLACE INTO applications (id, currency) VALUES (?, ?)', [next, body.currency]);
      for (const [nth, rate] of eligible(minor) ? [389_000, 412_550].entries() : []) {
        const account = next * 10 + nth;
        const reference = `TR${String(account).padStart(12, '0')}`;
        const values = [account, next, reference, limit + nth * 50_000, rate, nth === 0 ? '1M' : '3M', nth * 25_000];
        store.run('INSERT OR REPLACE INTO offers VALUES (?, ?, ?, ?, ?, ?, ?)', values);
      }
      return next;
    });
    const offers = store.all<OfferRow>('SELECT * FROM offers WHERE application_id = ? ORDER BY account_id', [
      applicationId,
    ]);
    const limits = has('limits-zipped') ? offers.toReversed() : offers;
    const infos = offers.map((offer, nth) => ({
      account_id: String(offer.account_id),
      account: offer.account,
      avaliable_limit: has('float-limit')
        ? twoDecimalsFormat.format(body.amount * 1.2).replaceAll(',', '')
        : ((limits[nth]?.limit_minor ?? 0) / 100).toFixed(2),
      interest_rate: (offer.interest_rate / 100_000).toFixed(5),
      interest_term: offer.interest_term,
      commission_rate: (offer.commission_rate / 100_000).toFixed(5),
    }));
    void reply.status(201);
    return { data: { application_id: String(applicationId), result: String(infos.length > 0), infos } };
  });

  const offerOf = ({ application_id, account_id }: ContractBody): OfferRow => {
    const sql = 'SELECT * FROM offers JOIN applications ON id = application_id WHERE id = ? AND account_id = ?';
    const [offer] = store.all<OfferRow>(sql, [application_id, account_id]);
    if (offer === undefined) throw new Refusal(404, 'no such application or account');
    return offer;
  };
  const disbursed = (application: number): boolean =>
    store.all('SELECT 1 FROM disbursements WHERE application_id = ?', [application]).length > 0;

  const contractSchema = makeObjectSchema({ application_id: idSchema, account_id: idSchema });
  app.post<{ Body: ContractBody }>('/contracts', { schema: { body: contractSchema } }, async ({ body }) => {
    inHand = body.application_id;
    await audit();
    store.transaction(() => {
      offerOf(body);
      if (disbursed(body.application_id)) throw new Refusal(409, 'the application is disbursed');
      store.run('UPDATE applications SET contract_account = ? WHERE id = ?', [body.account_id, body.application_id]);
    });
    return { data: { application_id: String(has('shared-context') ? inHand : body.application_id) } };
  });

  const disbursementSchema = makeObjectSchema({
    amount: { type: 'number', exclusiveMinimum: 0 },
    account_id: idSchema,
    currency: { type: 'string', enum: SERVED_CURRENCIES },
    application_id: idSchema,
    contract_approved: { type: 'boolean' },
    customer_ip: { type: 'string' },
  });
  app.post<{ Body: DisbursementBody }>(
    '/disbursements',
    { schema: { body: disbursementSchema } },
    async ({ body }, reply) => {
      const minor = toMinor(body.amount);
      if (isIP(body.customer_ip) === 0) throw new Refusal(400, 'customer_ip is no IP address');
      const early = disbursed(body.application_id);
      await audit();
      store.transaction(() => {
        const offer = offerOf(body);
        if (offer.contract_account !== body.account_id) throw new Refusal(409, 'no contract for this account');
        if (has('double-disbursement') ? early : disbursed(body.application_id))
          throw new Refusal(409, 'disbursed already');
        if (offer.currency !== body.currency) throw new Refusal(422, 'the application is in another currency');
        if (minor > offer.limit_minor) throw new Refusal(422, 'the amount is above the limit');
        const values = [body.application_id, minor, body.contract_approved, Date.now() + PENDING_PERIOD_MS];
        const sql =
          'INSERT OR REPLACE INTO disbursements (application_id, amount_minor, approved, due_at) VALUES (?, ?, ?, ?)';
        store.run(sql, values);
      });
      void reply.status(202);
      return { data: { application_id: String(body.application_id) } };
    },
  );

  app.get<{ Params: { id: string } }>('/disbursements/:id', ({ params }) => {
    const known = /^\d{1,15}$/.test(params.id) ? Number(params.id) : -1;
    const sql = 'UPDATE disbursements SET reads = reads + (due_at <= ?1) WHERE application_id = ?2 RETURNING *';
    const [row] = store.all<{ approved: number; due_at: number; reads: number }>(sql, [Date.now(), known]);
    if (row === undefined) throw new Refusal(404, 'no such disbursement');
    const data = { application_id: String(known) };
    if (row.reads === 0) return { data: { ...data, result: 'Kullandırım işleminiz devam ediyor.' } };
    const done = row.approved === 1;
    return {
      data: { ...data, result: done ? SUCCESS_TEXT : FAILURE_TEXT },
      ...(done ? {} : { errors: [{ message: 'R036;' }] }),
    };
  });
}
