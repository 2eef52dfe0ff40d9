/** Tests the source of each clause in the document, compared with tables and lists that are transcribed by hand. */
import { expect, test } from '@playwright/test';
import type { Section } from '../../../../openapi/clauses/clause.ts';
import { clauseIds, clauses } from '../../../../openapi/catalogue.ts';
import { operationIds } from '../../../../openapi/model/exchange.ts';
import { readRowClauses, documentedTables } from '../../support/spec-transcription.ts';

/**
 * The tables and titled paragraphs of each section with their rows (separated by commas). '' has the points, rules and gaps in
 * lists.
 */
const rowsBySection: Readonly<Record<Section, Readonly<Record<string, string>>>> = {
  'What the service does': { '': 'point 4' },
  'Resources and their fields': {
    '': 'closing paragraph',
    'Validation or loan request': 'amount, currency, commercial_disbursement, disbursement_purpose, order_id',
    'Validation result': 'result',
    'Loan offer': 'application_id, result, infos',
    'Offer object': 'account_id, account, avaliable_limit, interest_rate, interest_term, commission_rate',
    'Contract request': 'application_id, account_id',
    'Contract response': 'application_id',
    'Disbursement request': 'amount, account_id, currency, application_id, contract_approved, customer_ip',
    'Disbursement response': 'application_id',
    'Disbursement query result': 'application_id, result, errors',
    'Merchant list': 'merchants, qr_max_amount, qr_max_amount_limit_message, editable, edit_message',
    'Merchant object': 'account_no, branch_code, merchant_name, merchant_no, branch_name',
    'Currency list': 'currencies, code',
    'Branch list': 'branches, no, name',
    'Installment list': 'installments, value, text',
    'Payment link request':
      'language_code, branch_no, personal_description, amount, merchant_no, installment, currency_code, is_domestic',
    'Payment link result': 'order_id, payment_link, payment_token, is_success, end_date',
    'ATM object': 'atm_address, atm_city, atm_distance, atm_district, atm_latitude, atm_longitude, atm_name, atm_no',
  },
  'States and transitions': {},
  Endpoints: {
    '': 'rule 1, rule 2, gap 1, gap 2, gap 3',
    'A. Revolving Loans':
      'POST /validations, POST /loans, POST /contracts, POST /disbursements, GET /disbursements/{application_id}',
    'B. Pay-by-Link':
      'GET /merchants, GET /merchants/{merchant_no}/available-currency-codes, GET /merchants/{merchant_no}/branches, GET /merchants/{merchant_no}/Installments, POST /payment-links',
    'C. ATM Locator': 'GET /api/v1/atms',
  },
  Authentication: {
    '': 'closing paragraph',
    'Revolving Loans and Pay-by-Link': 'X-GW-client-id, X-GW-client-secret, Authorization, Content-Type',
    'ATM Locator': 'X-GW-client-id, X-GW-client-secret, Accept',
  },
  Events: {},
  Errors: { '': 'point 1, point 2, point 3' },
  Limits: { '': 'point 1, point 2, point 3' },
  Versioning: {},
};

test('Every clause names a section, a table and a row that the document has', () => {
  const unknown = clauseIds.filter((id) => {
    const { section, table, row } = clauses[id].source;
    const rows = rowsBySection[section][table ?? '']?.split(', ');
    return (table !== undefined && rows === undefined) || (row !== undefined && rows?.includes(row) !== true);
  });
  expect(unknown).toEqual([]);
});

test('A clause about a row of a table names that row, and every row is named', () => {
  for (const operation of operationIds) {
    const { endpoint, parameters = {}, request = {}, answer } = documentedTables[operation];
    const [method, path = ''] = endpoint[0].split(' ');
    const rows = Object.values(parameters).flatMap(readRowClauses);
    for (const id of [endpoint[1], endpoint[2], ...rows].filter((entry) => entry !== 'links.merchant-no')) {
      const { row = '' } = clauses[id].source;
      expect([id, row.split(' ')[0], path.endsWith(row.split(' ')[1] ?? '?')]).toEqual([id, method, true]);
    }
    for (const [place, row] of [...Object.entries(request), ...Object.entries(answer)])
      for (const id of readRowClauses(row)) {
        const { section, row: named } = clauses[id].source;
        const field = place.split('/').at(-1);
        if (section === 'Resources and their fields')
          expect([id, named]).toEqual([id, field === '*' ? undefined : field]);
      }
  }
  const all = new Set(clauseIds.map((id) => JSON.stringify(Object.values(clauses[id].source))));
  const rows = Object.entries(rowsBySection).flatMap(([section, titles]) =>
    Object.entries(titles).flatMap(([table, of]) =>
      of.split(', ').map((row) => JSON.stringify(table === '' ? [section, row] : [section, row, table])),
    ),
  );
  expect(rows.filter((row) => !all.has(row))).toEqual([]);
});
