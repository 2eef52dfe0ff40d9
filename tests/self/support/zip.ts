/** Reads zip files, such as the blob reports of Playwright (no zip64). */
import { inflateRawSync } from 'node:zlib';

const END_SIGNATURE = Buffer.from('PK\x05\x06', 'latin1');

/** Returns the content of all files in a zip file. */
export function unzip(zip: Buffer): readonly Buffer[] {
  const end = zip.lastIndexOf(END_SIGNATURE);
  const files: Buffer[] = [];
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
    const isPacked = zip.readUInt16LE(at + 10) !== 0;
    const local = zip.readUInt32LE(at + 42);
    const from = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    const content = zip.subarray(from, from + zip.readUInt32LE(at + 20));
    files.push(isPacked ? inflateRawSync(content) : content);
    at += 46 + zip.readUInt16LE(at + 28) + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  return files;
}
