// Reads the words of a mail file (RFC 5322 with MIME): its headers, its text, and the names of its attachments.
import { decoded } from './charset.ts';
import { textOfHtml } from './html.ts';

const deepest = 10;
const mostParts = 500;

type Part = { head: ReadonlyMap<string, string>; body: string };
type Words = { text: string; files: string[]; parts: number };

/** Subject, people, date and text of a mail; attachments are named. */
export function textOfMail(bytes: Buffer): { text: string; title: string | null } {
  const mail = partOf(bytes.toString('latin1'));
  const words: Words = { text: '', files: [], parts: 0 };
  const text = textOfPart(mail, words, 0);
  const shown = ['subject', 'from', 'to', 'cc', 'date'].flatMap((name) => {
    const value = mail.head.get(name);
    return value ? [`${name[0]!.toUpperCase()}${name.slice(1)}: ${readable(value)}`] : [];
  });
  const files = words.files.map((name) => `Attachment: ${name}`);
  const subject = mail.head.get('subject');
  return {
    text: [shown.join('\n'), text.trim(), files.join('\n')].filter(Boolean).join('\n\n'),
    title: subject === undefined ? null : readable(subject),
  };
}

function partOf(source: string): Part {
  const end = /\r?\n\r?\n/.exec(source);
  const head = new Map<string, string>();
  const lines = (end ? source.slice(0, end.index) : source).replaceAll(/\r?\n[ \t]+/g, ' ').split(/\r?\n/);
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).trim().toLowerCase();
    if (colon > 0 && !head.has(name)) head.set(name, line.slice(colon + 1).trim());
  }
  return { head, body: end ? source.slice(end.index + end[0].length) : '' };
}

function textOfPart({ head, body }: Part, words: Words, depth: number): string {
  words.parts += 1;
  if (depth > deepest || words.parts > mostParts) return '';
  const type = head.get('content-type') ?? 'text/plain';
  const kind = type.split(';')[0]?.trim().toLowerCase() ?? '';
  const file = parameter(head.get('content-disposition') ?? '', 'filename') ?? parameter(type, 'name');
  if (file !== undefined && !kind.startsWith('multipart/')) {
    words.files.push(readable(file));
    return '';
  }
  if (kind.startsWith('multipart/')) {
    const parts = partsOf(body, parameter(type, 'boundary'));
    const texts = parts.map((part) => ({ part, text: textOfPart(part, words, depth + 1) }));
    if (kind !== 'multipart/alternative') return texts.map(({ text }) => text.trim()).join('\n\n');
    const isPlain = ({ part }: { part: Part }) => /^text\/plain/i.test(part.head.get('content-type') ?? 'text/plain');
    return (
      (texts.find((each) => isPlain(each) && each.text.trim()) ?? texts.find(({ text }) => text.trim()))?.text ?? ''
    );
  }
  if (kind === 'message/rfc822') return textOfPart(partOf(contentOf(head, body).toString('latin1')), words, depth + 1);
  if (!kind.startsWith('text/')) return '';
  const text = decoded(contentOf(head, body), parameter(type, 'charset'));
  return kind === 'text/html' ? textOfHtml(text) : text;
}

function partsOf(body: string, boundary: string | undefined): Part[] {
  if (!boundary) return [];
  const sections = `\n${body}`.split(`\n--${boundary}`).slice(1, mostParts);
  return sections
    .filter((section) => !section.startsWith('--'))
    .map((section) => partOf(section.replace(/^[^\n]*\n/, '')));
}

function contentOf(head: ReadonlyMap<string, string>, body: string): Buffer {
  const encoding = head.get('content-transfer-encoding')?.toLowerCase();
  if (encoding === 'base64') return Buffer.from(body, 'base64');
  if (encoding === 'quoted-printable') return unquoted(body);
  return Buffer.from(body, 'latin1');
}

function unquoted(text: string): Buffer {
  const joined = text.replaceAll(/[ \t]*=\r?\n/g, '');
  const bytes = joined.replaceAll(/=([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1');
}

function parameter(header: string, name: string): string | undefined {
  const found = new RegExp(`[;\\s]${name}\\*?=(?:"([^"]{0,500})"|([^;\\s]{1,500}))`, 'i').exec(header);
  return found?.[1] ?? found?.[2];
}

/** RFC 2047: encoded words of other charsets in headers. */
function readable(header: string): string {
  const whole = header.replaceAll(/\?=\s+=\?/g, '?==?');
  const words = whole.replaceAll(
    /=\?([\w-]{1,40})\?([bq])\?([^?]{0,2000})\?=/gi,
    (_, charset: string, kind: string, text: string) =>
      decoded(kind.toLowerCase() === 'b' ? Buffer.from(text, 'base64') : unquoted(text.replaceAll('_', ' ')), charset),
  );
  // Headers are read as bytes: text outside encoded words may be UTF-8.
  return words === header ? decoded(Buffer.from(header, 'latin1')) : words;
}
