// Converts Markdown to Slack's own markup, where the two clearly differ.
// https://docs.slack.dev/messaging/formatting-message-text
import { Lexer, type Token, type Tokens } from 'marked';

/** A longer paragraph is not converted: the parser's time can grow with the square of its length. */
const longestParagraph = 5_000;
const fence = /^\s{0,3}(?:```|~~~)/;
const heading = /^ {0,3}#{1,6} +(?=\S)/;
const linkable = /^(?:https?:\/\/|mailto:)/i;

/**
 * Converts `**bold**`, `[a](https://b)`, strike-through, images and `# headings`. Markup that Slack has, too, such as
 * `*bold*`, `_italic_`, code, quotes and `<https://…|links>`, stays. Converting twice changes nothing more.
 */
export function convertMarkdown(text: string): string {
  const parts: string[] = [];
  let paragraph: string[] = [];
  let isCode = false;
  const flush = () => {
    if (paragraph.length) parts.push(convertParagraph(paragraph.join('\n')));
    paragraph = [];
  };
  for (const line of text.split('\n')) {
    const isFence = fence.test(line);
    const isOnItsOwn = isFence || isCode || line.trim() === '' || heading.test(line);
    if (isOnItsOwn) flush();
    if (isFence) isCode = !isCode;
    if (!isOnItsOwn) paragraph.push(line);
    else parts.push(!isFence && !isCode && heading.test(line) ? convertHeading(line) : line);
  }
  flush();
  return parts.join('\n');
}

/** Slack has no headings: they become bold lines. */
function convertHeading(line: string): string {
  const words = line.replace(heading, '').trimEnd().replace(/ #+$/, '');
  return `*${convertParagraph(words).replaceAll('*', '').trim()}*`;
}

function convertParagraph(paragraph: string): string {
  return paragraph.length > longestParagraph ? paragraph : writeTokens(Lexer.lexInline(paragraph));
}

function writeTokens(tokens: readonly Token[]): string {
  return tokens.map(writeToken).join('');
}

function writeToken(token: Token): string {
  const { raw } = token;
  if (token.type === 'strong' && raw.startsWith('**')) return `*${writeTokens((token as Tokens.Strong).tokens)}*`;
  if (token.type === 'del') return `~${writeTokens((token as Tokens.Del).tokens)}~`;
  if (token.type === 'em') return writeEmphasis(token as Tokens.Em);
  if (token.type === 'link' && raw.startsWith('[')) return writeLink(token as Tokens.Link);
  if (token.type === 'image') return writeLink(token as Tokens.Image);
  return raw;
}

/** Bold inside `*…*` would end it, so the outer one becomes italic. */
function writeEmphasis({ raw, tokens }: Tokens.Em): string {
  const sign = raw.startsWith('*') && raw.includes('**') ? '_' : raw.charAt(0);
  return `${sign}${writeTokens(tokens)}${sign}`;
}

/** Slack links only absolute addresses. */
function writeLink({ raw, href, text, ...link }: Tokens.Link | Tokens.Image): string {
  if (!linkable.test(href)) return raw;
  const label = ('tokens' in link && link.tokens ? writeTokens(link.tokens) : text).replaceAll('\n', ' ').trim();
  const target = href.replaceAll('|', '%7C').replaceAll('>', '%3E').replaceAll('<', '%3C');
  return label ? `<${target}|${label.replaceAll('<', '&lt;').replaceAll('>', '&gt;')}>` : `<${target}>`;
}
