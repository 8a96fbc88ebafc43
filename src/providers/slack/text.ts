// Slack's markup as people read it. https://docs.slack.dev/messaging/formatting-message-text

const mark = /<([@#!]?)([^<>|\n]+)(?:\|([^<>\n]*))?>/g;

/** People's names, by id. */
export type Names = Readonly<Record<string, unknown>>;

/** Links, mentions and escapes become plain text. A person who is not in `names` is shown by id. */
export function readSlackText(text: string, names: Names): string {
  return text
    .replaceAll(mark, (_whole, sign: string, target: string, label = '') => writeReference(sign, target, label, names))
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}

/** A link or, by its sign, a mention (`@`), a channel (`#`) or a special mention (`!`), as people read it. */
export function writeReference(sign: string, target: string, label: string, names: Names): string {
  if (sign === '@') return `@${label || findName(names, target) || target}`;
  if (sign === '#') return `#${label || target}`;
  // <!here>, or an element with a readable fallback: <!date^…|tomorrow>, <!subteam^S1|@designers>.
  if (sign === '!') return label || `@${target.split('^')[0]}`;
  const isSaidTwice = !label || target === label || target === `mailto:${label}` || target.endsWith(`//${label}`);
  return isSaidTwice ? label || target : `${label} (${target})`;
}

function findName(names: Names, id: string): string {
  const name = Object.hasOwn(names, id) ? names[id] : undefined;
  return typeof name === 'string' ? name : '';
}
