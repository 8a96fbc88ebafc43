// The block that Slack makes of a text. https://docs.slack.dev/reference/block-kit/blocks/rich-text-block

const mark = /(<[^<>\n]+>)/;

/** A text in Slack's markup as a `rich_text` block: its words are no longer escaped, and links and mentions stand apart. */
export function buildRichText(text: string, ts: string) {
  const elements = text.split(mark).filter(Boolean).map(buildRichTextElement);
  const section = { type: 'rich_text_section', elements };
  return { type: 'rich_text', block_id: ts.slice(-5), elements: [section] };
}

function buildRichTextElement(part: string) {
  if (!mark.test(part)) return { type: 'text', text: unescape(part) };
  const [target = '', label] = part.slice(1, -1).split('|');
  if (target.startsWith('@')) return { type: 'user', user_id: target.slice(1) };
  if (target.startsWith('#')) return { type: 'channel', channel_id: target.slice(1) };
  if (target.startsWith('!')) return { type: 'broadcast', range: target.slice(1) };
  return { type: 'link', url: unescape(target), ...(label ? { text: unescape(label) } : {}) };
}

function unescape(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}
