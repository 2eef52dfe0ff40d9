import { randomBytes, randomUUID } from 'node:crypto';
import { Refused, amountOf, field, type Handler, type Has } from './answers.ts';

const MERCHANTS = [
  {
    account_no: 'TR33 0006 1005 1978',
    branch_code: 301,
    merchant_name: 'Gül Çiçekçilik',
    merchant_no: 77001,
    branch_name: 'Şişli',
  },
  {
    account_no: 'TR33 0006 1005 2044',
    branch_code: 455,
    merchant_name: 'Deniz Dalış',
    merchant_no: 77002,
    branch_name: 'Kaş',
  },
];
const CURRENCIES = { true: ['TRY'], false: ['USD', 'EUR', 'TRY'] };
const ZONE_MS = -5 * 3600 * 1000;
const LIFETIME_MS = 15 * 60 * 1000;

function endDate(has: Has): string {
  const end = new Date(Date.now() + LIFETIME_MS + ZONE_MS);
  const two = (part: number): string => String(part).padStart(2, '0');
  const month = two(end.getUTCMonth() + (has('month-from-zero') ? 0 : 1));
  const time = [end.getUTCHours(), end.getUTCMinutes(), end.getUTCSeconds()].map(two).join(':');
  return `${two(end.getUTCDate())}.${month}.${end.getUTCFullYear()} ${time}`;
}

/** The payment links. */
export function links(has: Has): Record<string, Handler> {
  const merchantOf = (no: unknown): (typeof MERCHANTS)[number] => {
    const merchant = MERCHANTS.find(({ merchant_no }) => String(merchant_no) === String(no));
    if (merchant === undefined) throw new Refused('merchant is unknown');
    return merchant;
  };
  const domesticOf = (query: URLSearchParams): 'true' | 'false' => {
    const value = query.get('is_domestic');
    if (value !== 'true' && value !== 'false') throw new Refused('is_domestic must be true or false');
    return value;
  };
  const installmentsOf = (merchantNo: unknown, branchNo: unknown, currency: unknown, domestic: 'true' | 'false') => {
    if (String(merchantOf(merchantNo).branch_code) !== String(branchNo)) throw new Refused('branch is unknown');
    if (!CURRENCIES[domestic].includes(String(currency))) throw new Refused('currency is not taken');
    return domestic === 'true' ? [1, 2, 3, 4, 5, 6] : currency === 'TRY' ? [1, 2] : [1];
  };

  return {
    'GET merchants': () => ({
      data: {
        merchants: MERCHANTS,
        qr_max_amount: 5000,
        qr_max_amount_limit_message: 'Üst sınır günlüktür.',
        editable: true,
        edit_message: '',
      },
    }),

    'GET merchants/*/available-currency-codes'({ path: [, no], query }) {
      merchantOf(no);
      return { data: { currencies: CURRENCIES[domesticOf(query)].map((code) => ({ code })) } };
    },

    'GET merchants/*/branches'({ path: [, no] }) {
      const { branch_code, branch_name } = merchantOf(no);
      return { data: { branches: [{ no: branch_code, name: branch_name }] } };
    },

    'GET merchants/*/Installments'({ path: [, no], query }) {
      const domestic = domesticOf(query);
      const values = installmentsOf(no, query.get('branch_no'), query.get('currency_code'), domestic);
      const asText = has('text-installments') && domestic === 'false';
      const list = values.map((value) => ({ value: asText ? String(value) : value, text: `${value} taksit` }));
      return { data: { installments: list } };
    },

    'POST payment-links'(call) {
      const domestic = field(call, 'is_domestic', 'boolean', has) ? 'true' : 'false';
      const merchantNo = field(call, 'merchant_no', 'number', has);
      const branchNo = field(call, 'branch_no', 'number', has);
      const values = installmentsOf(merchantNo, branchNo, field(call, 'currency_code', 'string', has), domestic);
      if (!values.includes(field(call, 'installment', 'number', has))) throw new Refused('installment is not on offer');
      field(call, 'personal_description', 'string', has);
      amountOf(call, has);
      if (field(call, 'language_code', 'string', has).length !== 2) throw new Refused('language_code has two letters');
      const token = randomBytes(16).toString('hex');
      return {
        data: {
          order_id: randomUUID().toUpperCase(),
          payment_link: `http://link.gulbank.example:8443/?token=${token}#pay`,
          payment_token: token,
          is_success: true,
          end_date: endDate(has),
        },
      };
    },
  };
}
