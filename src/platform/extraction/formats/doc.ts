import { FileError } from '../file-error.ts';
import { checkCompoundFile } from './compound-file.ts';
import { joinDocument } from './document-text.ts';

/** The words of a DOC file, the format of Word until 2003. */
export async function readDocText(bytes: Buffer): Promise<string> {
  const { default: WordExtractor } = await import('word-extractor');
  try {
    checkCompoundFile(bytes);
    const document = await rejectAtExit(new WordExtractor().extract(bytes));
    return joinDocument({
      headers: [document.getHeaders({ includeFooters: false })],
      body: document.getBody(),
      boxes: [document.getTextboxes()],
      footers: [document.getFooters()],
      notes: [document.getFootnotes(), document.getEndnotes()],
      comments: [document.getAnnotations()],
    });
  } catch {
    throw new FileError('The DOC file is damaged, or is not a Word document. Save it again and upload the new file.');
  }
}

/** The extractor never returns when a stream of the file is cut off. Then the process has nothing left to do. */
async function rejectAtExit<T>(answer: Promise<T>): Promise<T> {
  let atEnd = () => {};
  const end = new Promise<never>((_, reject) => {
    atEnd = () => reject(new Error('the file ended'));
    process.once('beforeExit', atEnd);
  });
  try {
    return await Promise.race([answer, end]);
  } finally {
    process.off('beforeExit', atEnd);
  }
}
