/** Runs one test scenario over real HTTP, and records its requests and its journal. */
import type { OperationId } from '../../../openapi/model/exchange.ts';
import type { JournalLine } from '../../../openapi/model/journal.ts';
import { systemClock, type Clock } from '../../../fixtures/run/http/clock.ts';
import { openMemoryJournal } from '../../../fixtures/run/session/journal-writer.ts';
import { Session } from '../../../fixtures/run/session/session.ts';
import { runScenario, type ScenarioBody, type ScenarioDetails } from '../../../fixtures/runner/run-scenario.ts';
import { body as rightBody } from './judge-harness.ts';
import { startHttpServer, makeTarget } from './servers.ts';
import { findOperation } from '../../../fixtures/banks/lib/exchange.ts';

/** A received request. Header names keep their upper and lower case. */
interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Makes the answer of the server. The default is a correct answer to the operation. */
type Answering = (
  operation: OperationId,
  request: Received,
) => { readonly status?: number; readonly body: unknown } | undefined;

interface HarnessOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly creates?: ScenarioDetails['creates'];
  readonly answer?: Answering;
  readonly prefix?: string;
  readonly clock?: Clock;
}

/** A loan request with a field of each type. */
export const LOAN_REQUEST = {
  amount: 1250.5,
  currency: 'EUR',
  commercial_disbursement: true,
  disbursement_purpose: false,
  order_id: 'A-1001',
};

interface HarnessResult {
  readonly received: readonly Received[];
  readonly lines: readonly JournalLine[];
}

/** Runs `scenario` against a server on this machine. `closeAllServers` of `servers.ts` ends the server. */
export async function runScenarioOnServer(
  scenario: ScenarioBody,
  { env = {}, creates, answer, prefix = '', clock = systemClock }: HarnessOptions = {},
): Promise<HarnessResult> {
  const received: Received[] = [];
  const port = await startHttpServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const pairs = request.rawHeaders.flatMap((name, index, all) =>
        index % 2 === 0 ? [[name, String(all[index + 1])]] : [],
      );
      const receivedRequest: Received = {
        method: request.method ?? '',
        url: request.url ?? '',
        headers: Object.fromEntries(pairs) as Record<string, string>,
        body: Buffer.concat(chunks).toString('utf8'),
      };
      received.push(receivedRequest);
      const { pathname } = new URL(receivedRequest.url, 'http://bank');
      const operation = findOperation(receivedRequest.method, pathname.slice(prefix.length))?.id;
      const reply =
        operation === undefined
          ? { status: 404, body: { message: 'no such path' } }
          : (answer?.(operation, receivedRequest) ?? { body: rightBody(operation) });
      response.writeHead(reply.status ?? 200, { 'content-type': 'application/json' });
      response.end(typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body));
    });
  });
  const credentials = { CLIENT_ID: 'my-client-id', CLIENT_SECRET: 'my-client-secret', ACCESS_TOKEN: 'my-access-token' };
  const target = makeTarget(`http://127.0.0.1:${port}${prefix}`, { ...credentials, ...env });
  const session = new Session({ target, clock, seed: 7, nonce: 'nonce123' });
  const journal = openMemoryJournal();
  try {
    const details: ScenarioDetails = { area: 'loans', ...(creates === undefined ? {} : { creates }) };
    await runScenario({ id: 'a-scenario', title: 'A scenario', details, body: scenario }, session, journal);
  } finally {
    await session.close();
  }
  return { received, lines: journal.lines };
}
