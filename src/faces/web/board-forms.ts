// The pages of board forms: people without an account add a row. They run no script, and show nothing of the board.
import { formatRetryAfter, type RestEnvironment } from '#faces/rest';
import { AppError, errorStatus } from '#kernel/errors';
import { FormClosed, getBoardForms, longestFreeText, type BoardForms, type FormView } from '#modules/boards';
import { generateSecret } from '#platform/one-time-secrets';
import { Hono, type Context } from 'hono';
import { html } from 'hono/html';
import { readPageForm, type PageForm } from './page-form.ts';
import { sendPage, type Markup } from './page.ts';
import type { WebDeps } from './web-deps.ts';

const mostBytes = 100_000;
const tooLarge = 'This is longer than a form can be. Write less, and send it again.';

type FormColumn = FormView['columns'][number];
type Texts = Readonly<Record<string, string>>;
type FormState = {
  /** What a browser sends again when it sends the same page twice. */
  nonce: string;
  texts?: Texts;
  error?: string;
  notice?: string;
};

/** `GET` and `POST /form/:token`. */
export function createBoardFormRoutes({ ground, execute, catalogue }: WebDeps): Hono<RestEnvironment> {
  const forms = getBoardForms(ground);
  const app = new Hono<RestEnvironment>();
  app.get('/form/:token', (c) =>
    showErrors(c, async () => {
      const view = await forms.open(c.req.param('token'));
      const isText = view.hasFreeText && c.req.query('fields') === undefined;
      return isText ? showTextPage(c, view) : showFieldsPage(c, view, { nonce: generateSecret() });
    }),
  );
  app.post('/form/:token', (c) =>
    showErrors(c, async () => {
      const token = c.req.param('token');
      const view = await forms.open(token);
      const form = await readPageForm(c, mostBytes, tooLarge);
      if (readField(form, 'step') === 'text') return sortPage(c, forms, token, view, form);
      const sent = readSentForm(view, form);
      try {
        return showThanks(c, await forms.send(token, sent, { execute, catalogue, requestId: c.get('requestId') }));
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'invalid_input') throw error;
        return showFieldsPage(c, view, { ...sent, error: error.message });
      }
    }),
  );
  return app;
}

async function sortPage(
  c: Context<RestEnvironment>,
  forms: BoardForms,
  token: string,
  view: FormView,
  form: PageForm,
): Promise<Response> {
  const text = readField(form, 'text').trim();
  const error = !text
    ? 'Write something first.'
    : text.length > longestFreeText
      ? `Write at most ${longestFreeText} characters.`
      : null;
  if (error) return showTextPage(c, view, { text, error });
  const { view: now, texts } = await forms.sort(token, text, c.get('requestId'));
  const notice = texts
    ? 'Is this right? Correct it, then send it.'
    : `Please fill in the fields yourself. You wrote: ${text}`;
  return showFieldsPage(c, now, { nonce: generateSecret(), texts: texts ?? {}, notice });
}

function readField(form: PageForm, name: string): string {
  const value = form[name];
  return typeof value === 'string' ? value : '';
}

/** The browser sends the fields by their place. */
function readSentForm({ columns }: FormView, form: PageForm): { nonce: string; texts: Texts } {
  const nonce = readField(form, 'nonce').slice(0, 100) || generateSecret();
  return { nonce, texts: Object.fromEntries(columns.map(({ name }, at) => [name, readField(form, `field${at}`)])) };
}

function showTextPage(c: Context, view: FormView, { text = '', error }: { text?: string; error?: string } = {}) {
  const body = html`${renderIntro(view, error)}
    <form method="post" action="?">
      <input type="hidden" name="step" value="text" />
      <label for="text"
        >In your own words<span class="about">Next you see how it was understood, and can correct it.</span></label
      >
      <textarea id="text" name="text" required maxlength="${longestFreeText}">${text}</textarea>
      <button>Continue</button>
    </form>
    <p class="small"><a href="?fields">Fill in the fields yourself</a></p>`;
  return sendPage(c, { title: view.title, body, status: error ? 422 : 200 });
}

function showFieldsPage(c: Context, view: FormView, { nonce, texts = {}, error, notice }: FormState) {
  const body = html`${renderIntro(view, error)} ${notice ? html`<p class="note" role="status">${notice}</p>` : ''}
    <form method="post" action="?" autocomplete="off">
      <input type="hidden" name="nonce" value="${nonce}" />
      ${view.columns.map((column, at) => renderField(column, `field${at}`, getText(texts, column.name)))}
      <button>Send</button>
    </form>
    <p class="small">Do not send passwords or card numbers through a form.</p>`;
  return sendPage(c, { title: view.title, body, status: error ? 422 : 200 });
}

/** A column may have the name of something that every object has. */
function getText(texts: Texts, name: string): string {
  return Object.hasOwn(texts, name) ? (texts[name] ?? '') : '';
}

function renderIntro({ intro }: FormView, error: string | undefined): Markup {
  return html`${error ? html`<p class="note bad" role="alert">${error}</p>` : ''}
  ${intro
    .split('\n')
    .filter(Boolean)
    .map((line) => html`<p>${line}</p>`)}`;
}

function renderField({ name, type }: FormColumn, field: string, text: string): Markup {
  const label = html`<label for="${field}">${name}</label>`;
  if (type === 'boolean')
    return html`${label}<select id="${field}" name="${field}">
        ${['', 'yes', 'no'].map((value) => html`<option value="${value}" ${text === value ? 'selected' : ''}>${value || '–'}</option>`)}
      </select>`;
  if (type === 'text')
    return html`${label}<textarea id="${field}" name="${field}" rows="1" maxlength="10000">${text}</textarea>`;
  if (type === 'number')
    return html`${label}<input id="${field}" name="${field}" inputmode="decimal" maxlength="30" value="${text}" />`;
  // A time is more than this kind of field can show.
  const isDay = text === '' || /^\d{4}-\d\d-\d\d$/.test(text);
  return html`${label}<input
      id="${field}"
      name="${field}"
      type="${isDay ? 'date' : 'text'}"
      maxlength="40"
      value="${text}"
    />`;
}

function showThanks(c: Context, { title }: FormView) {
  const body = html`<p class="note good" role="status">It was sent.</p>
    <p>You can close this page.</p>
    <p class="small"><a href="?">Send another one</a></p>`;
  return sendPage(c, { title, body });
}

async function showErrors(c: Context, run: () => Promise<Response>): Promise<Response> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const retryAfter = formatRetryAfter(error);
    if (retryAfter !== undefined) c.header('retry-after', retryAfter);
    const body = html`<p class="note bad" role="alert">${error.message}</p>`;
    const status = error instanceof FormClosed ? 410 : errorStatus[error.code];
    return sendPage(c, { title: 'This form', body, status });
  }
}
