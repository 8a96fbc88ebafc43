// Reads XML as a stream of events, so that a large part is never completely in memory.
import { TextDecoder } from 'node:util';
import { SaxesParser } from 'saxes';
import { FileError } from '../file-error.ts';

export type XmlAttributes = Readonly<Record<string, string>>;

/** Element names come without their namespace prefix. */
export type XmlHandlers = {
  open?(name: string, attributes: XmlAttributes): void;
  /** Text and CDATA, with references decoded. */
  text?(text: string): void;
  close?(name: string): void;
};

/**
 * Skips XML that is not well-formed, as long as something can be read. Throws `FileError` on a document type
 * declaration, because XML can expand without end through it.
 */
export async function readXmlEvents(chunks: AsyncIterable<Buffer>, handlers: XmlHandlers): Promise<void> {
  const parser = new SaxesParser<{ xmlns: false; position: false }>({ xmlns: false, position: false });
  parser.on('opentag', ({ name, attributes }) => handlers.open?.(withoutPrefix(name), attributes));
  parser.on('text', (text) => handlers.text?.(text));
  parser.on('cdata', (text) => handlers.text?.(text));
  parser.on('closetag', ({ name }) => handlers.close?.(withoutPrefix(name)));
  parser.on('error', () => {});
  parser.on('doctype', () => {
    throw new FileError('The file declares XML entities, which are not allowed.');
  });
  let decoder: TextDecoder | null = null;
  for await (const chunk of chunks) {
    decoder ??= createDecoder(chunk);
    parser.write(decoder.decode(chunk, { stream: true }));
  }
  parser.close();
}

/** An attribute by its name without prefix: writers choose the prefix of a namespace. */
export function findAttribute(attributes: XmlAttributes, name: string): string | undefined {
  if (attributes[name] !== undefined) return attributes[name];
  const key = Object.keys(attributes).find((each) => withoutPrefix(each) === name);
  return key === undefined ? undefined : attributes[key];
}

/** A boolean attribute, in the form of XML Schema or of older writers. */
export function isSet(value: string | undefined): boolean {
  return value === '1' || value === 'true' || value === 'on';
}

function withoutPrefix(name: string): string {
  const colon = name.indexOf(':');
  return colon < 0 ? name : name.slice(colon + 1);
}

/** XML is UTF-8, UTF-16 according to its first bytes, or the encoding in its declaration. */
function createDecoder(beginning: Buffer): TextDecoder {
  const [first, second] = beginning;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le');
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be');
  const declared = /^[^<]{0,3}<\?xml[^>]{0,100}encoding\s?=\s?["']([\w.-]{1,40})["']/.exec(
    beginning.toString('latin1', 0, 200),
  )?.[1];
  try {
    return new TextDecoder(declared ?? 'utf-8');
  } catch {
    return new TextDecoder();
  }
}
