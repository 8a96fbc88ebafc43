// Reads the words of a mail file (RFC 5322 with MIME): its headers, its text, and the names of its attachments.
import {
  decodeHeader,
  decodeText,
  formatMailbox,
  readAddresses,
  readMailWords,
  readPartText,
  type MailPart,
} from '#platform/mime';
import PostalMime from 'postal-mime';
import { createDamagedFileError, FileError } from '../file-error.ts';
import { readHtml } from '../html/read-html.ts';

const deepest = 10;
const mostFiles = 500;

/**
 * A part in postal-mime's internal form. Its public result joins the parts, but this code decides which of them are the
 * mail. Its types leave out the tree; the tests of mails fail when a version changes it.
 */
type Node = {
  contentType: { parsed: { value: string; params: Record<string, string> } };
  contentDisposition: { parsed: { value: string; params: Record<string, string> } };
  contentId?: string | undefined;
  headers: { key: string; value: string }[];
  content: ArrayBuffer | null;
  childNodes: Node[];
};

type Mail = { root: Node; files: string[] };

/** Subject, people, date and text of a mail; attachments are named. */
export async function readMailText(bytes: Buffer): Promise<{ text: string; title: string | null }> {
  const mail = { root: await parseMail(bytes), files: [] };
  const text = await readNodeText(mail, 0);
  const { subject, lines } = readHead(mail.root);
  const files = mail.files.map((name) => `Attachment: ${name}`);
  return { text: joinTexts([lines, text, files.join('\n')]), title: subject || null };
}

/** The headers that a person sees, one on each line. */
function readHead({ headers }: Node): { subject: string; lines: string } {
  const header = (name: string) => headers.find(({ key }) => key === name)?.value ?? '';
  const subject = decodeHeader(header('subject')).trim();
  const people = ['from', 'to', 'cc'].map((name) => [name, readAddresses(header(name)).map(formatMailbox).join(', ')]);
  const shown = [['subject', subject], ...people, ['date', decodeHeader(header('date'))]];
  const lines = shown.flatMap(([name = '', value = '']) =>
    value ? [`${name[0]!.toUpperCase()}${name.slice(1)}: ${value}`] : [],
  );
  return { subject, lines: lines.join('\n') };
}

function joinTexts(texts: readonly string[]): string {
  return texts.filter(Boolean).join('\n\n');
}

async function parseMail(bytes: Buffer): Promise<Node> {
  const parser: PostalMime & { root?: Node } = new PostalMime({ forceRfc822Attachments: true });
  try {
    await parser.parse(withReadableHead(bytes));
  } catch {
    throw createDamagedFileError();
  }
  if (!parser.root) throw new Error('postal-mime has changed where it keeps the parts of a mail');
  return parser.root;
}

/** Headers are ASCII or UTF-8. Some programs write them in their own charset instead. */
function withReadableHead(bytes: Buffer): Buffer {
  const ends = [bytes.indexOf('\r\n\r\n'), bytes.indexOf('\n\n')].filter((at) => at >= 0);
  const end = Math.min(...ends, bytes.length);
  const head = bytes.subarray(0, end);
  const text = decodeText(head);
  return text.includes('\ufffd') || Buffer.byteLength(text) === head.length
    ? bytes
    : Buffer.concat([Buffer.from(text), bytes.subarray(end)]);
}

async function readNodeText(mail: Mail, depth: number): Promise<string> {
  return readMailWords(toMailPart(mail.root, mail, depth), (html) => readHtml(html).text);
}

function toMailPart(node: Node, mail: Mail, depth: number): MailPart {
  const { value: type, params } = node.contentType.parsed;
  const named = node.contentDisposition.parsed.params['filename'] ?? params['name'];
  const isWhole = type.startsWith('multipart/');
  const isFile = !isWhole && (named !== undefined || node.contentDisposition.parsed.value === 'attachment');
  if (isFile && type !== 'message/rfc822') addFile(mail, named);
  const isMail = type === 'message/rfc822';
  return {
    type: isMail ? 'text/plain' : type,
    isFile: isFile && !isMail,
    hasContentId: node.contentId !== undefined,
    parts: node.childNodes.map((child) => toMailPart(child, mail, depth)),
    readText: () => (isMail ? readNestedMailText(node, mail, depth) : readPartText(getNodeBytes(node), type, params)),
  };
}

function addFile({ files }: Mail, name: string | undefined): void {
  if (name !== undefined && files.length < mostFiles) files.push(decodeHeader(name));
}

/** An attached mail. */
async function readNestedMailText(node: Node, mail: Mail, depth: number): Promise<string> {
  if (depth >= deepest) return '';
  try {
    const nested = { root: await parseMail(getNodeBytes(node)), files: mail.files };
    return joinTexts([readHead(nested.root).lines, await readNodeText(nested, depth + 1)]);
  } catch (error) {
    if (error instanceof FileError) return '';
    throw error;
  }
}

function getNodeBytes({ content }: Node): Buffer {
  return content ? Buffer.from(content) : Buffer.alloc(0);
}
