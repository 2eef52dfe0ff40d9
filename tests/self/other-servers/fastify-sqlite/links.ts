import { randomBytes, randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { type Context, Refusal, makeObjectSchema, toMinor } from './context.ts';

interface LinkBody {
  language_code: string;
  branch_no: number;
  personal_description: string;
  amount: number;
  merchant_no: number;
  installment: number;
  currency_code: string;
  is_domestic: boolean;
}
interface BranchRow {
  merchant_no: number;
  branch_no: number;
  merchant_name: string;
  branch_name: string;
  account_no: string;
}
interface ListQuery {
  branch_no: number;
  currency_code: string;
  is_domestic: boolean;
}

/** Links expire at nine in the morning, Istanbul time, on the day after tomorrow. */
const LINK_LIFETIME_MS = 48 * 3600 * 1000;
const QR_MAX_AMOUNT = 50_000;
const integerSchema = { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER };
const pathSchema = makeObjectSchema({ merchant_no: integerSchema });

function formatEndDate(): string {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Istanbul', dateStyle: 'short' });
  return `${format.format(Date.now() + LINK_LIFETIME_MS).replaceAll('/', '.')} 09:00:00`;
}

/** Adds the five operations of payment links. */
export function addLinkRoutes(app: FastifyInstance, { store, has }: Context): void {
  const cache = new Map<string, string>();
  const branchesOf = (merchant: number): BranchRow[] => {
    const rows = store.all<BranchRow>('SELECT * FROM branches WHERE merchant_no = ? ORDER BY branch_no', [merchant]);
    if (rows.length === 0) throw new Refusal(404, 'no such merchant');
    return rows;
  };
  const installmentsOf = (merchant: number, query: ListQuery): number[] => {
    if (!branchesOf(merchant).some(({ branch_no }) => branch_no === query.branch_no)) {
      throw new Refusal(404, 'no such branch');
    }
    const sql = 'SELECT installments FROM terms WHERE currency = ? AND is_domestic = ?';
    const [row] = store.all<{ installments: string }>(sql, [query.currency_code, query.is_domestic]);
    if (row === undefined) throw new Refusal(422, 'the merchant does not take this currency');
    return row.installments.split(',').map(Number);
  };

  app.get('/merchants', () => ({
    data: {
      merchants: store.all<BranchRow>('SELECT * FROM branches').map(({ branch_no, ...row }) => ({
        ...row,
        branch_code: branch_no,
      })),
      qr_max_amount: QR_MAX_AMOUNT,
      qr_max_amount_limit_message: 'QR ile en fazla 50.000 TL ödenebilir.',
      editable: true,
      edit_message: '',
    },
  }));

  app.get<{ Params: { merchant_no: number }; Querystring: { is_domestic: boolean } }>(
    '/merchants/:merchant_no/available-currency-codes',
    { schema: { params: pathSchema, querystring: makeObjectSchema({ is_domestic: { type: 'boolean' } }) } },
    ({ params, query }) => {
      branchesOf(params.merchant_no);
      const sql = 'SELECT currency AS code FROM terms WHERE is_domestic = ?';
      return { data: { currencies: store.all(sql, [query.is_domestic]) } };
    },
  );

  app.get<{ Params: { merchant_no: number } }>(
    '/merchants/:merchant_no/branches',
    { schema: { params: pathSchema } },
    ({ params }) => ({
      data: { branches: branchesOf(params.merchant_no).map((row) => ({ no: row.branch_no, name: row.branch_name })) },
    }),
  );

  const listQuery = makeObjectSchema({
    branch_no: integerSchema,
    currency_code: { type: 'string' },
    is_domestic: { type: 'boolean' },
  });
  app.get<{ Params: { merchant_no: number }; Querystring: ListQuery }>(
    '/merchants/:merchant_no/Installments',
    { schema: { params: pathSchema, querystring: listQuery } },
    ({ params, query }) => {
      const values = installmentsOf(params.merchant_no, query);
      const key = `${params.merchant_no}/${query.branch_no}`;
      const list = values.map((value) => ({ value, text: value === 1 ? 'Tek çekim' : `${value} taksit` }));
      const cached = cache.get(key) ?? JSON.stringify(list);
      if (has('installment-cache-by-branch')) cache.set(key, cached);
      return { data: { installments: has('installment-cache-by-branch') ? (JSON.parse(cached) as unknown) : list } };
    },
  );

  const linkBody = makeObjectSchema({
    language_code: { type: 'string', pattern: '^(?:[tT][rR]|[eE][nN])$' },
    branch_no: integerSchema,
    personal_description: { type: 'string' },
    amount: { type: 'number', exclusiveMinimum: 0, maximum: QR_MAX_AMOUNT },
    merchant_no: integerSchema,
    installment: integerSchema,
    currency_code: { type: 'string' },
    is_domestic: { type: 'boolean' },
  });
  app.post<{ Body: LinkBody }>('/payment-links', { schema: { body: linkBody } }, ({ body }, reply) => {
    const minor = toMinor(body.amount);
    const orderId = randomUUID();
    const token = randomBytes(18).toString('base64url');
    store.transaction(() => {
      if (!installmentsOf(body.merchant_no, body).includes(body.installment)) {
        throw new Refusal(422, 'this number of installments is not offered');
      }
      const values = [orderId, token, body.merchant_no, minor];
      if (has('quoted-sql')) {
        store.run(`INSERT INTO links VALUES (?, ?, ?, ?, '${body.personal_description}')`, values);
      } else {
        store.run('INSERT INTO links VALUES (?, ?, ?, ?, ?)', [...values, body.personal_description]);
      }
    });
    void reply.status(201);
    return {
      data: {
        order_id: orderId,
        payment_link: `https://odeme.example/l/${token}`,
        payment_token: token,
        is_success: true,
        end_date: formatEndDate(),
      },
    };
  });
}
