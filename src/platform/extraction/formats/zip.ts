// Reads ZIP archives with a limit on their unpacked size, whatever sizes they declare.
import { createInflateRaw, inflateRawSync } from 'node:zlib';
import { FileError } from '../file-error.ts';

const mostEntries = 10_000;
const endSignature = 0x06054b50;
const entrySignature = 0x02014b50;
/** ZIP64 stores numbers in other fields when they do not fit into the usual ones (APPNOTE 4.3.14, 4.3.15, 4.5.3). */
const large = { locator: 0x07064b50, end: 0x06064b50, field: 1, mark: 0xffffffff, countMark: 0xffff };
/** An office file with a password is wrapped in a file that begins with these bytes. */
const compoundFile = '\xd0\xcf\x11\xe0';
const [stored, deflated] = [0, 8];
const chunkSize = 256 * 1_024;

export type Zip = {
  names: readonly string[];
  /** The bytes of an entry; undefined when there is none with that name. Throws `FileError`. */
  read(name: string): Buffer | undefined;
  /**
   * The bytes of an entry in chunks, which are not kept; none when there is no entry with that name. Throws
   * `FileError`.
   */
  stream(name: string): AsyncGenerator<Buffer>;
};

type Entry = { method: number; start: number; packed: number };

/** Opens an archive. All data read from it together may have `most` bytes. */
export function openZip(bytes: Buffer, most: number): Zip {
  const entries = readEntries(bytes);
  const kept = new Map<string, Buffer>();
  let left = most;
  return {
    names: [...entries.keys()],
    read(name) {
      const entry = entries.get(name);
      if (!entry) return undefined;
      const known = kept.get(name);
      if (known) return known;
      const content = unpackEntry(bytes, entry, left);
      left -= content.length;
      kept.set(name, content);
      return content;
    },
    async *stream(name) {
      const entry = entries.get(name);
      if (!entry) return;
      for await (const chunk of streamEntry(bytes, entry)) {
        left -= chunk.length;
        if (left < 0) throw createUnpackedSizeError();
        yield chunk;
      }
    },
  };
}

function unpackEntry(bytes: Buffer, entry: Entry, most: number): Buffer {
  const { method, packed } = entry;
  const content = getPackedBytes(bytes, entry);
  if (method === stored && packed <= most) return content;
  if (method === deflated) {
    try {
      return inflateRawSync(content, { maxOutputLength: Math.max(1, most) });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_BUFFER_TOO_LARGE') throw createBrokenZipError();
    }
  } else if (method !== stored) throw createBrokenZipError();
  throw createUnpackedSizeError();
}

async function* streamEntry(bytes: Buffer, entry: Entry): AsyncGenerator<Buffer> {
  const content = getPackedBytes(bytes, entry);
  if (entry.method === stored) {
    yield content;
    return;
  }
  if (entry.method !== deflated) throw createBrokenZipError();
  const inflate = createInflateRaw({ chunkSize });
  inflate.end(content);
  const chunks = inflate[Symbol.asyncIterator]() as AsyncIterator<Buffer>; // its chunks have no encoding
  try {
    while (true) {
      const { done, value } = await chunks.next().catch(() => {
        throw createBrokenZipError();
      });
      if (done) return;
      yield value;
    }
  } finally {
    inflate.destroy();
  }
}

function getPackedBytes(bytes: Buffer, { start, packed }: Entry): Buffer {
  if (start + 30 > bytes.length) throw createBrokenZipError();
  // The local header has its own lengths of the name and the extra field.
  const from = start + 30 + bytes.readUInt16LE(start + 26) + bytes.readUInt16LE(start + 28);
  return bytes.subarray(from, from + packed);
}

function readEntries(bytes: Buffer): Map<string, Entry> {
  if (bytes.toString('latin1', 0, 4) === compoundFile) throw createLockedFileError();
  try {
    const { count, from } = readDirectory(bytes);
    if (count > mostEntries) throw new FileError('The file has too many parts.', 'payload_too_large');
    let at = from;
    const entries = new Map<string, Entry>();
    for (let number = 0; number < count; number += 1) {
      if (bytes.readUInt32LE(at) !== entrySignature) throw createBrokenZipError();
      if (bytes.readUInt16LE(at + 8) & 1) throw createLockedFileError();
      const [nameLength, extra, comment] = [28, 30, 32].map((offset) => bytes.readUInt16LE(at + offset));
      const name = bytes.toString('utf8', at + 46, at + 46 + nameLength!);
      const method = bytes.readUInt16LE(at + 10);
      const extraField = bytes.subarray(at + 46 + nameLength!, at + 46 + nameLength! + extra!);
      entries.set(name, { method, ...readEntryPosition(bytes, at, extraField) });
      at += 46 + nameLength! + extra! + comment!;
    }
    return entries;
  } catch (error) {
    throw error instanceof FileError ? error : createBrokenZipError();
  }
}

/** Where the directory begins, and how many entries it has. */
function readDirectory(bytes: Buffer): { count: number; from: number } {
  const end = findEndRecord(bytes);
  const [count, from] = [bytes.readUInt16LE(end + 10), bytes.readUInt32LE(end + 16)];
  const locator = end - 20;
  const isLarge = count === large.countMark || from === large.mark;
  if (!isLarge || locator < 0 || bytes.readUInt32LE(locator) !== large.locator) return { count, from };
  const largeEnd = Number(bytes.readBigUInt64LE(locator + 8));
  if (bytes.readUInt32LE(largeEnd) !== large.end) throw createBrokenZipError();
  const [largeCount, largeFrom] = [32, 48].map((offset) => Number(bytes.readBigUInt64LE(largeEnd + offset)));
  return { count: largeCount!, from: largeFrom! };
}

/** The position and length of an entry. Values that do not fit are in the extra field, in this order. */
function readEntryPosition(bytes: Buffer, at: number, extraField: Buffer): Pick<Entry, 'packed' | 'start'> {
  const [unpackedSize, packed, start] = [24, 20, 42].map((offset) => bytes.readUInt32LE(at + offset));
  const largeNumbers = readZip64Numbers(extraField);
  const next = (usual: number) => (usual === large.mark ? (largeNumbers.shift() ?? usual) : usual);
  next(unpackedSize!);
  return { packed: next(packed!), start: next(start!) };
}

function readZip64Numbers(extraField: Buffer): number[] {
  for (let at = 0; at + 4 <= extraField.length;) {
    const [id, size] = [extraField.readUInt16LE(at), extraField.readUInt16LE(at + 2)];
    const content = extraField.subarray(at + 4, at + 4 + size);
    if (id === large.field)
      return Array.from({ length: Math.floor(content.length / 8) }, (_, n) => Number(content.readBigUInt64LE(n * 8)));
    at += 4 + size;
  }
  return [];
}

/** The position of the end record, which a comment of at most 64 kB follows. */
function findEndRecord(bytes: Buffer): number {
  for (let at = bytes.length - 22; at >= Math.max(0, bytes.length - 65_557); at -= 1)
    if (bytes.readUInt32LE(at) === endSignature) return at;
  throw createBrokenZipError();
}

function createBrokenZipError(): FileError {
  return new FileError('The file is damaged: its parts cannot be unpacked. Save it again and upload the new file.');
}

function createLockedFileError(): FileError {
  return new FileError(
    'The file is locked with a password, or has an older format than its name says. Save it without a password in the format of its name.',
  );
}

function createUnpackedSizeError(): FileError {
  return new FileError('The file unpacks to more than is allowed. Split it, or save its text.', 'payload_too_large');
}
