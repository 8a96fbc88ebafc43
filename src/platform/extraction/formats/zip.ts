// Reads ZIP archives under a limit of their unpacked size, whatever sizes they declare.
import { inflateRawSync } from 'node:zlib';
import { FileError } from '../file-error.ts';

const mostEntries = 10_000;
const endSignature = 0x06054b50;
const entrySignature = 0x02014b50;
const [stored, deflated] = [0, 8];

export type Zip = {
  names: readonly string[];
  /** The bytes of an entry; undefined when there is none of that name. Throws `FileError`. */
  read(name: string): Buffer | undefined;
};

type Entry = { method: number; start: number; packed: number };

/** Opens an archive. All that is read from it together may have `most` bytes. */
export function openZip(bytes: Buffer, most: number): Zip {
  const entries = entriesOf(bytes);
  const kept = new Map<string, Buffer>();
  let left = most;
  return {
    names: [...entries.keys()],
    read(name) {
      const entry = entries.get(name);
      if (!entry) return undefined;
      const known = kept.get(name);
      if (known) return known;
      const content = unpacked(bytes, entry, left);
      left -= content.length;
      kept.set(name, content);
      return content;
    },
  };
}

function unpacked(bytes: Buffer, { method, start, packed }: Entry, most: number): Buffer {
  if (start + 30 > bytes.length) throw broken();
  // The local header has a name and an extra field of its own lengths.
  const from = start + 30 + bytes.readUInt16LE(start + 26) + bytes.readUInt16LE(start + 28);
  const content = bytes.subarray(from, from + packed);
  if (method === stored && packed <= most) return content;
  if (method === deflated) {
    try {
      return inflateRawSync(content, { maxOutputLength: Math.max(1, most) });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_BUFFER_TOO_LARGE') throw broken();
    }
  } else if (method !== stored) throw broken();
  throw new FileError('The file unpacks to more than is allowed. Split it, or save its text.', 'payload_too_large');
}

function entriesOf(bytes: Buffer): Map<string, Entry> {
  try {
    const end = endOf(bytes);
    const count = bytes.readUInt16LE(end + 10);
    if (count > mostEntries) throw new FileError('The file has too many parts.', 'payload_too_large');
    let at = bytes.readUInt32LE(end + 16);
    const entries = new Map<string, Entry>();
    for (let number = 0; number < count; number += 1) {
      if (bytes.readUInt32LE(at) !== entrySignature) throw broken();
      if (bytes.readUInt16LE(at + 8) & 1) throw new FileError('The file is locked with a password. Remove it first.');
      const [nameLength, extra, comment] = [28, 30, 32].map((offset) => bytes.readUInt16LE(at + offset));
      const name = bytes.toString('utf8', at + 46, at + 46 + nameLength!);
      const method = bytes.readUInt16LE(at + 10);
      entries.set(name, { method, packed: bytes.readUInt32LE(at + 20), start: bytes.readUInt32LE(at + 42) });
      at += 46 + nameLength! + extra! + comment!;
    }
    return entries;
  } catch (error) {
    throw error instanceof FileError ? error : broken();
  }
}

/** The position of the end record: a comment of at most 64 kB follows it. */
function endOf(bytes: Buffer): number {
  for (let at = bytes.length - 22; at >= Math.max(0, bytes.length - 65_557); at -= 1)
    if (bytes.readUInt32LE(at) === endSignature) return at;
  throw broken();
}

function broken(): FileError {
  return new FileError('The file is damaged: its parts cannot be unpacked. Save it again and upload the new file.');
}
