/** Computes digests of texts and of JSON. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';

/** Returns a short digest that distinguishes texts without showing them (cyrb53: 53 bits, not for cryptography). */
export function digestText(text: string): string {
  let [a, b] = [0xdeadbeef, 0x41c6ce57];
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    a = Math.imul(a ^ code, 2654435761);
    b = Math.imul(b ^ code, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return (4294967296 * (2097151 & b) + (a >>> 0)).toString(36);
}

/** True for about `share` (0 to 1) of all names. The choice is always the same for a salt, and nobody can predict it without the salt. */
export const isInRandomSample = (salt: string | number, name: string | number, share: number): boolean =>
  Number.parseInt(digestText(`${salt} ${name}`), 36) < share * 2 ** 53;

/** Writes a JSON value with sorted keys and no blanks: equal values give equal texts. */
export function writeCanonicalJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map(writeCanonicalJson).join()}]`;
  let members = '';
  for (const name of Object.keys(value).sort()) {
    const member = (value as Readonly<Record<string, unknown>>)[name];
    if (member === undefined) continue;
    members += `${members === '' ? '' : ','}${JSON.stringify(name)}:${writeCanonicalJson(member)}`;
  }
  return `{${members}}`;
}

/** Returns SHA-256 (hex) over `value` as JSON with sorted keys and no blanks. */
export const hashValue = (value: unknown): string => hashText(writeCanonicalJson(value));

/** Returns SHA-256 (hex) over an unchanged text or unchanged bytes. */
export const hashText = (text: string | Buffer): string => createHash('sha256').update(text).digest('hex');

/** Returns SHA-256 (hex) over a file, without reading the whole file into memory. */
export async function hashFile(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of createReadStream(file)) hash.update(piece as Buffer);
  return hash.digest('hex');
}
