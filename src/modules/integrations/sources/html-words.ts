import { convert, type HtmlToTextOptions } from 'html-to-text';

const longestHtml = 1_000_000;
/** The parser takes the square of how deep tags are nested. Mails have some thousand tags. */
const mostTags = 50_000;

/** Readers of the mail do not see these: hidden text could mislead a model. */
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
  '[hidden]',
  '[style*="display:none"]',
  '[style*="display: none"]',
  '[style*="visibility:hidden"]',
  '[style*="visibility: hidden"]',
  '[style*="font-size:0"]',
  '[style*="font-size: 0"]',
];

/**
 * A very long address only serves to track readers. A bracket within ends it; otherwise the search through a mail of
 * nothing but such beginnings would take quadratic time.
 */
const trackingLink = / ?\[https?:\/\/[^\s[\]]{200,}\]/g;

const options: HtmlToTextOptions = {
  wordwrap: false,
  limits: { maxInputLength: longestHtml, maxDepth: 200, ellipsis: '…' },
  selectors: [
    { selector: 'a', options: { hideLinkHrefIfSameAsText: true, noAnchorUrl: true } },
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
    { selector: 'table', options: { uppercaseHeaderCells: false } },
    ...unseen.map((selector) => ({ selector, format: 'skip' })),
  ],
};

/**
 * The words of HTML as a reader sees them. Nothing is loaded: images, styles, scripts and hidden parts are left out. Takes a second
 * for some HTML, so it is called in a thread of its own.
 */
export function wordsOfHtml(html: string): string {
  return convert(withoutLateTags(html), options)
    .replaceAll(/[\u00ad\u200b-\u200f\u2060\ufeff]/g, '')
    .replaceAll('\u00a0', ' ')
    .replaceAll(trackingLink, '')
    .split('\n')
    .map((line) => line.trimEnd()) // an expression would read every space of a run again
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}

function withoutLateTags(html: string): string {
  let at = -1;
  for (let tags = 0; tags <= mostTags; tags += 1) {
    at = html.indexOf('<', at + 1);
    if (at < 0) return html;
  }
  return html.slice(0, at);
}
