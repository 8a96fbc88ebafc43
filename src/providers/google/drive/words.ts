// The words of files of Google Drive. https://developers.google.com/workspace/drive/api/guides/ref-export-formats
import { AppError } from '#kernel/errors';
import { isCodedText } from '#platform/extraction';
import { ProviderError } from '#providers/http';
import { readErrorCategory, type Reader } from '#providers/reading';

export const driveApi = 'https://www.googleapis.com/drive/v3';

/** Of a longer text, only the metadata is stored. */
const longestText = 5_000_000;
const googleTypes = 'application/vnd.google-apps.';
const workbook = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
/** Google's own documents, exported as text. The text export of a spreadsheet has only its first tab. */
const exportedAsText: Readonly<Record<string, string>> = {
  [`${googleTypes}document`]: 'text/plain',
  [`${googleTypes}presentation`]: 'text/plain',
};
const plainText = /^text\/|^application\/(?:json|xml|yaml|x-yaml|toml|javascript|x-ndjson)$|\+(?:json|xml)$/;

/**
 * The words of a file, or why there are none. `isUsual`: files of this kind never have words, so the page does not say
 * so.
 */
export type FileWords = { text: string | null; missing: string | null; isUsual?: boolean };

type FileFacts = { id: string; name: string; mimeType: string; size?: number | undefined };

const noWords: FileWords = { text: null, missing: null };

/** No words, with the reason. */
export function createMissingWords(why: string): FileWords {
  return { text: null, missing: why };
}

/** The words of a text, and of a Google document; every tab of a spreadsheet. */
export async function readWords(reader: Reader, each: FileFacts): Promise<FileWords> {
  const { id, name, mimeType, size = 0 } = each;
  const url = `${driveApi}/files/${encodeURIComponent(id)}`;
  const asText = exportedAsText[mimeType];
  if (mimeType === `${googleTypes}spreadsheet`) return readSheets(reader, url, name);
  if (asText) return readAs(() => reader.text(`${url}/export`, { mimeType: asText }));
  if (mimeType === `${googleTypes}folder`) return noWords;
  if (plainText.test(mimeType)) {
    if (size > longestText) return createMissingWords(`The file is larger than ${longestText / 1_000_000} MB.`);
    return readAs(() => reader.text(url, { alt: 'media', supportsAllDrives: true }));
  }
  // A PDF or Office file is an attachment; its words are read from its bytes.
  if (isCodedText(new Uint8Array(), { filename: name, mimeType })) return noWords;
  return { ...createMissingWords('Thalamus reads no text from files of this kind.'), isUsual: true };
}

/** The workbook has every tab. If it is too large, the text export of the first tab may still be small enough. */
async function readSheets(reader: Reader, url: string, name: string): Promise<FileWords> {
  const file = { filename: `${name}.xlsx`, mimeType: workbook };
  const whole = await readAs(() => reader.readWords(`${url}/export`, { mimeType: workbook }, file));
  if (whole.text !== null) return whole;
  const first = await readAs(() => reader.text(`${url}/export`, { mimeType: 'text/csv' }));
  if (first.text === null) return whole;
  return {
    text: first.text,
    missing: `${whole.missing ?? ''} Only the first tab of this spreadsheet is included.`,
  };
}

async function readAs(read: () => Promise<string>): Promise<FileWords> {
  try {
    return { text: (await read()).replace(/^\uFEFF/, '').replaceAll('\r\n', '\n'), missing: null };
  } catch (error) {
    const why = findReason(error);
    if (why === null) throw error;
    return createMissingWords(why);
  }
}

const tooLarge = 'Google Drive exports at most 10 MB of a document.';

/** Why the words of a file cannot be read; null when the error also concerns other files. */
function findReason(error: unknown): string | null {
  if (!(error instanceof AppError)) return null;
  if (['invalid_input', 'payload_too_large'].includes(error.code)) return error.message; // errors of reading the file's bytes
  if (readErrorCategory(error) === 'too_large') return tooLarge;
  if (!(error instanceof ProviderError) || error.status !== 403 || error.isRetryable) return null;
  if (error.message.toLowerCase().includes('too large')) return tooLarge;
  return 'Google Drive does not return its content: the owner does not allow copies.';
}
