/**
 * Tests the text formats: an ordinary text gives no finding, a loose text at most a warning, and other texts break a `must`
 * clause.
 */
import { expect, test } from '@playwright/test';
import { clauseTexts } from '../../../../fixtures/banks/mutants/text-formats.ts';
import { getLocations, type ClauseLocation } from '../../../../openapi/contract/locations.ts';
import type { OperationId } from '../../../../openapi/model/exchange.ts';
import { body, listBrokenClauses } from '../../support/judge-harness.ts';

for (const { clause, also, ordinary, bad } of clauseTexts)
  test(`Ordinary texts keep the clause ${clause}, and wrong texts break it`, () => {
    const [location] = getLocations(clause);
    const { operation, pointer } = location as ClauseLocation;
    const findBroken = (value: unknown): readonly string[] =>
      listBrokenClauses(operation, body(operation, pointer.replaceAll('*', '0'), value));
    for (const value of ordinary) expect([value, findBroken(value)]).toEqual([value, []]);
    for (const value of bad)
      expect([value, findBroken(value)]).toEqual([value, [...also, clause].map((entry) => `${entry} ${pointer}`)]);
  });

/** A place, ordinary values that break no clause, and by clause the values that break exactly this clause. */
type NumberRow = readonly [
  OperationId,
  at: string,
  ordinary: readonly unknown[],
  bad: Record<string, readonly unknown[]>,
];

const numberRows: readonly NumberRow[] = [
  [
    'findAtms',
    '/data/0/atm_latitude',
    [0, -90, 90, 41.01360001234],
    { 'atms.latitude.range': [90.1, -120, 360, -360], 'atms.latitude.degrees': [360.5, -361, 1e300] },
  ],
  [
    'findAtms',
    '/data/0/atm_longitude',
    [0, -180, 180, 28.955],
    { 'atms.longitude.range': [181, -360, 359], 'atms.longitude.degrees': [28955000, -400] },
  ],
  [
    'findAtms',
    '/data/0/atm_distance',
    [0, 1, 20_000_000],
    { 'atms.distance.not-negative': [-1, -420], 'atms.distance': [4.2, '420'] },
  ],
  [
    'listMerchants',
    '/data/qr_max_amount',
    [0, 5000, 20000.5, 1234.567, 1e15],
    {
      'links.merchants.qr-max-amount.not-negative': [-1, -0.01],
      'links.merchants.qr-max-amount.no-residue': [1234.5600000000002, 20001.699999999997],
    },
  ],
  [
    'listInstallments',
    '/data/installments/0/value',
    [1, 36, 100000],
    { 'links.installment.value.positive': [0, -3], 'links.installment.value': [1.5, '1'] },
  ],
];

for (const [operation, at, ordinary, bad] of numberRows)
  test(`Ordinary numbers at ${operation} ${at} give no finding, and each other number breaks one clause`, () => {
    const findBroken = (value: unknown): readonly string[] => listBrokenClauses(operation, body(operation, at, value));
    const where = at.replaceAll(/\/0(?=\/|$)/g, '/*');
    for (const value of ordinary) expect([value, findBroken(value)]).toEqual([value, []]);
    for (const [clause, values] of Object.entries(bad))
      for (const value of values) expect([value, findBroken(value)]).toEqual([value, [`${clause} ${where}`]]);
  });

test('Empty messages, addresses, cities and account numbers break no clause', () => {
  const free = [
    ['listMerchants', '/data/qr_max_amount_limit_message'],
    ['listMerchants', '/data/edit_message'],
    ['listMerchants', '/data/merchants/0/account_no'],
    ['findAtms', '/data/0/atm_address'],
    ['findAtms', '/data/0/atm_city'],
    ['findAtms', '/data/0/atm_district'],
    ['approveContract', '/data/application_id'],
  ] as const;
  for (const [operation, at] of free)
    expect(listBrokenClauses(operation, body(operation, at, ''), { asked: {} })).toEqual([]);
});
