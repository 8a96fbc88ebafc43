// Forms of our own pages carry the second secret of the session. The server never writes it into HTML: this script
// fills it in.
import { proofField, type RestEnvironment } from '#faces/rest';
import { Hono } from 'hono';
import { html, raw } from 'hono/html';

const path = '/fill-session-proof.js';
/** The same name as in the console, which keeps it: console/src/api/session-proof.ts. */
const storageKey = 'thalamus_session_proof';

const script = `let proof = null;
try {
  proof = localStorage.getItem('${storageKey}');
} catch {} // a browser may refuse storage; the form then leads to the sign-in page
for (const field of document.querySelectorAll('input[name="${proofField}"]')) field.value = proof ?? '';
`;

/** The field of a form, and the script that fills it in. */
export const proofInput = raw(
  `<input type="hidden" name="${proofField}" value="" autocomplete="off" /><script src="${path}" defer></script>`,
);

/** For a form that is accepted only from a signed-in person. */
export const scriptNote = html`<noscript
  ><p class="note bad">Turn on JavaScript for this page: without it the form cannot show that it is yours.</p></noscript
>`;

/** The script that fills in the proof. */
export function createProofScriptRoutes(): Hono<RestEnvironment> {
  const app = new Hono<RestEnvironment>();
  app.get(path, (c) => {
    c.header('content-type', 'text/javascript; charset=utf-8');
    c.header('cache-control', 'no-cache');
    return c.body(script);
  });
  return app;
}
