/** Requests to a bank without a network, and a transcript of its answers. */
import type { Members } from '../../../../fixtures/banks/lib/exchange.ts';
import type { Handler } from '../../../../fixtures/banks/lib/mutant.ts';
import { answerIn, type Answer } from '../../../../fixtures/banks/incidents/intercept.ts';
import { sandboxCredentials } from '../../../../fixtures/reference-bank/sandbox.ts';

const { clientId, clientSecret, accessToken } = sandboxCredentials;

export type Headers = Readonly<Record<string, string>>;

/** The documented headers, with changes; an empty text leaves one out. */
export function headersWith(change: Headers = {}): Headers {
  const all = {
    'x-gw-client-id': clientId,
    'x-gw-client-secret': clientSecret,
    authorization: `Bearer ${accessToken}`,
    'content-type': 'application/json',
    ...change,
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''));
}

export interface Asking {
  /** What was answered so far, in the order of the requests. */
  readonly transcript: readonly string[];
  get(path: string, headers?: Headers): Promise<Answer>;
  /** Sends a text as it is, and values as JSON: ids of digits as integers, however long. */
  post(path: string, body: Readonly<Record<string, unknown>> | string, headers?: Headers): Promise<Answer>;
}

const jsonOf = (body: Readonly<Record<string, unknown>> | string): string =>
  typeof body === 'string' ? body : JSON.stringify(body).replace(/"((?:application|account)_id)":"(\d+)"/g, '"$1":$2');

/** Thrown at the first answer that is not the expected one. */
export class OtherAnswer extends Error {}

/** Asks `bank`, as long as its answers are `expected`, if given. An answer that is no JSON has no parts. */
export function asking(bank: Handler, expected?: readonly string[]): Asking {
  const transcript: string[] = [];
  const send = async (path: string, init: RequestInit): Promise<Answer> => {
    const line = transcript.push('') - 1;
    const response = await bank.fetch(new Request(`http://bank.example${path}`, init));
    const bytes = Buffer.from(await response.arrayBuffer());
    transcript[line] =
      `${path} ${response.status} ${JSON.stringify([...response.headers])} ${bytes.toString('latin1')}`;
    if (expected !== undefined && transcript[line] !== expected[line]) throw new OtherAnswer();
    try {
      return answerIn(JSON.parse(bytes.toString()) as Members);
    } catch {
      return answerIn({});
    }
  };
  return {
    transcript,
    get: (path, headers = headersWith()) => send(path, { headers }),
    post: (path, body, headers = headersWith()) => send(path, { method: 'POST', headers, body: jsonOf(body) }),
  };
}
