// Turns the bytes of a file into its words. Runs in the separate process, which begins anew for each file: a reader is loaded when a
// file needs it.
import { createTextTooLongError, FileError } from './file-error.ts';
import { detectFormat, type Format, type NamedFile } from './format.ts';
import { decodeText } from '#platform/mime';
import type { Limits } from './limits.ts';

/** The words of a file. `title` is the title inside the file. */
export type FileText = { format: Format; text: string; pages: number | null; title: string | null };

type ReaderResult = { text: string; pages?: number; title?: string | null };

const readers: Record<
  Format,
  (bytes: Buffer, limits: Limits, charset: string | undefined) => ReaderResult | Promise<ReaderResult>
> = {
  text: (bytes, _, charset) => ({ text: decodeText(bytes, charset) }),
  csv: (bytes, _, charset) => ({ text: decodeText(bytes, charset) }),
  markdown(bytes, _, charset) {
    const text = decodeText(bytes, charset);
    return { text, title: /^# (.{1,300})$/m.exec(text.slice(0, 2_000))?.[1]?.trim() ?? null };
  },
  async html(bytes, _, charset) {
    const { readHtml } = await import('./html/read-html.ts');
    const html = decodeText(bytes, charset);
    return readHtml(html, { isXhtml: /^\s{0,100}<\?xml/.test(html) });
  },
  async rtf(bytes) {
    const { readRtfText } = await import('./formats/rtf.ts');
    return { text: readRtfText(bytes) };
  },
  async pdf(bytes, limits) {
    const { readPdfText } = await import('./formats/pdf.ts');
    return readPdfText(bytes, limits);
  },
  async doc(bytes) {
    const { readDocText } = await import('./formats/doc.ts');
    return { text: await readDocText(bytes) };
  },
  async docx(bytes, { unpackedBytes }) {
    const { readDocxText } = await import('./formats/docx.ts');
    return { text: await readDocxText(bytes, unpackedBytes) };
  },
  async pptx(bytes, { unpackedBytes }) {
    const { readPptxText } = await import('./formats/office.ts');
    return { text: readPptxText(bytes, unpackedBytes) };
  },
  async xlsx(bytes, limits) {
    const { readWorkbook } = await import('./formats/workbook.ts');
    return { text: await readWorkbook(bytes, limits) };
  },
  async odt(bytes, { unpackedBytes }) {
    const { readOdtText } = await import('./formats/odt.ts');
    return { text: await readOdtText(bytes, unpackedBytes) };
  },
  async eml(bytes) {
    const { readMailText } = await import('./formats/mail.ts');
    return readMailText(bytes);
  },
};

/** Reads a file. Throws `FileError` when it has no words, is broken, or exceeds a limit. */
export async function readText(bytes: Buffer, file: NamedFile, limits: Limits): Promise<FileText> {
  const format = detectFormat(bytes, file);
  if (!format)
    throw new FileError(
      'Files of this kind cannot be read. Upload text, Markdown, CSV, HTML, RTF, PDF, Word, PowerPoint, Excel, ODT or EML.',
    );
  const charset = /charset="?([^\s";]+)/i.exec(file.mimeType)?.[1];
  const read = await readers[format](bytes, limits, charset);
  const text = tidyText(read.text);
  if (text.length > limits.characters) throw createTextTooLongError(limits.characters);
  if (!/\S/.test(text)) throw new FileError('The file contains no text.');
  return { format, text, pages: read.pages ?? null, title: read.title?.slice(0, 300) || null };
}

/** Line ends become equal, and characters that the database cannot store are removed. */
function tidyText(text: string): string {
  const lines = text.includes('\r') ? text.replaceAll(/\r\n?/g, '\n') : text;
  const clean = lines.includes('\0') ? lines.replaceAll('\0', '') : lines;
  return clean.replace(/^\ufeff/, '').toWellFormed();
}
