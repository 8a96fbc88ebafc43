// Parses untrusted texts: quotations, links, and header lines.

const beginsQuotation = [
  /^-{2,}\s*(?:original message|ursprüngliche nachricht|message d'origine|mensaje original)\s*-{2,}$/i,
  /^(?:on|am|le|el|il|op|em)\s.{5,200}(?<!\p{L})(?:wrote|schrieb|écrit|escribió|scritto|schreef|escreveu)(?!\p{L}).{0,80}:$/iu,
];
/** From this many lines on, a quotation is collapsed. Shorter ones are the context of the reply. */
const leastQuoted = 3;

export type TextPart = { isQuoted: boolean; text: string };

/** A text in parts: the author's words, and quoted messages. */
export function foldQuotes(text: string): TextPart[] {
  const parts: TextPart[] = [];
  const add = (isQuoted: boolean, lines: readonly string[]) => {
    const joined = lines.join('\n');
    if (joined.trim()) parts.push({ isQuoted, text: isQuoted ? joined.trim() : joined });
  };
  const lines = text.split('\n');
  let own: string[] = [];
  for (let at = 0; at < lines.length;) {
    const end = endOfQuotation(lines, at);
    if (end > at) {
      add(false, own);
      add(true, lines.slice(at, end));
      own = [];
      at = end;
    } else {
      own.push(lines[at] ?? '');
      at += 1;
    }
  }
  add(false, own);
  return parts;
}

/** The line after a quotation that begins here, or the same line if none does. */
function endOfQuotation(lines: readonly string[], at: number): number {
  const line = (lines[at] ?? '').trim();
  const begins = beginsQuotation.some((beginning) => beginning.test(line));
  let end = begins ? at + 1 : at;
  while (end < lines.length && /^\s*>/.test(lines[end] ?? '')) end += 1;
  const quoted = end - at;
  if (!begins) return quoted >= leastQuoted ? end : at;
  // An unmarked quotation ends with the text.
  return quoted > 1 ? end : lines.length;
}

const address = /https?:\/\/[^\s<>"'`\])}]+/g;

/** A text in parts: plain ones, and addresses on the web, whose `href` is as the browser understands it. */
export function splitLinks(text: string): { text: string; href: string | null }[] {
  const parts: { text: string; href: string | null }[] = [];
  let at = 0;
  for (const match of text.matchAll(address)) {
    const found = match[0].replace(/[.,;:!?*_]+$/, '');
    if (!URL.canParse(found)) continue;
    parts.push({ text: text.slice(at, match.index), href: null });
    parts.push({ text: found, href: new URL(found).href });
    at = match.index + found.length;
  }
  parts.push({ text: text.slice(at), href: null });
  return parts.filter(({ text: words }) => words !== '');
}

/** The lines `Name: value` that stand above a text, each name once, and the text below them. */
export function splitHeadLines(
  body: string,
  names: readonly string[],
): { head: ReadonlyMap<string, string>; rest: string } {
  const head = new Map<string, string>();
  const lines = body.split('\n');
  let at = 0;
  for (; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    if (!line.trim()) continue;
    const [, name = '', value = ''] = /^([A-Z][a-z]+): (.*)$/.exec(line) ?? [];
    if (!names.includes(name) || head.has(name)) break;
    head.set(name, value);
  }
  return { head, rest: lines.slice(at).join('\n').trim() };
}
