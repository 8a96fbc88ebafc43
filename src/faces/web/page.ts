// Pages that the server itself renders, for people without a console.
import { createHash } from 'node:crypto';
import type { Context } from 'hono';
import { html, raw } from 'hono/html';
import type { ContentfulStatusCode } from 'hono/utils/http-status';

/** A piece of HTML in which every value was escaped. */
export type Markup = ReturnType<typeof html>;

const style = `
:root{color-scheme:light dark;--canvas:light-dark(#f6f8f7,#0b0e0d);--surface:light-dark(#fff,#111514);--line:light-dark(#e1e7e4,#222a27);
--edge:light-dark(#8a9992,#5c6b65);--ink:light-dark(#101b17,#e8efec);--soft:light-dark(#46544e,#a9b6b0);--go:light-dark(#0a7257,#2fbf94);--go-ink:light-dark(#fff,#04140f);
--wait:light-dark(#8a5300,#f0b356);--wait-wash:light-dark(#fdf2dd,#2c2110);--stop:light-dark(#b3261e,#ff8a80);--stop-wash:light-dark(#fdecea,#331614);--go-wash:light-dark(#e3f4ee,#0f2a22);--go-text:light-dark(#0a7257,#43d3a8)}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;background:var(--canvas);color:var(--ink);font:16px/1.5 -apple-system,'Segoe UI',Inter,Roboto,'Noto Sans',sans-serif;padding:32px 16px 48px}
main{max-width:34rem;margin:0 auto;background:var(--surface);border:1px solid var(--line);border-radius:14px;padding:28px}
h1{font-size:1.375rem;line-height:1.25;margin:0 0 8px;overflow-wrap:anywhere}
h2{font-size:1rem;margin:24px 0 4px}
p{margin:0 0 12px;color:var(--soft)}
a{color:inherit;text-underline-offset:4px}
.brand{font-weight:600;margin:0 auto 16px;max-width:34rem;color:var(--soft)}
.note{border-radius:10px;padding:12px 14px;margin:0 0 16px;background:var(--wait-wash);color:var(--wait)}
.bad{background:var(--stop-wash);color:var(--stop)}.good{background:var(--go-wash);color:var(--go-text)}
label,legend{display:block;font-weight:600;margin:18px 0 4px;padding:0}
.about{display:block;font-weight:400;color:var(--soft);font-size:.9375rem;overflow-wrap:anywhere}
input,textarea,select{width:100%;font:inherit;color:inherit;background:var(--canvas);border:1px solid var(--edge);border-radius:9px;padding:11px 12px;min-height:44px}
textarea{min-height:84px}
fieldset{border:0;margin:22px 0 0;padding:0}
.second{background:none;color:var(--ink);border:1px solid var(--edge);margin-top:10px}
.tick{display:flex;gap:12px;align-items:flex-start;font-weight:400;margin:0;padding:8px 0}
.ticks{display:grid;grid-template-columns:repeat(auto-fit,minmax(14rem,1fr));column-gap:16px}
details{margin-top:18px}summary{cursor:pointer;font-weight:600}
.tick input{width:20px;height:20px;min-height:0;margin:2px 0 0;flex:none}
button,.button{display:inline-block;font:inherit;font-weight:600;min-height:46px;padding:11px 20px;margin-top:22px;border:0;border-radius:9px;background:var(--go);color:var(--go-ink);text-decoration:none;cursor:pointer}
:focus-visible{outline:3px solid var(--go);outline-offset:2px}
code,li{overflow-wrap:anywhere}code{font:.875rem ui-monospace,Menlo,Consolas,monospace}
ul{margin:4px 0 12px;padding-left:20px;color:var(--soft)}
.small{font-size:.875rem;margin:18px 0 0}
@media(max-width:480px){main{padding:20px}}
`;
/** Written as one piece: the hash covers its exact characters, and a formatter would add spaces. */
const styleElement = raw(`<style>${style}</style>`);
const styleHash = createHash('sha256').update(style).digest('base64');

/** The page loads nothing and runs nothing, and its forms go only to this server. */
const policy = [
  "default-src 'none'",
  `style-src 'sha256-${styleHash}'`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

type Page = {
  title: string;
  body: Markup;
  status?: number;
  goTo?: string;
  /** Whether its form carries the proof of the session, which our own script fills in. */
  fillsProof?: boolean;
};

/** Sends a page. `goTo` redirects at once; the page also has a link to the address. */
export function sendPage(c: Context, { title, body, status = 200, goTo, fillsProof = false }: Page) {
  c.header('content-security-policy', fillsProof ? `${policy}; script-src 'self'` : policy);
  c.header('cache-control', 'no-store');
  const onward = goTo === undefined ? '' : html`<meta http-equiv="refresh" content="0;url=${goTo}" />`;
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <meta name="referrer" content="same-origin" />
        ${onward}
        <title>${title} · Thalamus</title>
        ${styleElement}
      </head>
      <body>
        <header class="brand">Thalamus</header>
        <main>
          <h1>${title}</h1>
          ${body}
        </main>
      </body>
    </html>`;
  return c.html(page, status as ContentfulStatusCode); // from the closed set of codes
}
