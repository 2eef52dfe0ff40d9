/** Banks that reflect credentials in every text, name and encoding. */
import { createHash } from 'node:crypto';
import { passing } from '../../../fixtures/banks/lib/serving.ts';
import { respond } from '../../../fixtures/banks/lib/exchange.ts';
import { createBank } from '../../../fixtures/reference-bank/bank.ts';
import type { Handler } from '../../../fixtures/reference-bank/http/serve.ts';

/** A JWT of about 900 characters, and other secrets that read like nothing else. */
export const reflected = {
  clientId: '7c3e91d2-40ab-4f6e-b8d5-92a1f0c36e7b',
  clientSecret: 'vQ8z+R2k/Xw51mTfL0b"YpJ\\9sGh4Nc7&Ed3',
  accessToken: [
    { alg: 'HS256', typ: 'JWT' },
    { sub: 'customer-4711', scope: 'loans links', jti: createHash('sha512').update('a').digest('hex').repeat(4) },
  ]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .concat(createHash('sha512').update('b').digest('base64url'))
    .join('.'),
  extra: 'k5V0aXw8Zt3QmB71',
};

const encodings: readonly ((secret: string) => string)[] = [
  (secret) => secret,
  encodeURIComponent,
  (secret) => JSON.stringify(secret).slice(1, -1),
  (secret) => secret.replaceAll('&', '&amp;').replaceAll('"', '&quot;'),
  (secret) => Buffer.from(`client:${secret}`).toString('base64'),
  (secret) => secret.toUpperCase(),
  (secret) => secret.toLowerCase(),
  (secret) => `x${secret.slice(0, 40)}`,
  (secret) => `${secret.slice(-40)}x`,
];

/** The next of the secrets in the next of the encodings. */
function echoes(): () => string {
  let nth = 0;
  const values = Object.values(reflected);
  return () => {
    nth += 1;
    return encodings[nth % encodings.length]?.(values[Math.floor(nth / encodings.length) % values.length] ?? '') ?? '';
  };
}

/** The good bank, mirroring secrets beside what is documented: in refusals, header fields, and members with their names. */
export function besideTheFields(): Handler {
  const next = echoes();
  return passing(createBank({ credentials: reflected }), async (response) => {
    const body = (await response.json()) as Record<string, unknown>;
    const echo = next();
    if (!response.ok) return Response.json({ message: `not so: ${next()} ${'x'.repeat(90)} ${next()}` }, response);
    const more = { ...body, [`debug-${next()}`]: 1, debug: { api_key: `${'y'.repeat(60)}${next()}` } };
    const reflecting = respond(response, JSON.stringify(more));
    reflecting.headers.set('X-Echo', echo);
    return reflecting;
  });
}

/** The good bank, with a secret in one text or number of every answer in turn. */
export function withinTheFields(): Handler {
  const next = echoes();
  return passing(createBank({ credentials: reflected }), async (response, nth) => {
    const text = await response.text();
    let at = 0;
    const places = text.match(/:\s*(?:"[^"]*"|-?\d[\d.]*)/g)?.length ?? 0;
    const mutated = text.replace(/:\s*(?:"[^"]*"|-?\d[\d.]*)/g, (place) =>
      nth % 2 === 0 && (at += 1) === 1 + (nth % Math.max(1, places)) ? `:${JSON.stringify(`${nth}${next()}`)}` : place,
    );
    return respond(response, mutated);
  });
}

/** What a run is given to judge a bank that reflects. */
export const reflectingEnv = (url: string): Record<string, string> => ({
  BASE_URL: url,
  CLIENT_ID: reflected.clientId,
  CLIENT_SECRET: reflected.clientSecret,
  ACCESS_TOKEN: reflected.accessToken,
  EXTRA_HEADERS: JSON.stringify({ 'X-Extra': reflected.extra }),
  RUNS: '2',
});
