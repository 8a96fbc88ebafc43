// Slack's markup as people read it. https://docs.slack.dev/messaging/formatting-message-text

const mark = /<([@#!]?)([^<>|\n]+)(?:\|([^<>\n]*))?>/g;

/** Links, mentions and escapes become plain text. `names` are those of people, by id; who is not in it keeps the id. */
export function textOfSlack(text: string, names: Readonly<Record<string, unknown>>): string {
  return text
    .replaceAll(mark, (_whole, sign: string, target: string, label = '') => said(sign, target, label, names))
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}

function said(sign: string, target: string, label: string, names: Readonly<Record<string, unknown>>): string {
  if (sign === '@') return `@${label || nameIn(names, target) || target}`;
  if (sign === '#') return `#${label || target}`;
  // <!here>, or something with a fallback to read: <!date^…|tomorrow>, <!subteam^S1|@designers>.
  if (sign === '!') return label || `@${target.split('^')[0]}`;
  const isSaidTwice = !label || target === label || target === `mailto:${label}` || target.endsWith(`//${label}`);
  return isSaidTwice ? label || target : `${label} (${target})`;
}

function nameIn(names: Readonly<Record<string, unknown>>, id: string): string {
  const name = Object.hasOwn(names, id) ? names[id] : undefined;
  return typeof name === 'string' ? name : '';
}
