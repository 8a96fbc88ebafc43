// Detects the format of a file by its first bytes, then by its name and media type.

/** Formats whose words can be read. */
export const formats = [
  'text',
  'markdown',
  'csv',
  'html',
  'rtf',
  'pdf',
  'doc',
  'docx',
  'pptx',
  'xlsx',
  'odt',
  'eml',
] as const;
export type Format = (typeof formats)[number];

export type NamedFile = { filename: string; mimeType: string };

const extensions: Record<string, Format> = {
  md: 'markdown',
  markdown: 'markdown',
  csv: 'csv',
  tsv: 'csv',
  html: 'html',
  htm: 'html',
  xhtml: 'html',
  rtf: 'rtf',
  pdf: 'pdf',
  doc: 'doc',
  docx: 'docx',
  pptx: 'pptx',
  xlsx: 'xlsx',
  xlsm: 'xlsx',
  xltx: 'xlsx',
  xltm: 'xlsx',
  odt: 'odt',
  eml: 'eml',
};

const mediaTypes: Record<string, Format> = {
  'text/markdown': 'markdown',
  'text/csv': 'csv',
  'text/html': 'html',
  'application/xhtml+xml': 'html',
  'application/rtf': 'rtf',
  'text/rtf': 'rtf',
  'application/pdf': 'pdf',
  'application/msword': 'doc',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'pptx',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.template': 'xlsx',
  'application/vnd.ms-excel.sheet.macroenabled.12': 'xlsx',
  'application/vnd.ms-excel.template.macroenabled.12': 'xlsx',
  'application/vnd.oasis.opendocument.text': 'odt',
  'message/rfc822': 'eml',
};

/** Data that begins like text but is not meant for people. */
const unreadable = /^(image|audio|video|font)\/|^application\/(zip|gzip|pgp|pkcs|x-pkcs|postscript)/i;
const unreadableName = /\.(svg|ps|eps|p7s|asc)$/i;
const zipFormats: readonly Format[] = ['docx', 'pptx', 'xlsx', 'odt'];

/** Null when its words cannot be read. */
export function detectFormat(beginning: Uint8Array, { filename, mimeType }: NamedFile): Format | null {
  const type = mimeType.split(';')[0]?.trim().toLowerCase() ?? '';
  const named = extensions[/\.(\w+)$/.exec(filename)?.[1]?.toLowerCase() ?? ''] ?? mediaTypes[type] ?? null;
  const head = Buffer.from(beginning.subarray(0, 1_024)).toString('latin1');
  if (/^\s{0,100}%PDF-/.test(head)) return 'pdf';
  if (head.startsWith('PK\u0003\u0004')) return named && zipFormats.includes(named) ? named : null;
  // A password wraps a ZIP based format in such a file: its reader reports that.
  if (head.startsWith('\xd0\xcf\x11\xe0'))
    return named === 'doc' || (named && zipFormats.includes(named)) ? named : null;
  if (head.startsWith('{\\rtf')) return 'rtf';
  if (unreadable.test(type) || unreadableName.test(filename)) return null;
  // A name that promises a binary format while the bytes are something else: the reader reports the error.
  if (named && (zipFormats.includes(named) || named === 'pdf' || named === 'doc')) return named;
  if (named === 'rtf') return null;
  if (!isProbablyText(beginning.subarray(0, 8_192))) return null;
  return named ?? 'text';
}

const plainFormats: readonly Format[] = ['text', 'markdown', 'csv', 'html', 'eml'];

/**
 * Whether a file contains its words in a binary or encoded format, such as PDF. Without bytes, its name and type
 * decide.
 */
export function isCodedText(beginning: Uint8Array, file: NamedFile): boolean {
  const format = detectFormat(beginning, file);
  return format !== null && !plainFormats.includes(format);
}

/** Text has almost no control characters, in every charset except the two-byte ones. */
function isProbablyText(bytes: Uint8Array): boolean {
  const isWide = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  return isWide || bytes.every((byte) => byte >= 32 || (byte >= 7 && byte <= 13) || byte === 27);
}
