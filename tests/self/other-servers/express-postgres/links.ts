import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { and, eq, sql } from 'drizzle-orm';
import { type Request, Router } from 'express';
import { type Bank, branches, terms } from './database.ts';
import { Refusal, asBody, flag, int, money, parameter, text } from './fields.ts';
import type { Has } from './bugs.ts';

const COUNTS = [1, 2, 3, 4, 6];
const NUMBER = /^\d{1,9}$/;
const BOOLEAN = /^(?:true|false)$/;

/** The five operations of the payment links. */
export function linkRoutes({ db }: Bank, has: Has): Router {
  const router = Router();
  const cache = new Map<string, object>();
  const branchLists = new Map<number, { no: number; name: string }[]>();

  const branchesOf = async (merchantNo: number) => {
    const rows = await db.select().from(branches).where(eq(branches.merchantNo, merchantNo)).orderBy(branches.no);
    if (rows.length === 0) throw new Refusal(404, 'NO_SUCH_MERCHANT');
    return rows;
  };
  const merchantOf = (request: Request): number => Number(parameter(request.params, 'merchant_no', NUMBER));
  const domesticOf = (request: Request): boolean => parameter(request.query, 'is_domestic', BOOLEAN) === 'true';
  const termsOf = async (merchantNo: number, domestic: boolean) =>
    db
      .select()
      .from(terms)
      .where(and(eq(terms.merchantNo, merchantNo), eq(terms.domestic, domestic)));
  const countsOf = async (merchantNo: number, branchNo: number, code: string, domestic: boolean): Promise<number[]> => {
    const known = await branchesOf(merchantNo);
    if (!known.some(({ no }) => no === branchNo)) throw new Refusal(404, 'NO_SUCH_BRANCH');
    const most = (await termsOf(merchantNo, domestic)).find((term) => term.code === code)?.most ?? 0;
    return COUNTS.filter((count) => count <= most);
  };

  router.get('/merchants', async (_request, response) => {
    const rows = await db
      .selectDistinctOn([branches.merchantNo])
      .from(branches)
      .orderBy(branches.merchantNo, branches.no);
    const merchants = rows.map((row) => ({
      merchant_no: row.merchantNo,
      merchant_name: row.merchantName,
      branch_code: row.no,
      branch_name: row.name,
      account_no: `${row.merchantNo}/000${row.no}`,
    }));
    const limits = { qr_max_amount: 12_499.99, qr_max_amount_limit_message: '', editable: false };
    response.json({ data: { merchants, ...limits, edit_message: 'Ask your branch to change the limit.' } });
  });

  router.get('/merchants/:merchant_no/available-currency-codes', async (request, response) => {
    const merchantNo = merchantOf(request);
    const domestic = domesticOf(request);
    await branchesOf(merchantNo);
    const fresh = { data: { currencies: (await termsOf(merchantNo, domestic)).map(({ code }) => ({ code })) } };
    const cached = cache.get(request.path) ?? fresh;
    cache.set(request.path, cached);
    response.json(has('cache-by-path') ? cached : fresh);
  });

  router.get('/merchants/:merchant_no/branches', async (request, response) => {
    const merchantNo = merchantOf(request);
    const cached = has('half-filled-cache') ? branchLists.get(merchantNo) : undefined;
    if (cached !== undefined) return void response.json({ data: { branches: cached } });
    const list: { no: number; name: string }[] = [];
    branchLists.set(merchantNo, list);
    // Stands for a database that is not in the same process.
    if (has('half-filled-cache')) await new Promise((resolve) => setTimeout(resolve, 3));
    list.push(...(await branchesOf(merchantNo)).map(({ no, name }) => ({ no, name })));
    response.json({ data: { branches: list } });
  });

  router.get('/merchants/:merchant_no/Installments', async (request, response) => {
    const branchNo = Number(parameter(request.query, 'branch_no', NUMBER));
    const code = parameter(request.query, 'currency_code', /^[A-Z]{3}$/);
    const counts = await countsOf(merchantOf(request), branchNo, code, domesticOf(request));
    response.json({ data: { installments: counts.map((value) => ({ value, text: `${value} x` })) } });
  });

  router.post('/payment-links', async (request, response) => {
    const body = asBody(request.body);
    const [merchantNo, amount] = [int(body, 'merchant_no'), money(body, 'amount')];
    const [description, domestic] = [text(body, 'personal_description'), flag(body, 'is_domestic')];
    if (!/^\p{L}{2}$/u.test(text(body, 'language_code'))) throw new Refusal(422, 'LANGUAGE_CODE_IS_WRONG');
    if (has('domestic-only') && !domestic) throw new Refusal(422, 'IS_DOMESTIC_IS_REQUIRED');
    if (has('whole-amounts') && !Number.isInteger(body['amount'])) throw new Refusal(422, 'AMOUNT_IS_WRONG');
    const counts = await countsOf(merchantNo, int(body, 'branch_no'), text(body, 'currency_code'), domestic);
    if (!counts.includes(int(body, 'installment'))) throw new Refusal(422, 'INSTALLMENT_NOT_OFFERED');
    const token = randomBytes(21).toString('base64');
    const second = createHash('md5').update(new Date().toISOString().slice(0, 19)).digest('hex');
    const orderId = has('order-id-by-clock')
      ? second.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-a$4-$5')
      : randomUUID();
    if (has('latin5-column') && /[\u{10000}-\u{10FFFF}]/u.test(description)) throw new Error('no equivalent in LATIN5');
    const short = has('varchar-255') ? description : null;
    const { rows } = await db.execute<{ end_date: string }>(sql`
      INSERT INTO links VALUES (${orderId}, ${token}, ${merchantNo}, ${amount}, ${description}, ${short})
      ON CONFLICT (order_id) DO UPDATE SET token = excluded.token
      RETURNING to_char(now() AT TIME ZONE 'utc' + interval '30 days', 'DD.MM.YYYY HH24:MI:SS') AS end_date`);
    response.json({
      data: {
        order_id: orderId,
        payment_link: `https://pay.lighthouse.example/checkout?lang=en&t=${encodeURIComponent(token)}`,
        payment_token: token,
        is_success: true,
        end_date: rows[0]?.end_date,
      },
    });
  });

  return router;
}
