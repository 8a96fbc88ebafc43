import { readWordsOfHtml } from '#platform/extraction';

/** Replaces HTML that took too long or too much memory. */
const unreadable = '(This HTML could not be read. Open it at its source.)';

/**
 * The words of HTML as a reader sees them. Nothing is loaded: images, styles, scripts and hidden parts are left out. Text without
 * markup needs no reader.
 */
export async function readHtmlText(html: string): Promise<string> {
  if (/^[\w.,:;!?'"()/-]*( [\w.,:;!?'"()/-]+)*$/.test(html)) return html;
  return (await readWordsOfHtml(html)) ?? unreadable;
}
