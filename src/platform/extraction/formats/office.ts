// Reads PPTX files by the text in their XML.
import { FileError } from '../file-error.ts';
import { createNotOfFormatError, decodeEntities, readXml } from './office-xml.ts';
import { openZip, type Zip } from './zip.ts';

const mostParts = 500;

/** The words of a presentation, slide after slide. */
export function readPptxText(bytes: Buffer, mostUnpacked: number): string {
  const zip = openZip(bytes, mostUnpacked);
  const slides = listNumberedParts(zip, /^ppt\/slides\/slide(\d+)\.xml$/);
  if (!zip.names.includes('ppt/presentation.xml')) throw createNotOfFormatError('PPTX');
  return slides.map((name) => extractMatchedText(readXml(zip, name), /<a:t>([^<]*)<\/a:t>|<\/a:p>/g)).join('\n\n');
}

function listNumberedParts(zip: Zip, pattern: RegExp): string[] {
  const found = zip.names.flatMap((name) => {
    const number = pattern.exec(name)?.[1];
    return number === undefined ? [] : [{ name, number: Number(number) }];
  });
  if (found.length > mostParts) throw new FileError(`The file has more than ${mostParts} parts.`, 'payload_too_large');
  return found.toSorted((one, other) => one.number - other.number).map(({ name }) => name);
}

function extractMatchedText(xml: string, pattern: RegExp): string {
  return decodeEntities(
    [...xml.matchAll(pattern)].map(([all, text]) => (all === '</a:p>' ? '\n' : (text ?? ''))).join(''),
  );
}
