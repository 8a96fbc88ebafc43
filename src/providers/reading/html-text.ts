import { readWordsOfHtml } from '#platform/extraction';

/** Replaces HTML that takes too long or too much memory to read. */
const unreadable = '(This HTML could not be read. Open it at its source.)';

/**
 * The visible text of HTML. Nothing is loaded: images, styles, scripts and hidden parts are left out. Text without
 * markup is returned as it is.
 */
export async function readHtmlText(html: string): Promise<string> {
  if (/^[\w.,:;!?'"()/-]*( [\w.,:;!?'"()/-]+)*$/.test(html)) return html;
  return (await readWordsOfHtml(html)) ?? unreadable;
}
