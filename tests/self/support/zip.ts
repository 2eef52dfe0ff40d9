/** Reads zip files, such as the blob reports of Playwright (no zip64). */
import { inflateRawSync } from 'node:zlib';

const END_SIGNATURE = Buffer.from('PK\x05\x06', 'latin1');

/** Returns the content of all files in a zip file. */
export function unzip(zip: Buffer): readonly Buffer[] {
  const end = zip.lastIndexOf(END_SIGNATURE);
  const files: Buffer[] = [];
  let offset = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
    const isPacked = zip.readUInt16LE(offset + 10) !== 0;
    const local = zip.readUInt32LE(offset + 42);
    const from = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    const content = zip.subarray(from, from + zip.readUInt32LE(offset + 20));
    files.push(isPacked ? inflateRawSync(content) : content);
    offset += 46 + zip.readUInt16LE(offset + 28) + zip.readUInt16LE(offset + 30) + zip.readUInt16LE(offset + 32);
  }
  return files;
}
