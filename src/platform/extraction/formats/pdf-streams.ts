// Looks at the packed streams of a PDF before its text is read: page contents and tables, which `/FlateDecode` packs.
import { constants, createInflate } from 'node:zlib';
import { FileError } from '../file-error.ts';

const longestDictionary = 2_000;

/** True when the PDF holds an image that is a stream of its own, as scanners make. */
export function hasImage(bytes: Buffer): boolean {
  return /\/Subtype\s*\/Image/.test(bytes.toString('latin1'));
}

/** Throws `payload_too_large` when the streams of a PDF, images aside, unpack to more than `most` bytes together. */
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

/** How many bytes come out; more than `most` as soon as there are more. A damaged stream counts as far as it goes. */
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
    // Readers of PDFs use what came before the damage.
  }
  return length;
}
