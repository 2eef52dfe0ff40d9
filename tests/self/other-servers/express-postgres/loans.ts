import { and, desc, eq, sql } from 'drizzle-orm';
import { Router } from 'express';
import { accounts, applications, type Bank, disbursements } from './database.ts';
import { Refusal, address, asBody, flag, id, money, order, text } from './fields.ts';
import type { Has } from './bugs.ts';

const MOST = 10_000_000;

/** Stands for a call to the fraud service: other requests get their turn while it is awaited. */
const askForFraud = async (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 4));

/** The five operations of the revolving loans. */
export function loanRoutes({ db }: Bank, has: Has): Router {
  const router = Router();
  let aborted = false;

  const asked = (raw: unknown) => {
    const body = asBody(raw);
    flag(body, 'disbursement_purpose');
    flag(body, 'commercial_disbursement');
    const request = {
      amount: money(body, 'amount'),
      currency: text(body, 'currency'),
      orderId: order(body, 'order_id'),
    };
    if (Number(request.amount) > MOST) throw new Refusal(422, 'AMOUNT_TOO_HIGH');
    return request;
  };
  const offered = async (currency: string) => {
    const rows = await db.select().from(accounts).where(eq(accounts.currency, currency)).orderBy(desc(accounts.id));
    if (rows.length === 0) throw new Refusal(422, 'NO_ACCOUNT_IN_THIS_CURRENCY');
    return rows;
  };

  router.post('/validations', async (request, response) => {
    await offered(asked(request.body).currency);
    response.json({ data: { result: 'true' } });
  });

  router.post('/loans', async (request, response) => {
    const { currency, orderId } = asked(request.body);
    if (aborted) {
      aborted = false;
      throw new Error('current transaction is aborted');
    }
    const rows = await offered(currency);
    const [made] = await db.insert(applications).values({ orderId, currency }).onConflictDoNothing().returning();
    if (made === undefined) throw new Refusal(409, 'ORDER_IS_KNOWN');
    const rate = (value: string): string =>
      has('decimal-comma') && currency === 'TRY' ? value.replace('.', ',') : value;
    const infos = rows.map((row) => ({
      account_id: String(row.id),
      account: row.iban,
      avaliable_limit: row.limit,
      interest_rate: rate(row.interest),
      interest_term: row.term,
      commission_rate: has('falsy-rate') && Number(row.commission) === 0 ? null : rate(row.commission),
    }));
    response.json({ data: { application_id: String(made.id), result: 'true', infos } });
  });

  /** The account of an application, and both locked until the transaction ends. */
  const find = async (on: Pick<typeof db, 'select'>, applicationId: bigint, accountId: bigint) => {
    const [row] = await on
      .select({ limit: accounts.limit, currency: accounts.currency })
      .from(applications)
      .innerJoin(accounts, eq(accounts.currency, applications.currency))
      .where(and(sql`${applications.id} = ${applicationId}`, sql`${accounts.id} = ${accountId}`))
      .for('update');
    if (row === undefined) throw new Refusal(404, 'NO_SUCH_OFFER');
    return row;
  };

  router.post('/contracts', async (request, response) => {
    const body = asBody(request.body);
    const applicationId = id(body, 'application_id');
    try {
      await find(db, applicationId, id(body, 'account_id'));
    } catch (error) {
      aborted = has('aborted-transaction');
      throw error;
    }
    response.json({ data: { application_id: String(applicationId) } });
  });

  router.post('/disbursements', async (request, response) => {
    const body = asBody(request.body);
    const [applicationId, accountId] = [id(body, 'application_id'), id(body, 'account_id')];
    const [amount, currency] = [money(body, 'amount'), text(body, 'currency')];
    address(body, 'customer_ip');
    if (!flag(body, 'contract_approved')) throw new Refusal(422, 'CONTRACT_NOT_APPROVED');
    const disburse = async (on: Pick<typeof db, 'select' | 'insert'>): Promise<void> => {
      const offer = await find(on, applicationId, accountId);
      if (offer.currency !== currency) throw new Refusal(422, 'OTHER_CURRENCY');
      const before = await on.select().from(disbursements).where(eq(disbursements.applicationId, applicationId));
      if (before.length > 0) throw new Refusal(409, 'ALREADY_DISBURSED');
      await askForFraud();
      await on.insert(disbursements).values({ applicationId, accountId, done: Number(amount) <= Number(offer.limit) });
    };
    await (has('no-transaction') ? disburse(db) : db.transaction(disburse));
    response.json({ data: { application_id: String(applicationId) } });
  });

  router.get('/disbursements/:id', async (request, response) => {
    const known = /^\d{1,18}$|^[1-8]\d{18}$/.test(request.params.id) ? BigInt(request.params.id) : 0n;
    const own = eq(disbursements.applicationId, known);
    const [row] = await db.select().from(disbursements).where(own);
    if (row === undefined) throw new Refusal(404, 'NO_SUCH_DISBURSEMENT');
    const sameAccount = eq(disbursements.accountId, row.accountId);
    const ordered = db
      .select()
      .from(disbursements)
      .where(has('latest-of-account') ? sameAccount : own);
    const [latest = row] = await ordered.orderBy(desc(disbursements.sequence)).limit(1);
    response.json({
      data: {
        application_id: String(known),
        result: latest.done ? 'Disbursement completed' : 'The disbursement could not be made',
      },
      ...(latest.done ? {} : { errors: [{ message: 'R114;' }, { message: 'R036;' }] }),
    });
  });

  return router;
}
