import { FileError } from '../file-error.ts';
import { checkUnpackedSize, hasImage } from './pdf-streams.ts';

/** The words of a PDF, page by page. Throws `FileError` for a broken, locked or too long file. */
export async function readPdfText(
  bytes: Buffer,
  { pages: mostPages, unpackedBytes }: { pages: number; unpackedBytes: number },
): Promise<{ text: string; pages: number; title: string | null }> {
  await checkUnpackedSize(bytes, unpackedBytes);
  const { getDocumentProxy } = await import('unpdf');
  const pdf = await getDocumentProxy(new Uint8Array(bytes), { stopAtErrors: false, verbosity: 0 }).catch(
    (error: unknown) => {
      const { name } = error as Error;
      throw name === 'PasswordException'
        ? new FileError('The PDF is locked with a password. Remove it and upload the file again.')
        : new FileError('The PDF is damaged and cannot be read. Save it again and upload the new file.');
    },
  );
  if (pdf.numPages > mostPages)
    throw new FileError(`The PDF has ${pdf.numPages} pages; at most ${mostPages} are read.`, 'payload_too_large');
  const pages: string[] = [];
  for (let number = 1; number <= pdf.numPages; number += 1) {
    const page = await pdf.getPage(number).catch(() => null);
    if (!page) continue;
    const content = await page.getTextContent().catch(() => null);
    pages.push(content ? joinTextItems(content.items) : '');
    page.cleanup();
  }
  const info = await pdf.getMetadata().then(
    (metadata) => metadata.info as { Title?: unknown },
    () => ({ Title: null }),
  );
  const title = typeof info.Title === 'string' && info.Title.trim() ? info.Title.trim().slice(0, 300) : null;
  const { numPages } = pdf;
  if (!pages.some((page) => page.trim()))
    throw new FileError(
      hasImage(bytes)
        ? 'The PDF contains no text, only pictures. Run text recognition (OCR) on it first.'
        : 'The PDF contains no text. Print it to a new PDF and run text recognition (OCR) on that, or save its text.',
    );
  return { text: pages.join('\n\n'), pages: numPages, title };
}

type Item = { str?: string; hasEOL?: boolean; transform?: number[]; height?: number };

/** Lines by their position; a gap of more than one and a half lines begins a paragraph. */
function joinTextItems(items: readonly unknown[]): string {
  let text = '';
  let last: number | null = null;
  for (const item of items as Item[]) {
    const y = item.transform?.[5] ?? null;
    const height = item.height ?? 0;
    if (text.endsWith('\n') && last !== null && y !== null && height > 0 && last - y > 1.8 * height) text += '\n';
    text += item.str ?? '';
    if (item.hasEOL) text += '\n';
    if (y !== null && item.str?.trim()) last = y;
  }
  return text.replaceAll(/[ \t]+\n/g, '\n').replaceAll(/\n{3,}/g, '\n\n');
}
