import type { Caller } from '#kernel/caller';
import { AppError } from '#kernel/errors';
import { ownClientProviders } from '#providers';
import { getPlayground, type Trial, type TrialResult } from '#modules/variables';
import { findFormCaller, findRequestViewer, type RestEnvironment } from '#faces/rest';
import { Hono, type Context } from 'hono';
import { html } from 'hono/html';
import { readPageForm } from './page-form.ts';
import { sendPage } from './page.ts';
import { proofInput, scriptNote } from './proof-script.ts';
import { showErrorsAsPage } from './set-variables.ts';
import type { WebDeps } from './web-deps.ts';

const path = '/oauth-playground';
const mostFormBytes = 100_000;

type PrefilledProvider = { provider: string; label: string; scopes: string[]; isPrefilled: boolean };
type Form = Record<string, unknown>;

/** The playground: a signed-in person tests their own OAuth client and stores its tokens without seeing them. */
export function createPlaygroundRoutes({ ground, authenticate, findViewer }: WebDeps): Hono<RestEnvironment> {
  const playground = getPlayground(ground);
  const app = new Hono<RestEnvironment>();
  const redirectUri = `${ground.config.publicUrl}${path}/callback`;

  /** Shows a page to a signed-in person; anybody else is sent to the sign-in page. */
  const forViewer = (c: Context<RestEnvironment>, run: (session: Caller) => Promise<Response> | Response) =>
    showErrorsAsPage(
      c,
      async () => {
        const viewer = await findRequestViewer(c, findViewer);
        return viewer ? run(viewer.session) : askToSignIn(c);
      },
      beginAgain,
    );

  /** Accepts a form with the proof of the person's session. */
  const forPerson = (c: Context<RestEnvironment>, run: (caller: Caller, form: Form) => Promise<Response> | Response) =>
    showErrorsAsPage(
      c,
      async () => {
        const form = await readPageForm(c, mostFormBytes);
        const caller = await findFormCaller(c, authenticate, form);
        return caller ? run(caller, form) : askToSignIn(c);
      },
      beginAgain,
    );

  app.get(path, (c) => forViewer(c, () => showForm(c, buildPrefill(c.req.query()), redirectUri)));

  app.post(path, (c) =>
    forPerson(c, async (caller, form) => {
      const trial = parseTrial(form);
      const { provider, label } = trial;
      try {
        const url = await playground.begin(caller, trial);
        const body = html`<a class="button" href="${url}" rel="noreferrer">Continue to ${label || 'the provider'}</a>`;
        return sendPage(c, { title: `On to ${label || 'the provider'}`, body, goTo: url });
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'invalid_input') throw error;
        const prefill = { provider, label, scopes: trial.scopes, isPrefilled: false };
        return showForm(c, prefill, redirectUri, error.message);
      }
    }),
  );

  app.get(`${path}/callback`, (c) =>
    forViewer(c, async (caller) => {
      const { code, state, error } = c.req.query();
      if (error || !code || !state) throw new AppError('conflict', 'Access was not granted.');
      return showResult(c, await playground.finish(caller, { code, state }), caller);
    }),
  );

  app.post(`${path}/save`, (c) =>
    forPerson(c, async (caller, form) => {
      const scope = toFieldText(form['var_scope']) === 'org' ? ('org' as const) : ('person' as const);
      const saving = { id: parseTrialId(form['id']), prefix: toFieldText(form['prefix']), scope };
      const names = await playground.save(caller, saving, c.get('requestId'));
      return showStored(c, names);
    }),
  );
  return app;
}

function parseTrial(form: Form): Trial {
  return {
    provider: toFieldText(form['provider']),
    label: toFieldText(form['label']),
    clientId: toFieldText(form['client_id']),
    clientSecret: toFieldText(form['client_secret']),
    scopes: [...toTextList(form['scope']), ...toFieldText(form['scopes']).split(/[\s,]+/)].filter(Boolean).slice(0, 60),
    authorizeUrl: toFieldText(form['authorize_url']),
    tokenUrl: toFieldText(form['token_url']),
  };
}

const backToVariables = html`<p class="small"><a href="/variables">Back to your variables</a></p>`;
const beginAgain = html`<a class="button" href="${path}">Begin again</a>${backToVariables}`;

function buildPrefill({ provider = '', label = '', scopes = '' }: Record<string, string>): PrefilledProvider {
  const cut = (text: string) => text.slice(0, 120);
  const listed = scopes.split(/[\s,]+/).filter(Boolean);
  // Choosing a provider on the page itself does not count as pre-filling.
  const isPrefilled = Boolean(label || listed.length);
  return {
    provider: cut(provider),
    label: cut(label),
    scopes: listed.slice(0, 60).map((each) => each.slice(0, 300)),
    isPrefilled,
  };
}

function toFieldText(value: unknown): string {
  return typeof value === 'string' ? value.trim().slice(0, 8_192) : '';
}

function toTextList(value: unknown): string[] {
  return (Array.isArray(value) ? value : [value]).filter((each) => typeof each === 'string');
}

function parseTrialId(value: unknown): string {
  const id = toFieldText(value);
  if (/^pr_[\w-]{43}$/.test(id)) return id;
  throw new AppError('invalid_input', 'This form is incomplete. Start again.');
}

function askToSignIn(c: Context) {
  const body = html`<p>The playground is for people who are signed in, so that what it stores is theirs.</p>
    <a class="button" href="/sign-in">Sign in</a>
    <p class="small">Then open this address again.</p>`;
  return sendPage(c, { title: 'Sign in first', body, status: 401 });
}

