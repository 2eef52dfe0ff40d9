/** Reads files that may be packed by gzip. A small packed file may contain gigabytes, so every caller gives a maximum size. */
import { createReadStream, readSync } from 'node:fs';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { openUserFile, readNamed } from '../../openapi/files/user-file.ts';

const PIECE_BYTES = 2 ** 20;
const MEGABYTE = 1_000_000;

const REASON_BY_ERROR_CODE: Readonly<Record<string, string>> = {
  Z_BUF_ERROR: 'is packed by gzip and ends too soon: get the whole file again',
  Z_DATA_ERROR: 'is packed by gzip and damaged: get it again',
};

/**
 * Yields the content of a file in pieces, unpacked if the file is packed by gzip. Throws an error of one sentence if the content
 * has more than `maxBytes` bytes, or if the file is damaged, a folder or a device.
 */
export async function* readUnpacked(file: string, maxBytes: number): AsyncGenerator<Buffer, void> {
  const descriptor = readNamed(file, () => openUserFile(file, 'history'));
  // The stream closes the file.
  const stream = createReadStream(file, { fd: descriptor, start: 0, highWaterMark: PIECE_BYTES });
  try {
    const start = Buffer.alloc(2);
    readSync(descriptor, start, 0, 2, 0);
    const isPacked = start.readUInt16BE() === 0x1f8b;
    const content = isPacked ? pipeline(stream, createGunzip({ chunkSize: PIECE_BYTES }), () => {}) : stream;
    let readBytes = 0;
    for await (const piece of content as AsyncIterable<Buffer>) {
      readBytes += piece.length;
      if (readBytes > maxBytes)
        throw new Error(
          `${file} has more than ${maxBytes / MEGABYTE} MB${isPacked ? ' when it is unpacked' : ''}: give a smaller file.`,
        );
      yield piece;
    }
  } catch (error) {
    const why = REASON_BY_ERROR_CODE[(error as NodeJS.ErrnoException).code ?? ''];
    throw why === undefined ? error : new Error(`${file} ${why}.`, { cause: error });
  } finally {
    stream.destroy();
  }
}
