/** Starts servers that answer with given bytes, and sends one request to each. */
import type { Socket } from 'node:net';
import { startRawServer, makeTarget, openTransport } from '../../support/servers.ts';

export const GET_REQUEST = { method: 'GET', path: '/x', headers: {}, body: null } as const;
export const POST_REQUEST = {
  method: 'POST',
  path: '/x',
  headers: { 'Content-Type': 'application/json' },
  body: '{}',
} as const;
export const renderOk = (body: string) =>
  `HTTP/1.1 200 OK\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

/** Sends one request to a server that calls `serve` for each connection. The time-out is short only if the test is about it. */
export async function sendToServer(
  serve: (socket: Socket) => void,
  {
    request = GET_REQUEST,
    timeoutMs = 60_000,
  }: { request?: typeof GET_REQUEST | typeof POST_REQUEST; timeoutMs?: number } = {},
) {
  const port = await startRawServer(serve);
  return openTransport(makeTarget(`http://127.0.0.1:${port}`, { TIMEOUT_MS: `${timeoutMs}` })).send(request);
}

export const OK_HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';
export const writeWithoutEnd = (socket: Socket, piece: Buffer | string) => {
  const writePieces = () => {
    while (!socket.destroyed && socket.write(piece));
  };
  socket.on('drain', writePieces);
  writePieces();
};
