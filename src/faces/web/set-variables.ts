import { AppError, errorStatus } from '#kernel/errors';
import { isAtConsole, type Caller } from '#kernel/caller';
import type { Authenticate } from '#modules/accounts';
import { getLinkPages, type LinkPages, type LinkView } from '#modules/variables';
import { findFormCaller, getOwnCookie, formatRetryAfter, setOwnCookie, type RestEnvironment } from '#faces/rest';
import { Hono, type Context } from 'hono';
import { html } from 'hono/html';
import { readPageForm } from './page-form.ts';
import { sendPage, type Markup } from './page.ts';
import { proofInput } from './proof-script.ts';
import type { WebDeps } from './web-deps.ts';

const browserCookie = 'thalamus_consent';
const callbackPath = '/bundle-oauth-callback';
const maxBytes = 400_000;
const createValuesTooLargeError = 'That is longer than a value can be. Paste only the value.';

/** Who will be able to use the value. */
const forWhom: Record<LinkView['scope'], string> = {
  org: 'everybody in the workspace and their agents',
  brain: 'everybody on one brain and their agents',
  agent: 'one agent',
  permission_set: 'the agents of one permission set',
  person: 'one person and their agents',
};

type Options = { pages: LinkPages; authenticate: Authenticate };

/** The pages behind links: a person enters values there, and no page ever shows one. */
export function createSetVariablesRoutes({ ground, authenticate }: WebDeps): Hono<RestEnvironment> {
  const pages = getLinkPages(ground);
  const app = new Hono<RestEnvironment>();
  for (const path of ['/set-variable/:token', '/set-variables/:token'] as const) {
    app.get(path, (c) => showErrorsAsPage(c, async () => showForm(c, await pages.open(c.req.param('token')))));
    app.post(path, (c) => showErrorsAsPage(c, () => submit(c, c.req.param('token'), { pages, authenticate })));
  }

  app.get(callbackPath, (c) =>
    showErrorsAsPage(c, async () => {
      const { code, state, error } = c.req.query();
      if (error || !code || !state) throw createDeclinedError();
      const browser = getOwnCookie(c, browserCookie) ?? '';
      const { label, names } = await pages.finish({ code, state, browser }, c.get('requestId'));
      return showSaved(
        c,
        'Connected',
        `${label} is connected.`,
        names.map((name) => ({ name, notice: null })),
      );
    }),
  );
  return app;
}

async function submit(c: Context<RestEnvironment>, token: string, { pages, authenticate }: Options) {
  const view = await pages.open(token);
  const form = await readPageForm(c, maxBytes, createValuesTooLargeError);
  const text = (name: string) => (typeof form[name] === 'string' ? form[name] : '');
  const pasted = view.fields.map(({ name }) => [name, { value: text(`value:${name}`), hosts: text(`hosts:${name}`) }]);
  try {
    const by = { requestId: c.get('requestId'), signedIn: await findSignedInPerson(c, authenticate, form) };
    const submitted = await pages.submit(token, Object.fromEntries(pasted), by);
    if (submitted.state === 'saved')
      return showSaved(c, 'Saved', 'It is stored encrypted. Agents can use it without seeing it.', submitted.saved);
    const kept = { sameSite: 'Lax', path: callbackPath, lives: { seconds: 30 * 60 } } as const;
    setOwnCookie(c, browserCookie, { value: submitted.browser, ...kept });
    return showOnward(c, view.consent?.label ?? 'the provider', submitted.url);
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalid_input') return showForm(c, view, error.message);
    throw error;
  }
}

/**
 * The person whose session this browser has, with its proof, when it submits a page of this server. A link needs none.
 */
async function findSignedInPerson(
  c: Context<RestEnvironment>,
  authenticate: Authenticate,
  form: Record<string, unknown>,
): Promise<Caller | null> {
  const caller = await findFormCaller(c, authenticate, form).catch(() => null);
  return caller && isAtConsole(caller) ? caller : null;
}

function showForm(c: Context, view: LinkView, error?: string) {
  const { fields, askedBy, isMadeByAgent, scope, consent, expiresAt } = view;
  const minutes = Math.max(1, Math.ceil((expiresAt.getTime() - Date.now()) / 60_000));
  const title = fields.length === 1 && !consent ? `Set ${fields[0]?.name ?? view.label}` : `Set up ${view.label}`;
  const body = html` ${error ? html`<p class="note bad" role="alert">${error} Nothing was saved: fill in the values again.</p>` : ''}
    <p>
      <strong>${askedBy}</strong> asks for this, for ${forWhom[scope]}. Your value is encrypted at once. It is never
      shown again, neither here nor to an agent.
    </p>
    ${isMadeByAgent ? renderAgentNote(consent !== null) : ''}${consent ? renderConsentNote(consent) : ''}
    <form method="post" autocomplete="off">
      ${proofInput}${fields.map(renderField)}
      <button>${consent ? `Continue to ${consent.label}` : 'Save'}</button>
    </form>
    <p class="small">This page works once, for ${minutes} more ${minutes === 1 ? 'minute' : 'minutes'}.</p>`;
  return sendPage(c, { title, body, status: error ? 422 : 200, fillsProof: true });
}

