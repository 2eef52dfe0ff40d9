import { isIP } from 'node:net';
import { Refused, readAmount, readField, type Call, type Handlers } from './handlers.ts';

interface Application {
  id: string;
  currency: string;
  outcome?: { done: boolean; code: string; reads: number };
}

const FIRST_LIMIT = 120_000;
const LARGEST_AMOUNT = 1_000_000;
const computeLimit = (nth: number): number => FIRST_LIMIT + nth * 30_000.25;
/** The outcome is still pending in the answer to the first query. */
const READS_UNTIL_FINAL = 1;

/** Makes the handlers of the revolving loans; a map holds all applications. */
export function makeLoanHandlers(): Handlers {
  const applications = new Map<number, Application>();
  let sequence = 104_710;

  const asked = (call: Call) => {
    const order = call.body['order_id'];
    readField(call, 'commercial_disbursement', 'boolean');
    readField(call, 'disbursement_purpose', 'boolean');
    const currency = readField(call, 'currency', 'string');
    if (currency !== 'TRY') throw new Refused('currency must be TRY');
    if (!(typeof order === 'string' && order.trim() !== '') && !Number.isInteger(order)) {
      throw new Refused('order_id must be a text or an integer');
    }
    return { currency, granted: readAmount(call) <= LARGEST_AMOUNT };
  };

  const accountsOf = (application: Application): number[] => {
    const first = 8_000_000_000 + Number(application.id) * 2;
    return [first, first + 1];
  };

  const find = (call: Call): Application => {
    const application = applications.get(readField(call, 'application_id', 'number'));
    if (application === undefined) throw new Refused('application is unknown');
    const account = readField(call, 'account_id', 'number');
    if (!accountsOf(application).includes(account)) throw new Refused('account is not on offer');
    return application;
  };

  return {
    'POST validations': (call) => ({ data: { result: String(asked(call).granted) } }),

    'POST loans'(call) {
      const { currency, granted } = asked(call);
      sequence += 11;
      const application: Application = { id: String(sequence).padStart(10, '0'), currency };
      applications.set(sequence, application);
      const infos = accountsOf(application).map((account, nth) => ({
        account_id: String(account),
        account: `KMH ${nth + 1}`,
        avaliable_limit: computeLimit(nth).toFixed(2),
        interest_rate: (4.25 - nth * 0.5).toFixed(5),
        interest_term: nth === 0 ? '1D' : '9M',
        commission_rate: (0.1).toFixed(5),
        campaign: null,
      }));
      return { data: { application_id: application.id, result: String(granted), infos: granted ? infos : [] } };
    },

    'POST contracts': (call) => ({ data: { application_id: find(call).id } }),

    'POST disbursements'(call) {
      const application = find(call);
      const amount = readAmount(call);
      const approved = readField(call, 'contract_approved', 'boolean');
      const address = readField(call, 'customer_ip', 'string');
      if (isIP(address) === 0) throw new Refused('customer_ip must be an IP address');
      if (readField(call, 'currency', 'string') !== application.currency) throw new Refused('currency differs');
      const nth = accountsOf(application).indexOf(Number(call.body['account_id']));
      const done = approved && amount <= computeLimit(nth);
      // A second disbursement gets the same answer, and changes nothing.
      application.outcome ??= { done, code: approved ? 'R036;' : 'R041;', reads: 0 };
      return { data: { application_id: application.id } };
    },

    'GET disbursements/*'({ path: [, wanted = ''] }) {
      const application = /^\d{1,12}$/.test(wanted) ? applications.get(Number(wanted)) : undefined;
      if (application?.outcome === undefined) throw new Refused('disbursement is unknown');
      const { outcome, id } = application;
      if (outcome.reads++ < READS_UNTIL_FINAL) {
        return { data: { application_id: id, result: 'Islem suruyor' } };
      }
      if (outcome.done) return { data: { application_id: id, result: 'Para hesaba gecti' } };
      // The text depends on the reason, so that each text always has the same error code.
      const result = outcome.code === 'R036;' ? 'Kullandirim yapilamadi' : 'Sozlesme onayi yok, kullandirim yapilamadi';
      return { data: { application_id: id, result }, errors: [{ message: outcome.code }] };
    },
  };
}
