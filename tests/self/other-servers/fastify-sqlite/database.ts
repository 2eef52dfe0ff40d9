import sqlite, { type Database, type JSValue, type NormalQueryResult } from 'node-sqlite3-wasm';

const DATABASE_SCHEMA = `
CREATE TABLE applications (id INTEGER PRIMARY KEY, currency TEXT NOT NULL, contract_account INTEGER);
CREATE TABLE offers (account_id INTEGER PRIMARY KEY, application_id INTEGER NOT NULL, account TEXT NOT NULL,
  limit_minor INTEGER NOT NULL, interest_rate INTEGER NOT NULL, interest_term TEXT NOT NULL, commission_rate INTEGER NOT NULL);
CREATE TABLE disbursements (application_id INTEGER PRIMARY KEY, amount_minor INTEGER NOT NULL, approved INTEGER NOT NULL,
  due_at INTEGER NOT NULL, reads INTEGER NOT NULL DEFAULT 0);
CREATE TABLE branches (merchant_no INTEGER, branch_no INTEGER, merchant_name TEXT, branch_name TEXT, account_no TEXT,
  PRIMARY KEY (merchant_no, branch_no));
CREATE TABLE terms (currency TEXT, is_domestic INTEGER, installments TEXT, PRIMARY KEY (currency, is_domestic));
CREATE TABLE links (order_id TEXT PRIMARY KEY, token TEXT UNIQUE, merchant_no INTEGER, amount_minor INTEGER, description TEXT);
CREATE TABLE atms (atm_no TEXT PRIMARY KEY, name TEXT, address TEXT, city TEXT, district TEXT, province_code TEXT,
  district_code TEXT, latitude REAL, longitude REAL);
INSERT INTO branches VALUES
  (10020030, 11, 'Çınar Kırtasiye', 'Kadıköy', '0011-7784512'), (10020030, 12, 'Çınar Kırtasiye', 'Beşiktaş', '0012-7784512'),
  (10020044, 7, 'Ege Zeytin A.Ş.', 'Konak', '0007-1200934');
INSERT INTO terms VALUES ('TRY', 1, '1,2,3,6,9,12'), ('EUR', 1, '1,3'), ('EUR', 0, '1'), ('USD', 0, '1');
INSERT INTO atms VALUES
  ('00417', 'Kadıköy Rıhtım', 'Rıhtım Cad. 4', 'İstanbul', 'Kadıköy', '34', '1', 40.9911, 29.0223),
  ('00052', 'Moda', 'Moda Cad. 110', 'İstanbul', 'Kadıköy', '34', '1', 40.9795, 29.0262),
  ('01203', 'Taksim', 'İstiklal Cad. 1', 'İstanbul', 'Beyoğlu', '34', '2', 41.0369, 28.9850),
  ('00008', 'Kızılay', 'Atatürk Bulvarı 70', 'Ankara', 'Çankaya', '06', '1', 39.9208, 32.8541),
  ('00960', 'Ulus', 'Anafartalar Cad. 3', 'Ankara', 'Altındağ', '06', '2', 39.9415, 32.8547),
  ('02001', 'Konak Pier', 'Atatürk Cad. 19', 'İzmir', 'Konak', '35', '1', 38.4192, 27.1287),
  ('02002', 'Alsancak', 'Kıbrıs Şehitleri Cad. 5', 'İzmir', 'Konak', '35', '1', 38.4380, 27.1434);`;

/** The few database calls that the routes need; the caller writes the query and gives the type of its rows. */
export interface Store {
  all<Row = NormalQueryResult>(sql: string, values?: JSValue[]): Row[];
  run(sql: string, values?: JSValue[]): void;
  /** Runs `work`, which must not await, in one transaction. */
  transaction<Result>(work: () => Result): Result;
  close(): void;
}

/** Opens a database in memory with the merchants and ATMs of this bank. */
export function openStore(): Store {
  const database: Database = new sqlite.Database();
  database.exec(DATABASE_SCHEMA);
  return {
    all: <Row>(sql: string, values: JSValue[] = []) => database.all(sql, values) as Row[],
    run: (sql, values = []) => void database.run(sql, values),
    transaction(work) {
      database.exec('BEGIN IMMEDIATE');
      try {
        const result = work();
        database.exec('COMMIT');
        return result;
      } catch (error) {
        database.exec('ROLLBACK');
        throw error;
      }
    },
    close: () => database.close(),
  };
}
