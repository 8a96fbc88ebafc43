// Cuts a text into passages of whole lines. Together the passages are the text; each has its line numbers.

export type Passage = {
  /** Its start and end in the text, without the line break after it. */
  from: number;
  to: number;
  /** Counted from 1, both included. */
  lineStart: number;
  lineEnd: number;
  /**
   * It begins in the middle of the line in which the previous passage ends, because that line is too long for one
   * passage.
   */
  continues: boolean;
};

/** A document of at most this many characters is one passage. */
const shortDocument = 4_000;
const usualLength = 1_000;
const longest = 1_800;

/** The passages of a text in order, and its number of lines. */
export function splitIntoPassages(text: string): { passages: Passage[]; lines: number } {
  const isShort = text.length <= shortDocument;
  const [usual, most] = isShort ? [shortDocument, shortDocument] : [usualLength, longest];
  const passages: Passage[] = [];
  let open: Passage | null = null;
  let line = 0;
  let wasBlank = false;
  const close = () => {
    if (open) passages.push(open);
    open = null;
  };
  for (let from = 0; from <= text.length; line += 1) {
    const end = text.indexOf('\n', from);
    const to = end < 0 ? text.length : end;
    const number = line + 1;
    const isBlank = isBlankBetween(text, from, to);
    const isHeading = text.charCodeAt(from) === 35; // Markdown's #
    const length: number = open ? (open as Passage).to - (open as Passage).from : 0;
    const isFull =
      (wasBlank && !isBlank && length >= usual) || (isHeading && length >= usual / 4) || length + to - from > most;
    if (open && isFull) close();
    if (to - from <= most) {
      if (open) Object.assign(open, { to, lineEnd: number });
      else open = { from, to, lineStart: number, lineEnd: number, continues: false };
    } else {
      for (const piece of splitLongLine(text, from, to, most)) {
        close();
        open = { ...piece, lineStart: number, lineEnd: number, continues: piece.from > from };
      }
    }
    wasBlank = isBlank;
    if (end < 0) break;
    from = end + 1;
  }
  close();
  return { passages, lines: passages.at(-1)?.lineEnd ?? 0 };
}

function isBlankBetween(text: string, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) {
    const code = text.charCodeAt(at);
    if (code !== 32 && code !== 9 && code !== 12 && code !== 160) return false;
  }
  return true;
}

/** Pieces of a long line that end after a sentence, or else after a word. */
function* splitLongLine(
  text: string,
  start: number,
  end: number,
  most: number,
): Generator<{ from: number; to: number }> {
  let from = start;
  while (end - from > most) {
    const piece = text.slice(from, from + most);
    const sentence = Math.max(
      ...['. ', '! ', '? ', '。', '; '].map((sign) => piece.lastIndexOf(sign) + sign.length - 1),
    );
    const cut = sentence > most / 2 ? sentence + 1 : piece.lastIndexOf(' ') + 1;
    const at = cut > most / 2 ? cut : most - Number(/[\ud800-\udbff]$/.test(piece));
    yield { from, to: from + at };
    from += at;
  }
  yield { from, to: end };
}
