import { FileError } from '../file-error.ts';

/** The words of a DOC file, the format of Word until 2003. */
export async function textOfDoc(bytes: Buffer): Promise<string> {
  const { default: WordExtractor } = await import('word-extractor');
  try {
    const document = await new WordExtractor().extract(bytes);
    return [document.getBody(), document.getFootnotes(), document.getEndnotes()].filter(Boolean).join('\n');
  } catch {
    throw new FileError('The DOC file is damaged, or is no Word document. Save it again and upload the new file.');
  }
}
