/** Lines with which mail programs introduce the quoted message; everything after them repeats it. */
const beginnings: readonly RegExp[] = [
  /^-{2,}\s*(?:original message|ursprüngliche nachricht|message d'origine|mensaje original)\s*-{2,}$/i,
  /^_{20,}$/,
];
const whoWrote =
  /^(?:on|am|le|el|il|op|em)\s.{5,200}(?<!\p{L})(?:wrote|schrieb|écrit|escribió|scritto|schreef|escreveu)(?!\p{L}).{0,80}:$/iu;
/** A forwarded text is nowhere else in the thread, so it stays. */
const forwarded =
  /^-{2,}\s*(?:forwarded message|weitergeleitete nachricht|message transféré|mensaje reenviado)\s*-{2,}$/im;
const timeOrAddress = /\d{1,2}:\d{2}|\S@\S/;
const outlookHeader = /^\*?(?:from|von|de|da)\*?:\s.+$/i;
const outlookNext = /^\*?(?:sent|gesendet|envoyé|enviado|inviato|date|datum|to|an|à)\*?:\s/i;

/**
 * A reply without the quoted message at its end, which the thread already contains. Quotes that replies are written
 * between stay. Text that is only a quotation stays whole.
 */
export function cutQuotedHistory(text: string): string {
  if (forwarded.test(text)) return text;
  const lines = text.split('\n');
  const lastQuote = lines.findLastIndex((line) => line.startsWith('>'));
  const lastWords = lines.findLastIndex((line) => line.trim() !== '');
  // After «… wrote:» only quotes may follow; otherwise it is a reply between quoted lines.
  const isQuotedToTheEnd = (position: number) => lastQuote <= position || lastWords <= lastQuote;
  const at = lines.findIndex((_line, position) => isQuotedToTheEnd(position) && isBeginning(lines, position));
  const kept = cutTrailingQuotes(at < 0 ? lines : lines.slice(0, at))
    .join('\n')
    .trimEnd();
  return kept.trim() ? kept : text;
}

function isBeginning(lines: readonly string[], position: number): boolean {
  const line = (lines[position] ?? '').trim();
  const next = (lines[position + 1] ?? '').trim();
  if (outlookHeader.test(line)) return outlookNext.test(next);
  if (beginnings.some((beginning) => beginning.test(line))) return true;
  // «On … wrote:» may be wrapped. Without a time or an address it is an ordinary sentence.
  return [line, `${line} ${next}`].some((text) => whoWrote.test(text) && timeOrAddress.test(text));
}

function cutTrailingQuotes(lines: readonly string[]): readonly string[] {
  const last = lines.findLastIndex((line) => line.trim() !== '' && !line.startsWith('>'));
  return lines.slice(0, last + 1);
}