/** An agent can open its own link, so without a session the sender of the form is unknown. */
function renderAgentNote(isConsent: boolean) {
  const otherwise = isConsent
    ? 'Otherwise no consent can be given here.'
    : 'Otherwise your value counts as one that the agent wrote: it is shown where a request with it is approved.';
  return html`<p class="note">
    An agent made this page. <a href="/sign-in" target="_blank" rel="noopener">Sign in to the console</a> in this
    browser first. ${otherwise}
  </p>`;
}

/** The author of the link chose its label, so the page also shows the hosts that really receive the value. */
function renderConsentNote({ label, hosts, scopes, derived, redirectUri }: NonNullable<LinkView['consent']>) {
  return html`<div class="note">
      After this form you go to ${label} at <strong>${hosts.authorize}</strong>, where you allow the access below. It is
      traded at <strong>${hosts.token}</strong>, which gets the client and its secret. The resulting tokens are stored
      as ${derived.join(', ')}.
    </div>
    <h2>Access that is asked for</h2>
    <ul>
      ${scopes.map((scope) => html`<li><code>${scope}</code></li>`)}
    </ul>
    <p>The OAuth client needs this redirect address: <code>${redirectUri}</code></p>`;
}

function renderField({
  name,
  label,
  description,
  inputType,
  hosts,
  placements,
  asksHosts,
}: LinkView['fields'][number]) {
  const about = description ? html`<span class="about">${description}</span>` : '';
  const named = label === name ? '' : html`<span class="about"><code>${name}</code></span>`;
  const where = (placements ?? ['header']).join(', ');
  return html`<label for="value:${name}">${label}${named}${about}</label>
    <input
      id="value:${name}"
      name="value:${name}"
      type="${inputType}"
      required
      maxlength="8192"
      autocomplete="off"
      autocapitalize="off"
      autocorrect="off"
      spellcheck="false"
    />
    ${
      asksHosts
        ? html`<label for="hosts:${name}"
              >Allowed hosts
              <span class="about">Host names, such as api.example.com. Empty: none yet. Sent in: ${where}.</span></label
            >
            <input
              id="hosts:${name}"
              name="hosts:${name}"
              type="text"
              value="${hosts.join(' ')}"
              maxlength="4000"
              autocapitalize="off"
              spellcheck="false"
            />`
        : html`<p class="small">Sent only to ${hosts.join(', ')}.</p>`
    }`;
}

function showSaved(
  c: Context,
  title: string,
  sentence: string,
  saved: readonly { name: string; notice: string | null }[],
) {
  const body = html`<p class="note good" role="status">${sentence}</p>
    <ul>
      ${saved.map(({ name, notice }) => html`<li><code>${name}</code>${notice ? html`: ${notice}` : ''}</li>`)}
    </ul>
    <p>You can close this page, and tell the agent that it is done.</p>`;
  return sendPage(c, { title, body });
}

/** An intermediate page, because a form answered by a redirect may not leave this server. */
function showOnward(c: Context, label: string, url: string) {
  const body = html`<p>Your values are kept encrypted until you come back.</p>
    <a class="button" href="${url}" rel="noreferrer">Continue to ${label}</a>`;
  return sendPage(c, { title: `On to ${label}`, body, goTo: url });
}

/** Runs a page. An error that people can fix becomes a page with the solution, with `next` below it. */
export async function showErrorsAsPage(
  c: Context,
  run: () => Promise<Response> | Response,
  next?: Markup,
): Promise<Response> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return showError(c, error, next);
  }
}

function showError(c: Context, error: AppError, next: Markup | '' = ''): Promise<Response> | Response {
  const body = html`<p class="note bad" role="alert">${error.message}</p>
    ${next}`;
  const retryAfter = formatRetryAfter(error);
  if (retryAfter !== undefined) c.header('retry-after', retryAfter);
  return sendPage(c, { title: 'That did not work', body, status: errorStatus[error.code] });
}

function createDeclinedError(): AppError {
  return new AppError(
    'conflict',
    'The access was not given, so nothing was saved. Open the link again to try once more.',
  );
}
