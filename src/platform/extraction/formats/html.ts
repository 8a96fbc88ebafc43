import { convert, type HtmlToTextOptions } from 'html-to-text';

const longestHtml = 20_000_000;
/** The parser takes the square of how deep tags are nested. */
const mostTags = 400_000;
/** Readers of the page do not see these: hidden text could mislead a model. */
const unseen = [
  'script',
  'style',
  'head',
  'title',
  'template',
  'noscript',
  'object',
  'svg',
  'img',
  'iframe',
  '[hidden]',
  ...['display:none', 'display: none', 'visibility:hidden', 'visibility: hidden', 'font-size:0', 'font-size: 0'].map(
    (style) => `[style*="${style}"]`,
  ),
];

const options: HtmlToTextOptions = {
  wordwrap: false,
  limits: { maxInputLength: longestHtml, maxDepth: 200, ellipsis: '…' },
  selectors: [
    { selector: 'a', options: { ignoreHref: true } },
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
    { selector: 'table', options: { uppercaseHeaderCells: false } },
    ...unseen.map((selector) => ({ selector, format: 'skip' })),
  ],
};

/** The words of a page as a reader sees them. Nothing is loaded. */
export function textOfHtml(html: string): string {
  return convert(withoutLateTags(html), options)
    .replaceAll(/[\u00ad\u200b-\u200f\u2060\ufeff]/g, '')
    .replaceAll('\u00a0', ' ');
}

/** The title of a page. */
export function titleOfHtml(html: string): string | null {
  const title = /<title[^>]{0,200}>([^<]{1,500})<\/title>/i.exec(html.slice(0, 100_000))?.[1];
  return title === undefined ? null : textOfHtml(title).replaceAll(/\s+/g, ' ').trim() || null;
}

function withoutLateTags(html: string): string {
  let at = -1;
  for (let tags = 0; tags <= mostTags; tags += 1) {
    at = html.indexOf('<', at + 1);
    if (at < 0) return html;
  }
  return html.slice(0, at);
}
