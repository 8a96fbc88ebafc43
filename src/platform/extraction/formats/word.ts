// DOCX by mammoth, ODT by the text in its XML.
import { FileError } from '../file-error.ts';
import { createNotOfFormatError, decodeEntities, readXml } from './office-xml.ts';
import { openZip } from './zip.ts';

/** The words of a DOCX file. */
export async function textOfDocx(bytes: Buffer, mostUnpacked: number): Promise<string> {
  const zip = openZip(bytes, mostUnpacked);
  if (!zip.names.includes('word/document.xml')) throw createNotOfFormatError('DOCX');
  // The parts that mammoth will unpack are unpacked here first, under the limit.
  for (const name of zip.names) if (/\.(xml|rels)$/i.test(name)) readXml(zip, name);
  const { default: mammoth } = await import('mammoth');
  try {
    return (await mammoth.extractRawText({ buffer: bytes })).value;
  } catch {
    throw new FileError('The DOCX file is damaged. Save it again and upload the new file.');
  }
}

/** The words of an OpenDocument text. */
export function textOfOdt(bytes: Buffer, mostUnpacked: number): string {
  const zip = openZip(bytes, mostUnpacked);
  if (!zip.names.includes('content.xml')) throw createNotOfFormatError('ODT');
  const body = readXml(zip, 'content.xml').replaceAll(/<text:(?:tab|s|line-break)[^>]*\/>/g, ' ');
  return decodeEntities(body.replaceAll(/<\/text:(?:p|h)>/g, '\n').replaceAll(/<[^>]*>/g, ''));
}
