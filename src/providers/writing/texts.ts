// Text in the forms that providers and people read.

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\n': '<br>' };

/** Text for a provider that expects HTML: everything is escaped, and line breaks are kept. */
export function escapeHtml(value: string): string {
  return value.replaceAll(/\r\n?/g, '\n').replaceAll(/[&<>\n]/g, (sign) => escapes[sign] ?? sign);
}

/** The longest paragraph that providers with blocks accept. */
export const longestPart = 2_000;

/** Paragraphs, with long ones cut after a word. */
export function splitParagraphs(value = ''): string[] {
  return value.split(/\n{2,}/).flatMap((paragraph) => {
    const pieces: string[] = [];
    let rest = paragraph;
    while (rest.length > longestPart) {
      const space = rest.lastIndexOf(' ', longestPart);
      const end = space > 0 ? space : longestPart - (isHalf(rest.charCodeAt(longestPart - 1)) ? 1 : 0);
      pieces.push(rest.slice(0, end));
      rest = rest.slice(end).trimStart();
    }
    return rest === '' ? pieces : [...pieces, rest];
  });
}

/** The first half of a character that is written as two code units. */
function isHalf(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

/** A list in a title: the first two entries, and how many more there are. */
export function formatFew(list: readonly unknown[]): string {
  return list.length <= 3 ? list.join(', ') : `${list.slice(0, 2).join(', ')} and ${list.length - 2} more`;
}

/** A list in one line. An entry with a comma is quoted, so that it does not look like two. */
export function formatList(entries: readonly unknown[]): string {
  const hasComma = entries.some((each) => String(each).includes(','));
  return entries.map((each) => (hasComma ? JSON.stringify(each) : String(each))).join(', ');
}

/** A text with its values; undefined when a value is empty. For facts that not every provider returns. */
export function writeIfKnown(strings: TemplateStringsArray, ...parts: readonly unknown[]): string | undefined {
  const texts = parts.map((part) => (part === undefined || part === null ? '' : String(part)));
  if (texts.includes('')) return undefined;
  return strings.map((literal, place) => `${literal}${texts[place] ?? ''}`).join('');
}

/** A moment or a whole day in UTC, to the second; of `day` and `moment` the other one is null. */
export function parseTime(value: string): { day: string | null; moment: string | null; utc: string; isDay: boolean } {
  const utc = new Date(value).toISOString().slice(0, 19);
  return isDay(value)
    ? { day: value, moment: null, utc, isDay: true }
    : { day: null, moment: `${utc}Z`, utc, isDay: false };
}

/** Whether a time is a whole day, such as 2026-06-01. */
export function isDay(value: string): boolean {
  return value.length === '2026-06-01'.length;
}
