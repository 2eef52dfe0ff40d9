import { PGlite } from '@electric-sql/pglite';
import { bigint, boolean, doublePrecision, integer, numeric, pgTable, text } from 'drizzle-orm/pg-core';
import { drizzle, type PgliteDatabase } from 'drizzle-orm/pglite';

const big = (name: string) => bigint(name, { mode: 'bigint' }).notNull();

/** The accounts of the customer, each in one currency; every application in it is offered them. */
export const accounts = pgTable('accounts', {
  id: big('id').primaryKey(),
  iban: text('iban').notNull(),
  currency: text('currency').notNull(),
  limit: numeric('available_limit', { precision: 14, scale: 2 }).notNull(),
  interest: numeric('interest', { precision: 9, scale: 5 }).notNull(),
  term: text('term').notNull(),
  commission: numeric('commission', { precision: 9, scale: 5 }).notNull(),
});

/** Applications; the database gives them ids beyond 2^53. */
export const applications = pgTable('applications', {
  id: bigint('id', { mode: 'bigint' }).generatedAlwaysAsIdentity().primaryKey(),
  orderId: text('order_id').notNull().unique(),
  currency: text('currency').notNull(),
});

/** At most one disbursement of each application, which the transaction sees to. */
export const disbursements = pgTable('disbursements', {
  sequence: integer('sequence').generatedAlwaysAsIdentity().primaryKey(),
  applicationId: big('application_id'),
  accountId: big('account_id'),
  done: boolean('done').notNull(),
});

/** Branches of merchants; the first of a merchant is its own. */
export const branches = pgTable('branches', {
  no: integer('no').notNull(),
  merchantNo: integer('merchant_no').notNull(),
  merchantName: text('merchant_name').notNull(),
  name: text('name').notNull(),
});

/** Up to how many installments a merchant takes a currency. */
export const terms = pgTable('terms', {
  merchantNo: integer('merchant_no').notNull(),
  code: text('code').notNull(),
  domestic: boolean('domestic').notNull(),
  most: integer('most').notNull(),
});

export const atms = pgTable('atms', {
  no: text('no').primaryKey(),
  name: text('name').notNull(),
  address: text('address').notNull(),
  city: text('city').notNull(),
  district: text('district').notNull(),
  province: text('province_code').notNull(),
  quarter: text('district_code').notNull(),
  latitude: doublePrecision('latitude').notNull(),
  longitude: doublePrecision('longitude').notNull(),
});

const SCHEMA = `
CREATE TABLE accounts (id bigint PRIMARY KEY, iban text, currency text, available_limit numeric(14,2), interest numeric(9,5),
  term text, commission numeric(9,5));
CREATE TABLE applications (id bigint GENERATED ALWAYS AS IDENTITY (START 7300000000000000017 INCREMENT 6) PRIMARY KEY,
  order_id text UNIQUE, currency text);
CREATE TABLE disbursements (sequence int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, application_id bigint, account_id bigint,
  done boolean);
CREATE TABLE branches (no int, merchant_no int, merchant_name text, name text);
CREATE TABLE terms (merchant_no int, code text, domestic boolean, most int);
CREATE TABLE links (order_id text PRIMARY KEY, token text, merchant_no int, amount numeric(14,2), description text,
  short_description varchar(255));
CREATE TABLE atms (no text PRIMARY KEY, name text, address text, city text, district text, province_code text,
  district_code text, latitude float8, longitude float8);
INSERT INTO accounts VALUES
  (4611686018427387905, 'TR88-0001', 'TRY', 250000.50, 2.19, '2W', 0), (4611686018427387907, 'TR88-0002', 'TRY', 900000, 2.455, '6M', 0.125),
  (4611686018427387911, 'TR88-0003', 'USD', 300000, 0.4125, '1Y', 0.05), (4611686018427387913, 'TR88-0004', 'EUR', 280000, 0.395, '1Y', 0);
INSERT INTO branches VALUES (4, 501, 'Lighthouse Books', 'Harbour'), (9, 501, 'Lighthouse Books', 'Old Town'), (4, 502, 'Günay Optik', 'Merkez');
INSERT INTO terms VALUES (501, 'USD', true, 1), (501, 'TRY', true, 6), (501, 'USD', false, 2), (502, 'TRY', true, 4), (502, 'EUR', false, 1);
INSERT INTO atms VALUES
  ('0700310', 'Galata', 'Bankalar 2', 'Istanbul', 'Karakoy', 'ISTANBUL', 'KARAKOY', 41.0246, 28.9741),
  ('0000044', 'Pier', 'Iskele 1', 'Istanbul', 'Kadikoy', 'ISTANBUL', 'KADIKOY', 40.9917, 29.0235),
  ('0000045', 'Altiyol', 'Sogutlu 30', 'Istanbul', 'Kadikoy', 'ISTANBUL', 'KADIKOY', 40.9902, 29.0290),
  ('0061100', 'Station', 'Talatpasa 1', 'Ankara', 'Altindag', 'ANKARA', 'ALTINDAG', 39.9363, 32.8434),
  ('0061200', 'Tunali', 'Tunali 77', 'Ankara', 'Cankaya', 'ANKARA', 'CANKAYA', 39.9075, 32.8600),
  ('0090011', 'Mitte', 'Torstr. 5', 'Berlin', 'Mitte', 'BERLIN', 'MITTE', 52.5290, 13.4010);`;

/** A database with the customer's accounts, merchants and ATMs, and how to end it. */
export interface Bank {
  db: PgliteDatabase;
  close(): Promise<void>;
}

/** Starts Postgres in the process; its files live in memory. */
export async function openBank(): Promise<Bank> {
  const client = await PGlite.create();
  await client.exec(SCHEMA);
  return { db: drizzle({ client }), close: async () => client.close() };
}