function showForm(c: Context, prefill: PrefilledProvider, redirectUri: string, error?: string) {
  const { provider, label, scopes, isPrefilled } = prefill;
  const known = ownClientProviders.find(({ name }) => name === provider.toLowerCase());
  const others = scopes.filter((scope) => !known?.scopes.some(({ id }) => id === scope));
  const body = html` ${error ? html`<p class="note bad" role="alert">${error}</p>` : ''}
    ${
      isPrefilled
        ? html`<p class="note">
            <strong>Pre-filled by your AI.</strong> Look at provider and scopes before you go on; the client id and
            secret are for you alone to fill in.
          </p>`
        : ''
    }
    <p>
      Get a refresh token from a provider with an OAuth client of your own, and store it as a variable that your tools
      use without seeing it. Nothing is shown, and nothing is kept that you do not store.
    </p>
    <form method="get" action="${path}">
      <label for="provider">Provider</label>
      <select id="provider" name="provider">
        ${ownClientProviders.map(
          ({ name, label: text }) =>
            html`<option value="${name}" ${known?.name === name ? 'selected' : ''}>${text}</option>`,
        )}
        <option value="other" ${known ? '' : 'selected'}>Another</option>
      </select>
      <input type="hidden" name="label" value="${label}" /><input
        type="hidden"
        name="scopes"
        value="${scopes.join(',')}"
      />
      <button class="second">Choose</button>
    </form>
    <form method="post" action="${path}" autocomplete="off">
      ${proofInput}${scriptNote}<input type="hidden" name="provider" value="${known?.name ?? provider}" />
      <label for="label">What it is for</label>
      <input id="label" name="label" value="${label}" maxlength="120" />
      ${known ? renderKnownAddresses(known) : renderAddressFields()}
      <p class="small">Enter this redirect address at the provider: <code>${redirectUri}</code></p>
      <label for="client_id">Client ID</label>
      <input id="client_id" name="client_id" required maxlength="2000" autocomplete="off" spellcheck="false" />
      <label for="client_secret">Client secret</label>
      <input id="client_secret" name="client_secret" type="password" required maxlength="2000" autocomplete="off" />
      ${known ? renderScopeTicks(known.scopes, scopes) : ''}
      <label for="scopes">${known ? 'Further scopes' : 'Scopes'}<span class="about">One on each line.</span></label>
      <textarea id="scopes" name="scopes" maxlength="8000" spellcheck="false">${others.join('\n')}</textarea>
      <button>Continue to consent</button>
    </form>
    ${known ? html`<p class="small">${known.note}</p>` : ''} ${backToVariables}`;
  return sendPage(c, { title: 'OAuth playground', body, status: error ? 422 : 200, fillsProof: true });
}

function renderKnownAddresses({ authorizeUrl, tokenUrl }: { authorizeUrl: string; tokenUrl: string }) {
  return html`<p class="small">Consent at <code>${authorizeUrl}</code>, tokens from <code>${tokenUrl}</code></p>`;
}

function renderAddressFields() {
  return html`<label for="authorize_url">Authorize URL</label>
    <input id="authorize_url" name="authorize_url" type="url" required maxlength="1000" />
    <label for="token_url">Token URL</label>
    <input id="token_url" name="token_url" type="url" required maxlength="1000" />`;
}

function renderScopeTicks(all: readonly { id: string; about: string }[], ticked: readonly string[]) {
  return html`<fieldset>
    <legend>Scopes</legend>
    ${all.map(
      ({ id, about }) =>
        html`<label class="tick"
          ><input type="checkbox" name="scope" value="${id}" ${ticked.includes(id) ? 'checked' : ''} /><span
            >${about}<span class="about"><code>${id}</code></span></span
          ></label
        >`,
    )}
  </fieldset>`;
}

function showStored(c: Context, names: readonly string[]) {
  const body = html`<p class="note good" role="status">Stored encrypted. Tools use these by their placeholders.</p>
    <ul>
      ${names.map((name) => html`<li><code>${name}</code></li>`)}
    </ul>
    ${backToVariables}`;
  return sendPage(c, { title: 'Stored', body });
}

function showResult(c: Context, { id, label, tokens, scopes, lasts }: TrialResult, { role }: Caller) {
  const prefix =
    label
      .toUpperCase()
      .replaceAll(/[^A-Z0-9]+/g, '_')
      .replaceAll(/^_|_$/g, '')
      .slice(0, 60) || 'MY';
  const body = html`<p class="note good" role="status">${label} gave access. The access token lasts ${lasts}.</p>
    <ul>
      ${tokens.map(({ name, masked }) => html`<li>${name}: <code>${masked}</code></li>`)}
    </ul>
    ${
      scopes.length
        ? html`<h2>Access that was given</h2>
            <ul>
              ${scopes.map((scope) => html`<li><code>${scope}</code></li>`)}
            </ul>`
        : ''
    }
    <p>Tokens are never shown. Store them as variables, and tools use them by their handles.</p>
    <form method="post" action="${path}/save">
      ${proofInput}<input type="hidden" name="id" value="${id}" />
      <label for="prefix"
        >Names begin with<span class="about">…_CLIENT_ID, …_CLIENT_SECRET, …_REFRESH_TOKEN</span></label
      >
      <input id="prefix" name="prefix" value="${prefix}" required maxlength="100" pattern="[A-Za-z0-9_]+" />
      <label for="var_scope">For</label>
      <select id="var_scope" name="var_scope">
        <option value="person">Me and my agents</option>
        ${role === 'member' ? '' : html`<option value="org">Everybody in the workspace</option>`}
      </select>
      <button>Store as variables</button>
    </form>`;
  return sendPage(c, { title: 'It works', body, fillsProof: true });
}
