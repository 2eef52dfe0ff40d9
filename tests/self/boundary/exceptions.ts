/** Files of the engine that still name the bank. The list only shrinks: a word that a file no longer names must leave it. */
interface Exception {
  readonly words: readonly string[];
  readonly because: string;
}

const RULES_BY_INPUT = 'which business rules may explain a refused value is said of inputs by name';

export const exceptions: Readonly<Record<string, Exception>> = {
  'fixtures/learn/admissible.ts': {
    words: [
      ...['commercial_disbursement', 'currency_code', 'customer_ip', 'disburse', 'disbursement_purpose', 'is_domestic'],
      ...['order_id', 'personal_description'],
    ],
    because: RULES_BY_INPUT,
  },
  'fixtures/learn/amounts.ts': { words: ['account_id', 'disburse'], because: RULES_BY_INPUT },
  'fixtures/learn/listed.ts': {
    words: ['branch_no', 'createPaymentLink', 'is_domestic', 'language_code', 'listCurrencies', 'merchant_no'],
    because: RULES_BY_INPUT,
  },
  'fixtures/probes/classify-finding.ts': {
    words: [
      ...['application_id', 'approveContract', 'contract_approved', 'customer_ip', 'disburse', 'order_id'],
      ...['personal_description', 'queryDisbursement'],
    ],
    because: 'it chooses new ids for a repeated request, as request-factory.ts does',
  },
  'fixtures/probes/mutations.ts': {
    words: [
      ...['currency_code', 'customer_ip', 'district_code', 'language_code', 'loans', 'payment-links', 'province_code'],
    ],
    because: 'the other names and paths that a vendor may use are likely ones of this bank',
  },
  'fixtures/runner/hooks/example.ts': { words: ['payment-links'], because: 'users copy it' },
  'fixtures/runner/hooks/hooks.ts': {
    words: ['atms', 'loans', 'payment-links'],
    because: 'users import these types, which import nothing',
  },
};
