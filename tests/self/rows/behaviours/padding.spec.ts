/** Tests the clause that identifiers with leading zeros all have the same number of digits. */
import { identifiersPadded } from '../../../../openapi/bank/behaviours/service/padding.ts';
import type { Exchange } from '../../../../openapi/model/exchange.ts';
import { body, exchange } from '../../support/judge-harness.ts';
import { broken, kept, notTested, runRows } from './rows.ts';

const [example] = (body('findAtms') as { data: object[] }).data;
const padded = ['0000', '0001', '0022', '0104', '0133', '0150', '0460', '0577', '0621', '0899'];

/** The list of a district with ATMs of these numbers. The place of each follows from its `sites`, the name from its `names`. */
const list = (district_code: string, numbers: readonly string[], sites = numbers, names = sites): Exchange =>
  exchange(
    'findAtms',
    {
      data: numbers.map((atm_no, nth) => ({
        ...example,
        atm_no,
        atm_name: `ATM ${names[nth]}`,
        atm_latitude: 20.00001 + Number(sites[nth]) / 100,
        atm_longitude: 20.00001,
      })),
    },
    { asked: { province_code: '1', district_code } },
  );
const open = (application_id: string): Exchange =>
  exchange('requestLoan', { data: { application_id, result: 'true', infos: [] } });

const SEVERAL = 'the ATM numbers have several widths';
const FEW = 'fewer than ten identifiers of a kind have leading zeros';

runRows(identifiersPadded, {
  'exactly one of many identifiers with leading zeros is shorter': [
    broken([list('1', [...padded, '1234', '905'])], {
      received: '"905"',
      expected: '4 digits, as the other 11 ATM numbers have',
    }),
    broken([...padded.map(open), open('77')], { received: '"77"', pointer: '/data/application_id' }),
  ],
  'only the identifiers of one list are shorter': broken([list('1', padded), list('2', ['905', '906'])], { count: 2 }),
  'all identifiers have the same number of digits': [kept([list('1', [...padded, '1234'])]), kept(padded.map(open))],
  'an identifier with letters is shorter': kept([...padded, 'A7'].map(open)),
  'identifiers of several lists are shorter, or only some of one list': [
    notTested([list('1', padded), list('2', ['905']), list('3', ['906'])], SEVERAL),
    notTested([list('1', padded), list('2', ['905', '906', '1234'])], SEVERAL),
  ],
  'the ATM with the shorter number has the place or the name of another ATM': [
    notTested([list('1', [...padded, '905'], [...padded, '0899'], [...padded, '905'])], SEVERAL),
    notTested([list('1', [...padded, '905'], [...padded, '905'], [...padded, '0899'])], SEVERAL),
  ],
  'fewer than ten identifiers have leading zeros': [
    notTested([list('1', [...padded.slice(1), '905'])], FEW),
    notTested([list('1', ['9', ...padded.map((no) => `1${no}`)])], FEW),
    notTested([...padded.slice(1), '077'].map(open), FEW),
  ],
});
