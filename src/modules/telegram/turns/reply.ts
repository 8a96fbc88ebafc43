// Replies to a phone, and how they are split into messages of Telegram's size.
import type { Part } from '#modules/actions';

export { quote, createTextPart } from '#modules/actions';

/** The whole reply to one message. */
export type Reply = readonly Part[];

/** Telegram counts UTF-16 code units, without its formatting marks. */
const longest = 4096;

/** The messages of a reply as Telegram's HTML, none longer than it allows. https://core.telegram.org/bots/api#html-style */
export function formatMessages(reply: Reply): string[] {
  const messages: string[] = [];
  let html = '';
  let length = 0;
  const close = () => {
    if (html) messages.push(html);
    [html, length] = ['', 0];
  };
  for (const part of reply) {
    for (const piece of splitText(part.text.replaceAll('\u0000', '').trim())) {
      if (length + piece.length + 1 > longest) close();
      html += `${html ? '\n' : ''}${markUp({ ...part, text: piece })}`;
      length += piece.length + 1;
    }
  }
  close();
  return messages;
}

function markUp({ kind, text }: Part): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return kind === 'quote' ? `<blockquote>${escaped}</blockquote>` : escaped;
}

/** A text in pieces that fit, cut at a line, else at a word or a character. */
function splitText(text: string): string[] {
  const found: string[] = [];
  let rest = text;
  while (rest.length >= longest) {
    const cut = findCut(rest);
    found.push(rest.slice(0, cut).trimEnd());
    rest = rest.slice(cut).trimStart();
  }
  if (rest) found.push(rest);
  return found.filter(Boolean);
}

function findCut(text: string): number {
  const most = longest - 1;
  for (const end of ['\n', ' ']) {
    const at = text.lastIndexOf(end, most);
    if (at > longest / 2) return at;
  }
  const isInPair = /[\uD800-\uDBFF]/.test(text[most - 1] ?? '');
  return isInPair ? most - 1 : most;
}
