/** A library over HTTP. The faulty one lends a book twice, and writes the days until its return as a text. */
import type { RequestListener } from 'node:http';

export function makeLibrary(isFaulty: boolean): RequestListener {
  const borrowings = new Map<string, string>();
  const show = (borrowing: string) => ({ borrowing, due: isFaulty ? '14' : 14 });
  const answer = (method: string, path: string, body: string): object | number => {
    if (path === '/books') return { books: [{ book: 'b1', title: 'Walden' }] };
    const [, borrowing = ''] = /^\/borrowings\/(\w+)$/.exec(path) ?? [];
    if (method === 'GET' && borrowings.has(borrowing)) return show(borrowing);
    if (method !== 'POST' || path !== '/borrowings') return 404;
    const { book } = JSON.parse(body) as { book: string };
    if (!isFaulty && [...borrowings.values()].includes(book)) return 409;
    const id = `l${borrowings.size + 1}`;
    borrowings.set(id, book);
    return show(id);
  };
  return (request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString()));
    request.on('end', () => {
      const data = answer(request.method ?? '', request.url ?? '', body);
      response.writeHead(typeof data === 'number' ? data : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(typeof data === 'number' ? { message: 'No' } : { data }));
    });
  };
}
