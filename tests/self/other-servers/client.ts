import type { RunningServer } from './server-kit.ts';

export const LOANS = '/api/bank/revolving-loans/v1';
export const LINKS = '/api/bank/card/paybylink/v1';

/** An answer: its status, its body as it came, and the same read as JSON, if it is JSON. */
export interface Answer {
  status: number;
  text: string;
  // Tests look into what the document promises, and fail where it is not there.
  // oxlint-disable-next-line typescript/no-explicit-any
  json: any;
}

/** Sends the documented headers of an area, or others where a test says so. */
export function clientOf(server: RunningServer) {
  return async (method: string, path: string, body?: string | object, headers: object = {}): Promise<Answer> => {
    const response = await fetch(server.baseUrl + path, {
      method,
      headers: {
        'X-GW-client-id': server.clientId,
        'X-GW-client-secret': server.clientSecret,
        ...(path.startsWith('/api/v1/') ? { Accept: 'application/json' } : documented(server)),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, text, json: read(text) };
  };
}

function documented({ accessToken }: RunningServer): object {
  return { Authorization: `Bearer ${accessToken}`, 'Content-Type': 'application/json' };
}

function read(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
