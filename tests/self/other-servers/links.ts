import { randomBytes, randomUUID } from 'node:crypto';
import { Refused, readAmount, readField, type Handlers } from './handlers.ts';

const makeMerchant = (merchant_no: number, merchant_name: string, branch_code: number, branch_name: string) => ({
  ...{ merchant_no, merchant_name, branch_code, branch_name },
  account_no: `TR33 0006 ${branch_code} ${merchant_no}`,
});
const SERVED_MERCHANTS = [
  makeMerchant(77001, 'Gül Çiçekçilik', 301, 'Şişli'),
  makeMerchant(77002, 'Deniz Dalış', 455, 'Kaş'),
];
const CURRENCIES_BY_CARD = { true: ['TRY'], false: ['USD', 'EUR', 'TRY'] };
const TIME_ZONE_OFFSET_MS = -5 * 3600 * 1000;
const LINK_LIFETIME_MS = 15 * 60 * 1000;

function formatEndDate(): string {
  const [date = '', time = ''] = new Date(Date.now() + LINK_LIFETIME_MS + TIME_ZONE_OFFSET_MS)
    .toISOString()
    .split(/[T.]/);
  return `${date.split('-').reverse().join('.')} ${time}`;
}

export function makeLinkHandlers(): Handlers {
  const merchantOf = (no: unknown): (typeof SERVED_MERCHANTS)[number] => {
    const merchant = SERVED_MERCHANTS.find(({ merchant_no }) => String(merchant_no) === String(no));
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
    if (!CURRENCIES_BY_CARD[domestic].includes(String(currency))) throw new Refused('currency is not taken');
    return domestic === 'true' ? [1, 2, 3, 4, 5, 6] : currency === 'TRY' ? [1, 2] : [1];
  };

  return {
    'GET merchants': () => ({
      data: {
        merchants: SERVED_MERCHANTS,
        qr_max_amount: 5000,
        qr_max_amount_limit_message: 'Üst sınır günlüktür.',
        editable: true,
        edit_message: '',
      },
    }),

    'GET merchants/*/available-currency-codes'({ path: [, no], query }) {
      merchantOf(no);
      return { data: { currencies: CURRENCIES_BY_CARD[domesticOf(query)].map((code) => ({ code })) } };
    },

    'GET merchants/*/branches'({ path: [, no] }) {
      const { branch_code, branch_name } = merchantOf(no);
      return { data: { branches: [{ no: branch_code, name: branch_name }] } };
    },

    'GET merchants/*/Installments'({ path: [, no], query }) {
      const domestic = domesticOf(query);
      const values = installmentsOf(no, query.get('branch_no'), query.get('currency_code'), domestic);
      return { data: { installments: values.map((value) => ({ value, text: `${value} taksit` })) } };
    },

    'POST payment-links'(call) {
      const domestic = readField(call, 'is_domestic', 'boolean') ? 'true' : 'false';
      const merchantNo = readField(call, 'merchant_no', 'number');
      const branchNo = readField(call, 'branch_no', 'number');
      const values = installmentsOf(merchantNo, branchNo, readField(call, 'currency_code', 'string'), domestic);
      if (!values.includes(readField(call, 'installment', 'number'))) throw new Refused('installment is not on offer');
      readField(call, 'personal_description', 'string');
      readAmount(call);
      if (readField(call, 'language_code', 'string').length !== 2) throw new Refused('language_code has two letters');
      const token = randomBytes(16).toString('hex');
      return {
        data: {
          order_id: randomUUID().toUpperCase(),
          payment_link: `http://link.gulbank.example:8443/?token=${token}#pay`,
          payment_token: token,
          is_success: true,
          end_date: formatEndDate(),
        },
      };
    },
  };
}
