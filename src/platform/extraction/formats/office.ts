// PPTX and XLSX by the text in their XML.
import { FileError } from '../file-error.ts';
import { createNotOfFormatError, decodeEntities, readXml } from './office-xml.ts';
import { openZip, type Zip } from './zip.ts';

const mostParts = 500;

/** The words of a presentation, slide after slide. */
export function textOfPptx(bytes: Buffer, mostUnpacked: number): string {
  const zip = openZip(bytes, mostUnpacked);
  const slides = numbered(zip, /^ppt\/slides\/slide(\d+)\.xml$/);
  if (!zip.names.includes('ppt/presentation.xml')) throw createNotOfFormatError('PPTX');
  return slides.map((name) => textIn(readXml(zip, name), /<a:t>([^<]*)<\/a:t>|<\/a:p>/g)).join('\n\n');
}

/** The cells of a workbook, a line for each row, with tabs between. */
export function textOfXlsx(bytes: Buffer, mostUnpacked: number): string {
  const zip = openZip(bytes, mostUnpacked);
  if (!zip.names.includes('xl/workbook.xml')) throw createNotOfFormatError('XLSX');
  const strings = sharedStrings(zip);
  return numbered(zip, /^xl\/worksheets\/sheet(\d+)\.xml$/)
    .map((name) => rowsOf(readXml(zip, name), strings))
    .join('\n\n');
}

function sharedStrings(zip: Zip): string[] {
  if (!zip.names.includes('xl/sharedStrings.xml')) return [];
  return readXml(zip, 'xl/sharedStrings.xml')
    .split('</si>')
    .map((item) =>
      [...item.matchAll(/<t(?: [^>]*)?>([^<]*)<\/t>/g)].map(([, text]) => decodeEntities(text ?? '')).join(''),
    );
}

function rowsOf(xml: string, strings: readonly string[]): string {
  const rows = xml.split('</row>').map((row) =>
    row
      .split('</c>')
      .flatMap((cell) => {
        const value = /<v>([^<]*)<\/v>/.exec(cell)?.[1] ?? /<t(?: [^>]*)?>([^<]*)<\/t>/.exec(cell)?.[1];
        if (value === undefined) return [];
        return [/<c [^>]*\bt="s"/.test(cell) ? (strings[Number(value)] ?? '') : decodeEntities(value)];
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

function textIn(xml: string, pattern: RegExp): string {
  return decodeEntities(
    [...xml.matchAll(pattern)].map(([all, text]) => (all === '</a:p>' ? '\n' : (text ?? ''))).join(''),
  );
}
