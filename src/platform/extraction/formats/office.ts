// DOCX by mammoth; PPTX, XLSX and ODT by the text in their XML.
import { FileError } from '../file-error.ts';
import { openZip, type Zip } from './zip.ts';

const mostParts = 500;

/** The words of a DOCX file. */
export async function textOfDocx(bytes: Buffer, mostUnpacked: number): Promise<string> {
  const zip = openZip(bytes, mostUnpacked);
  if (!zip.names.includes('word/document.xml')) throw noSuch('DOCX');
  // The parts that mammoth will unpack are unpacked here first, under the limit.
  for (const name of zip.names) if (/\.(xml|rels)$/i.test(name)) xmlOf(zip, name);
  const { default: mammoth } = await import('mammoth');
  try {
    return (await mammoth.extractRawText({ buffer: bytes })).value;
  } catch {
    throw new FileError('The DOCX file is damaged. Save it again and upload the new file.');
  }
}

/** The words of a presentation, slide after slide. */
export function textOfPptx(bytes: Buffer, mostUnpacked: number): string {
  const zip = openZip(bytes, mostUnpacked);
  const slides = numbered(zip, /^ppt\/slides\/slide(\d+)\.xml$/);
  if (!zip.names.includes('ppt/presentation.xml')) throw noSuch('PPTX');
  return slides.map((name) => textIn(xmlOf(zip, name), /<a:t>([^<]*)<\/a:t>|<\/a:p>/g)).join('\n\n');
}

/** The cells of a workbook, a line for each row, with tabs between. */
export function textOfXlsx(bytes: Buffer, mostUnpacked: number): string {
  const zip = openZip(bytes, mostUnpacked);
  if (!zip.names.includes('xl/workbook.xml')) throw noSuch('XLSX');
  const strings = sharedStrings(zip);
  return numbered(zip, /^xl\/worksheets\/sheet(\d+)\.xml$/)
    .map((name) => rowsOf(xmlOf(zip, name), strings))
    .join('\n\n');
}

/** The words of an OpenDocument text. */
export function textOfOdt(bytes: Buffer, mostUnpacked: number): string {
  const zip = openZip(bytes, mostUnpacked);
  if (!zip.names.includes('content.xml')) throw noSuch('ODT');
  const body = xmlOf(zip, 'content.xml').replaceAll(/<text:(?:tab|s|line-break)[^>]*\/>/g, ' ');
  return plain(body.replaceAll(/<\/text:(?:p|h)>/g, '\n').replaceAll(/<[^>]*>/g, ''));
}

function sharedStrings(zip: Zip): string[] {
  if (!zip.names.includes('xl/sharedStrings.xml')) return [];
  return xmlOf(zip, 'xl/sharedStrings.xml')
    .split('</si>')
    .map((item) => [...item.matchAll(/<t(?: [^>]*)?>([^<]*)<\/t>/g)].map(([, text]) => plain(text ?? '')).join(''));
}

function rowsOf(xml: string, strings: readonly string[]): string {
  const rows = xml.split('</row>').map((row) =>
    row
      .split('</c>')
      .flatMap((cell) => {
        const value = /<v>([^<]*)<\/v>/.exec(cell)?.[1] ?? /<t(?: [^>]*)?>([^<]*)<\/t>/.exec(cell)?.[1];
        if (value === undefined) return [];
        return [/<c [^>]*\bt="s"/.test(cell) ? (strings[Number(value)] ?? '') : plain(value)];
      })
      .join('\t'),
  );
  return rows.filter(Boolean).join('\n');
}

function numbered(zip: Zip, pattern: RegExp): string[] {
  const found = zip.names.flatMap((name) => {
    const number = pattern.exec(name)?.[1];
    return number === undefined ? [] : [{ name, number: Number(number) }];
  });
  if (found.length > mostParts) throw new FileError(`The file has more than ${mostParts} parts.`, 'payload_too_large');
  return found.toSorted((one, other) => one.number - other.number).map(({ name }) => name);
}

/** Office formats have no document type, and one is how XML grows without end. */
function xmlOf(zip: Zip, name: string): string {
  const xml = zip.read(name)?.toString('utf8') ?? '';
  if (/<!(DOCTYPE|ENTITY)/i.test(xml)) throw new FileError('The file declares XML entities, which are not allowed.');
  return xml;
}

function textIn(xml: string, pattern: RegExp): string {
  return plain([...xml.matchAll(pattern)].map(([all, text]) => (all === '</a:p>' ? '\n' : (text ?? ''))).join(''));
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function plain(text: string): string {
  return text.replaceAll(/&(#x[\da-f]{1,6}|#\d{1,7}|\w{1,8});/gi, (all, name: string) => {
    if (!name.startsWith('#')) return entities[name] ?? all;
    const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    return code <= 0x10ffff ? String.fromCodePoint(code) : all;
  });
}

function noSuch(format: string): FileError {
  return new FileError(`The file is no ${format} document, or is damaged. Save it again and upload the new file.`);
}
