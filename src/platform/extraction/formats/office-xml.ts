// The shared parts of the readers of office files: their XML, and the error for another file.
import { FileError } from '../file-error.ts';
import type { Zip } from './zip.ts';

/**
 * The XML of a part; empty when there is none. Office formats have no document type declaration, and XML can expand
 * without end through one.
 */
export function readXml(zip: Zip, name: string): string {
  const xml = zip.read(name)?.toString('utf8') ?? '';
  if (/<!(DOCTYPE|ENTITY)/i.test(xml)) throw new FileError('The file declares XML entities, which are not allowed.');
  return xml;
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** XML text with its character references decoded. */
export function decodeEntities(text: string): string {
  return text.replaceAll(/&(#x[\da-f]{1,6}|#\d{1,7}|\w{1,8});/gi, (all, name: string) => {
    if (!name.startsWith('#')) return entities[name] ?? all;
    const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    return code <= 0x10ffff ? String.fromCodePoint(code) : all;
  });
}

/** For a file whose format differs from its name. */
export function createNotOfFormatError(format: string): FileError {
  return new FileError(`The file is no ${format} document, or is damaged. Save it again and upload the new file.`);
}
