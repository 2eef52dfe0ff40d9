/** SHA-256 in plain arithmetic: a page opened from a file may not have the one of the browser. */

const constants = roots(64, 3);
const initial = roots(8, 2);

/** The first 32 bits of the fractional parts of the square or cube roots of the first primes. */
function roots(count: number, degree: 2 | 3): Uint32Array {
  const found: number[] = [];
  for (let n = 2; found.length < count; n += 1) {
    let prime = true;
    for (let by = 2; by * by <= n; by += 1) if (n % by === 0) prime = false;
    if (prime) found.push(((degree === 2 ? Math.sqrt(n) : Math.cbrt(n)) % 1) * 0x1_0000_0000);
  }
  return Uint32Array.from(found, Math.floor);
}

const turned = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

/** The SHA-256 of a text in UTF-8, in hexadecimal digits. */
export function sha256(text: string): string {
  const bytes = new TextEncoder().encode(text);
  const padded = new Uint8Array(((bytes.length + 8) >> 6) * 64 + 64);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(bytes.length / 0x2000_0000));
  view.setUint32(padded.length - 4, (bytes.length << 3) >>> 0);
  const state = Uint32Array.from(initial);
  const words = new Uint32Array(64);
  for (let block = 0; block < padded.length; block += 64) {
    for (let at = 0; at < 16; at += 1) words[at] = view.getUint32(block + at * 4);
    for (let at = 16; at < 64; at += 1) {
      const [early, late] = [words[at - 15]!, words[at - 2]!];
      const low = turned(early, 7) ^ turned(early, 18) ^ (early >>> 3);
      const high = turned(late, 17) ^ turned(late, 19) ^ (late >>> 10);
      words[at] = words[at - 16]! + low + words[at - 7]! + high;
    }
    let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number];
    for (let at = 0; at < 64; at += 1) {
      const one = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
      const first = (h + one + ((e & f) ^ (~e & g)) + constants[at]! + words[at]!) | 0;
      const two = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22);
      const second = (two + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((value, at) => (state[at] = state[at]! + value));
  }
  return [...state].map((word) => word.toString(16).padStart(8, '0')).join('');
}

/** A value as JSON with sorted keys and no blanks: what the digest of an exchange is made over. */
export function canonical(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  const entries = Object.entries(value).filter(([, member]) => member !== undefined);
  entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join(',')}}`;
}
