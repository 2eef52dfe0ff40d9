/** A client of the reference bank. It sends documented requests, except if a test changes them. */
import { sandboxCredentials, type Bank } from '../../../../fixtures/reference-bank/bank.ts';

export const LOANS_PREFIX = '/api/bank/revolving-loans/v1';
export const LINKS_PREFIX = '/api/bank/card/paybylink/v1';
export const ATMS_PATH = '/api/v1/atms';

const writeMembers = (value: unknown): string =>
  JSON.stringify(value, (_, member: unknown) => (typeof member === 'bigint' ? String(member) : member));

const USUAL_HEADERS = {
  'X-GW-client-id': sandboxCredentials.clientId,
  'X-GW-client-secret': sandboxCredentials.clientSecret,
  Authorization: `Bearer ${sandboxCredentials.accessToken}`,
  'Content-Type': 'application/json',
  'Accept-Encoding': 'gzip, deflate, br',
};

/** Changes of a request: other headers (an empty one is left out), and another method. */
interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  readonly method?: string;
}

/** Sends a body if there is one: texts and bytes unchanged, members as JSON. */
export type Ask = (
  path: string,
  body?: string | Uint8Array<ArrayBuffer> | object | null,
  sent?: Sent,
) => Promise<Response>;

export const openClient =
  (bank: Bank): Ask =>
  async (path, content = null, { headers = {}, method = content === null ? 'GET' : 'POST' } = {}) => {
    const named = Object.entries({ ...USUAL_HEADERS, ...headers }).filter(([, value]) => value !== '');
    const isRaw = content === null || typeof content === 'string' || content instanceof Uint8Array;
    // Ids are integers with up to 19 digits.
    const body = isRaw ? content : writeMembers(content).replace(/"(\w+_(?:id|no))":"0*(\d+)"/g, '"$1":$2');
    const request = { method, headers: named, body };
    return bank.fetch(new Request(`http://bank.example${path}`, request));
  };
