// Chooses which parts of a mail are its text (RFC 2046 §5.1): of alternatives one is chosen, other parts follow each
// other.

/** A part of a mail, from any parser. */
export type MailPart = {
  /** In lower case, such as `text/plain`. */
  type: string;
  /** A file, or a picture inside the text: its words do not belong to the mail. */
  isFile: boolean;
  hasContentId: boolean;
  parts: readonly MailPart[];
  /** The decoded text of a part without parts. */
  readText(): string | Promise<string>;
};

/** The words of HTML. */
export type HtmlReader = (html: string) => string | Promise<string>;

type Words = { text: string; isHtml: boolean };
const none: Words = { text: '', isHtml: false };

const mostParts = 1_000;
const deepest = 50;
/** A difference of a few words is links and a footer. */
const [muchMore, footer] = [2, 20];
/** A stub has at most this many words: it only says where the mail is. */
const longestStub = 60;
/** Of longer texts only the beginning is compared. */
const compared = 50_000;

/** The words of a mail. */
export async function readMailWords(mail: MailPart, readHtml: HtmlReader): Promise<string> {
  let left = mostParts;

  async function read(part: MailPart, depth: number): Promise<Words> {
    left -= 1;
    if (left < 0 || depth > deepest || part.isFile) return none;
    if (part.parts.length > 0) return readParts(part, depth);
    if (part.type.startsWith('multipart/') || !part.type.startsWith('text/')) return none;
    const isHtml = part.type === 'text/html';
    const text = (await part.readText()).replaceAll('\r\n', '\n');
    return { text: (isHtml ? await readHtml(text) : text).trim(), isHtml };
  }

  async function readParts({ type, parts }: MailPart, depth: number): Promise<Words> {
    const texts: Words[] = [];
    for (const [at, part] of parts.entries()) {
      // Parts that the first part shows, such as pictures or styles, are not separate texts.
      if (type === 'multipart/related' && at > 0 && part.hasContentId) continue;
      texts.push(await read(part, depth + 1));
    }
    const filled = texts.filter(({ text }) => text !== '');
    return type === 'multipart/alternative' ? chooseAlternative(filled) : joinWords(filled);
  }

  return (await read(mail, 0)).text;
}

/** The plain text, unless the HTML has the real content. Other forms, such as a calendar's, count only when alone. */
function chooseAlternative(texts: readonly Words[]): Words {
  const plain = texts.find(({ isHtml }) => !isHtml);
  const html = texts.findLast(({ isHtml }) => isHtml);
  if (!plain || !html) return html ?? plain ?? none;
  return isStub(plain.text, html.text) ? html : plain;
}

/** The parts one after another. Some programs send both forms of a text as two separate parts: then one is left out. */
function joinWords(texts: readonly Words[]): Words {
  const kept: Words[] = [];
  for (const words of texts) if (!kept.some((other) => hasSameWords(other, words))) kept.push(words);
  return { text: kept.map(({ text }) => text).join('\n\n'), isHtml: kept.some(({ isHtml }) => isHtml) };
}

function hasSameWords(one: Words, other: Words): boolean {
  return one.isHtml !== other.isHtml && listWords(one.text).join(' ') === listWords(other.text).join(' ');
}

/** Whether a plain text is only a stub for the HTML: it is short and different, or much shorter. */
function isStub(plain: string, html: string): boolean {
  const [said, shown] = [listWords(plain), listWords(html)];
  if (shown.length === 0) return false;
  if (shown.length >= muchMore * said.length + footer) return true;
  const known = new Set(shown);
  const shared = said.filter((word) => known.has(word)).length;
  return said.length <= longestStub && shared * 2 < said.length && shown.length * 2 >= said.length;
}

/** Words in lower case, without addresses; in scripts without spaces each character is a word. */
function listWords(text: string): string[] {
  const plain = text
    .slice(0, compared)
    .replaceAll(/https?:\/\/\S+/gi, ' ')
    .toLowerCase();
  return plain.match(/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}]|[\p{L}\p{N}]+/gu) ?? [];
}
