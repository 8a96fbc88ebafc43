// Reads one long field out of a JSON object that arrives in pieces: the whole object would be in memory several times.
import { createBase64Decoder, MalformedBase64Error } from './base64-bytes.ts';

const [quote, backslash, colon, comma] = [0x22, 0x5c, 0x3a, 0x2c];
const opening: ReadonlySet<number> = new Set([0x7b, 0x5b]);
const closing: ReadonlySet<number> = new Set([0x7d, 0x5d]);
const brace = 0x7b;
const blanks: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d]);
const longestName = 200;

/**
 * The bytes that the field `name` of the object contains in base64. Throws `Malformed` when there is no such text, when
 * it is not base64, or when the object is cut off; the bytes returned before are then incomplete. Bytes are decoded in
 * place, in the pieces that arrive.
 */
export async function* readFieldBytes(answer: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<Uint8Array> {
  const scan = createScan(name);
  for await (const piece of answer) {
    for (const bytes of scan.pass(piece)) if (bytes.length) yield bytes;
  }
  scan.end();
}

/** A string that is being read: a field name, the wanted text, or any other text. */
type TextRole = 'name' | 'wanted' | 'other';

/** Follows the structure of the object between its strings. */
function createOutline(wanted: string) {
  let depth = 0;
  let isOver = false;
  let isFound = false;
  /** Whether the next string is the name of a field, and the last field name. */
  let awaitsName = false;
  let name = '';

  function opened(): TextRole {
    if (depth === 1 && awaitsName) return 'name';
    if (depth !== 1 || name !== wanted) return 'other';
    if (isFound) throw new MalformedBase64Error(`two fields ${wanted}`);
    isFound = true;
    return 'wanted';
  }

  return {
    /** The kind of string that begins with this byte; null: none. */
    next(byte: number): TextRole | null {
      if (blanks.has(byte)) return null;
      if (isOver || (depth === 0 && byte !== brace)) throw new MalformedBase64Error('something other than one object');
      if (byte === quote) return opened();
      if (opening.has(byte)) depth += 1;
      else if (closing.has(byte)) depth -= 1;
      isOver = depth === 0;
      if (depth === 1 && (byte === brace || byte === comma)) {
        awaitsName = true;
        name = '';
      } else if (depth === 1 && byte === colon) awaitsName = false;
      return null;
    },
    addToName(text: string): void {
      if (name.length <= longestName) name += text;
    },
    end(): void {
      if (!isOver) throw new MalformedBase64Error('an object that was cut');
      if (!isFound) throw new MalformedBase64Error(`no field ${wanted}`);
    },
  };
}

function createScan(wanted: string) {
  const outline = createOutline(wanted);
  const decoder = createBase64Decoder();
  let text: TextRole | null = null;
  /** An escape sequence that is being read, starting at its backslash. */
  let escape = '';

  function run(piece: Uint8Array, from: number, to: number): Uint8Array | null {
    if (text === 'wanted') return decoder.pass(piece, from, to);
    if (text === 'name') outline.addToName(Buffer.from(piece.subarray(from, to)).toString('latin1'));
    return null;
  }

  function escaped(byte: number): Uint8Array | null {
    escape += String.fromCharCode(byte);
    if (escape.length < (escape[1] === 'u' ? 6 : 2)) return null;
    const letter = Buffer.from(decodeEscape(escape));
    escape = '';
    return run(letter, 0, letter.length);
  }

  return {
    *pass(piece: Uint8Array): Generator<Uint8Array> {
      for (let at = 0; at < piece.length;) {
        if (text === null) text = outline.next(piece[at++] ?? 0);
        else if (escape) {
          const bytes = escaped(piece[at++] ?? 0);
          if (bytes) yield bytes;
        } else {
          const end = findRunEnd(piece, at);
          const bytes = end > at ? run(piece, at, end) : null;
          if (bytes) yield bytes;
          if (piece[end] === backslash) escape = '\\';
          else if (piece[end] === quote) text = null;
          at = end + 1;
        }
      }
    },
    end(): void {
      outline.end();
      decoder.end();
    },
  };
}

/** The position of the next quote or backslash, or the end. */
function findRunEnd(piece: Uint8Array, from: number): number {
  const end = piece.indexOf(quote, from);
  const until = end < 0 ? piece.length : end;
  const escape = piece.subarray(from, until).indexOf(backslash);
  return escape < 0 ? until : from + escape;
}

function decodeEscape(escape: string): string {
  try {
    return JSON.parse(`"${escape}"`) as string; // a string literal stands for a string
  } catch {
    throw new MalformedBase64Error('an unknown JSON escape');
  }
}
