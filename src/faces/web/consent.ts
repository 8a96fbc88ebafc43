// The pages on which a person allows or declines a client: after a browser was sent here, or with the code of another
// device.
import { AppError } from '#kernel/errors';
import {
  findFormCaller,
  getOwnCookie,
  refuseForeignOrigin,
  sessionCookie,
  findRequestViewer,
  type RestEnvironment,
} from '#faces/rest';
import { cookieNames, routes, type ConnectRequest, type RequestKey } from '#modules/oauth-server';
import { now } from '#platform/clock';
import { createHash } from 'node:crypto';
import { Hono, type Context } from 'hono';
import { getCookie } from 'hono/cookie';
import { html } from 'hono/html';
import { parseConsentChoice, renderConsentForm } from './consent-form.ts';
import { readPageForm } from './page-form.ts';
import { sendPage } from './page.ts';
import { showErrorsAsPage } from './set-variables.ts';
import type { WebDeps } from './web-deps.ts';

type WebContext = Context<RestEnvironment>;
/** A page for one request: its own address, and the request that it answers. */
type ConsentPage = { path: string; key: RequestKey };
/** Why nothing was decided yet. */
type Problem = { message: string; status: number };

const otherSession =
  'Nothing was decided: this form had no proof of your session. Check it again. If that does not help, sign out in the console and sign in again.';

/** The pages of a consent. */
export function createConsentRoutes(web: WebDeps): Hono<RestEnvironment> {
  const app = new Hono<RestEnvironment>();
  const consent = `${routes.consent}/:uid` as const;
  app.get(consent, (c) => showErrorsAsPage(c, () => show(c, web, findInteractionPlace(c))));
  app.post(consent, (c) => showErrorsAsPage(c, () => submit(c, web, findInteractionPlace(c))));
  app.get(routes.device, (c) =>
    showErrorsAsPage(c, () => {
      const userCode = c.req.query('user_code');
      return userCode ? show(c, web, getDevicePlace(userCode)) : askForCode(c, web);
    }),
  );
  app.post(routes.device, (c) =>
    showErrorsAsPage(c, async () => submit(c, web, getDevicePlace(String((await readPageForm(c))['user_code'] ?? '')))),
  );
  return app;
}

/** The request of this browser: only the browser that was sent here has its cookie. */
function findInteractionPlace(c: Context): ConsentPage {
  const uid = c.req.param('uid') ?? '';
  if (getCookie(c, cookieNames.interaction) !== uid) throw createRequestGoneError();
  return { path: `${routes.consent}/${uid}`, key: { interaction: uid } };
}

function getDevicePlace(userCode: string): ConsentPage {
  return { path: `${routes.device}?user_code=${encodeURIComponent(userCode)}`, key: { userCode } };
}

async function show(c: WebContext, web: WebDeps, place: ConsentPage, problem?: Problem): Promise<Response> {
  const { oauthServer, toolsets } = web;
  const request = await oauthServer.read(place.key);
  if (!request) throw createRequestGoneError();
  const viewer = await findRequestViewer(c, web.findViewer);
  if (!viewer) return askToSignIn(c, place, request);
  const person = viewer.session; // the page shows what they may allow; allowing it needs the proof of the session
  const offer = await oauthServer.offer(person, request);
  const userCode = 'userCode' in place.key ? place.key.userCode : null;
  const proof = `/prove?back=${encodeURIComponent(place.path)}`;
  const form = { action: place.path.split('?')[0] ?? '', csrf: computeCsrf(c, place.path), userCode, proof };
  const body = renderConsentForm({ request, offer, toolsets, person: person.label, form, problem: problem?.message });
  return sendPage(c, {
    title: `Connect ${request.clientName}?`,
    body,
    status: problem?.status ?? 200,
    fillsProof: true,
  });
}

async function submit(c: WebContext, web: WebDeps, place: ConsentPage): Promise<Response> {
  refuseForeignOrigin(c);
  const form = await readPageForm(c);
  const person = await findFormCaller(c, web.authenticate, form);
  if (!person) return show(c, web, place, { message: otherSession, status: 401 });
  if (form['csrf'] !== computeCsrf(c, place.path)) return show(c, web, place);
  if (form['answer'] !== 'allow') return renderContinuePage(c, await web.oauthServer.decline(place.key), 'Declined');
  try {
    const given = {
      choice: parseConsentChoice(form, { toolsets: web.toolsets, now: now() }),
      seen: String(form['description']),
      requestId: c.get('requestId'),
    };
    return renderContinuePage(c, await web.oauthServer.allow(place.key, person, given), 'Connected');
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.details['reason'] === 'description_changed')
      return show(c, web, place, { message: error.message, status: 409 });
    if (error.code === 'invalid_input' || error.details['reason'] === 'proof_needed')
      return show(c, web, place, { message: error.message, status: 422 });
    throw error;
  }
}

/** A page of another origin cannot know it: computing it needs the session cookie, which no page can read. */
function computeCsrf(c: Context, path: string): string {
  return createHash('sha256')
    .update(`${getOwnCookie(c, sessionCookie)} ${path}`)
    .digest('hex');
}

/** An intermediate page, because a form answered by a redirect may not leave this server. */
function renderContinuePage(c: Context, address: string | null, title: string) {
  if (address === null)
    return sendPage(c, { title, body: html`<p>Go back to your other device. You can close this page.</p>` });
  const body = html`<p>You are sent back to the client.</p>
    <a class="button" href="${address}">Go on</a>`;
  return sendPage(c, { title, body, goTo: address });
}

function askToSignIn(c: Context, { path }: ConsentPage, { clientName }: ConnectRequest) {
  const body = html`<p>
      <strong>${clientName}</strong> asks to be connected to your workspace. Sign in, and come back to this page.
    </p>
    <a class="button" href="/sign-in?back=${encodeURIComponent(path)}">Sign in</a>
    <p class="small">Signed in by a link in a mail? Open this page again.</p>`;
  return sendPage(c, { title: 'Sign in first', body, status: 401 });
}

async function askForCode(c: WebContext, web: WebDeps): Promise<Response> {
  const isSignedIn = (await findRequestViewer(c, web.findViewer)) !== null;
  const body = html`<p>Your other device shows a code. Type it here, only if you started this yourself.</p>
    <form method="get" action="${routes.device}" autocomplete="off">
      <label for="user_code">Code</label>
      <input id="user_code" name="user_code" required maxlength="20" autocapitalize="characters" spellcheck="false" />
      <button>${isSignedIn ? 'Continue' : 'Continue to sign in'}</button>
    </form>`;
  return sendPage(c, { title: 'Connect a device', body });
}

function createRequestGoneError(): AppError {
  return new AppError(
    'not_found',
    'This request has expired, was answered, or began in another browser. Start again in the client.',
  );
}
