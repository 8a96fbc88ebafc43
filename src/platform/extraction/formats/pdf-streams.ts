// Checks the packed streams of a PDF before its text is read: page contents and tables, packed with `/FlateDecode`.
import { constants, createInflate } from 'node:zlib';
import { FileError } from '../file-error.ts';

const longestDictionary = 2_000;

/** Whether the PDF contains an image as a separate stream, as scanners write it. */
export function hasImage(bytes: Buffer): boolean {
  return /\/Subtype\s*\/Image/.test(bytes.toString('latin1'));
}

/** Throws `payload_too_large` when the streams of a PDF, without images, unpack to more than `most` bytes together. */
export async function checkUnpackedSize(bytes: Buffer, most: number): Promise<void> {
  let left = most;
  for (let at = bytes.indexOf('stream'); at >= 0; at = bytes.indexOf('stream', at + 6)) {
    const before = bytes.toString('latin1', Math.max(0, at - longestDictionary), at);
    const dictionary = before.slice(before.lastIndexOf(' obj'));
    if (!/\/(?:FlateDecode|Fl)\b/.test(dictionary) || /\/Image\b/.test(dictionary)) continue;
    const start = at + (bytes[at + 6] === 13 ? 8 : 7);
    left -= await measureUnpackedStream(bytes.subarray(start), left);
    if (left < 0)
      throw new FileError('The PDF unpacks to more than is allowed. Split it, or save its text.', 'payload_too_large');
  }
}

/** How many bytes a stream unpacks to; stops counting above `most`. A damaged stream counts up to the damage. */
async function measureUnpackedStream(packed: Buffer, most: number): Promise<number> {
  const inflate = createInflate({ finishFlush: constants.Z_SYNC_FLUSH });
  inflate.end(packed);
  let length = 0;
  try {
    for await (const part of inflate) {
      length += (part as Buffer).length;
      if (length > most) break;
    }
  } catch {
    // PDF readers use what comes before the damage.
  }
  return length;
}
