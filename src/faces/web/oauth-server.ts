// The addresses at which clients use OAuth with this server. modules/oauth-server creates the answers.
import { AppError } from '#kernel/errors';
import { parseJson } from '#kernel/parse-json';
import { readBodyText, findRequestViewer, type RestEnvironment } from '#faces/rest';
import {
  authMethods,
  buildOpenidMetadata,
  buildResourceMetadata,
  routes,
  buildServerMetadata,
  selectUsedParams,
  type OauthServer,
  type ProtocolRequest,
} from '#modules/oauth-server';
import { parseForm } from '#platform/forms';
import { Hono, type Context, type MiddlewareHandler } from 'hono';
import { cors } from 'hono/cors';
import { html } from 'hono/html';
import type { StatusCode } from 'hono/utils/http-status';
import { runOnceAnswered } from './once-answered.ts';
import { sendPage } from './page.ts';
import type { WebDeps } from './web-deps.ts';

type Answer = Awaited<ReturnType<OauthServer['answer']>>;

/** A registration is a name and a few addresses. */
const mostRegistrationBytes = 8_192;
const mostFormBytes = 16_384;

const anybody = cors({
  origin: '*',
  allowMethods: ['GET', 'POST'],
  exposeHeaders: ['WWW-Authenticate'],
  maxAge: 3_600,
});
/** By default pages of other origins cannot read answers of this server; these answers are meant for them. */
const allowCrossOrigin: MiddlewareHandler = async (c, next) => {
  await next();
  c.header('cross-origin-resource-policy', 'cross-origin');
};

/** The addresses of the OAuth server. */
export function createOauthServerRoutes(web: WebDeps): Hono<RestEnvironment> {
  const app = new Hono<RestEnvironment>();
  for (const path of [
    '/.well-known/*',
    routes.token,
    routes.register,
    routes.revoke,
    routes.deviceAuthorization,
    routes.keys,
  ])
    app.use(path, anybody, allowCrossOrigin);
  addMetadata(app, web);
  addAuthorize(app, web);
  addProtocol(app, web.oauthServer);
  return app;
}

function addMetadata(app: Hono<RestEnvironment>, { oauthServer, ground }: WebDeps) {
  const { publicUrl } = ground.config;
  const describe = (c: Context, path: string) => {
    const resource = oauthServer.resources.at(path, c.req.header('host'));
    if (!resource) throw new AppError('not_found', `There is nothing at ${path} that a token could be for. Use /mcp.`);
    return c.json(buildResourceMetadata(publicUrl, resource));
  };
  app.get('/.well-known/oauth-protected-resource', (c) => describe(c, '/'));
  app.get('/.well-known/oauth-protected-resource/*', (c) =>
    describe(c, c.req.path.slice('/.well-known/oauth-protected-resource'.length)),
  );
  for (const end of ['', '/*']) {
    app.get(`/.well-known/oauth-authorization-server${end}`, (c) => c.json(buildServerMetadata(publicUrl)));
    app.get(`/.well-known/openid-configuration${end}`, (c) => c.json(buildOpenidMetadata(publicUrl)));
  }
  app.get(routes.keys, (c) => c.json({ keys: [] }));
}

function addAuthorize(app: Hono<RestEnvironment>, { oauthServer, findViewer, ground }: WebDeps) {
  const { publicUrl } = ground.config;
  const { origin } = new URL(publicUrl);
  const isOwn = (address: string) => URL.parse(address, origin)?.origin === origin;
  app.get(routes.authorize, async (c) => {
    const query = selectUsedParams(parseForm(new URL(c.req.url).search.slice(1)), oauthServer.resources);
    const answer = await oauthServer.answer(toProtocolRequest(c, `${routes.authorize}?${query}`));
    const clientId = query.get('client_id') ?? '';
    const person = async () => (await findRequestViewer(c, findViewer))?.session ?? null;
    const mayCallBack = async () => oauthServer.mayCallBack({ clientId, person: await person() });
    return sendBrowserAnswer(
      c,
      isOwn(findLocation(answer) ?? '') || (await mayCallBack()) ? answer : onOwnPage(answer),
    );
  });
  app.get(`${routes.authorize}/:uid`, async (c) => {
    const uid = c.req.param('uid');
    const isAnswered = await oauthServer.mayCallBack({ uid, person: null });
    const answer = await oauthServer.answer(toProtocolRequest(c, `${routes.authorize}/${encodeURIComponent(uid)}`));
    return sendBrowserAnswer(c, isAnswered || isOwn(findLocation(answer) ?? '') ? answer : onOwnPage(answer));
  });
}

/** An error that would have gone to a client, as a page of this server: the client is unknown here. */
function onOwnPage(answer: Answer): Answer {
  const { search, hash } = new URL(findLocation(answer) ?? '');
  const said = new Map(parseForm((search || hash).slice(1)));
  const [error, error_description] = [said.get('error') ?? 'invalid_request', said.get('error_description')];
  return { ...answer, status: 400, headers: [], body: JSON.stringify({ error, error_description }) };
}

function findLocation({ headers }: Answer): string | undefined {
  return headers.find(([name]) => name === 'location')?.[1];
}

function addProtocol(app: Hono<RestEnvironment>, oauthServer: OauthServer) {
  const { resources } = oauthServer;
  app.post(routes.register, async (c) => {
    const described = JSON.stringify(parseRegistration(await readBodyText(c, mostRegistrationBytes)));
    const answer = await oauthServer.answer({ ...toProtocolRequest(c, routes.register), body: described });
    return sendProgramAnswer(c, { ...answer, body: withoutEmpty(answer.body) });
  });
  app.post(routes.deviceAuthorization, async (c) => {
    const params = selectUsedParams(parseForm(await readBodyText(c, mostFormBytes)), resources);
    return sendProgramAnswer(
      c,
      await oauthServer.answer({ ...toProtocolRequest(c, routes.deviceAuthorization), body: `${params}` }),
    );
  });
  for (const path of [routes.token, routes.revoke])
    app.post(path, async (c) => {
      const params = selectUsedParams(parseForm(await readBodyText(c, mostFormBytes)), resources);
      const { left, ...answer } = await oauthServer.exchange({ ...toProtocolRequest(c, path), body: `${params}` });
      runOnceAnswered(c, left);
      return sendProgramAnswer(c, answer);
    });
}

function toProtocolRequest(c: Context, path: string): ProtocolRequest {
  return { method: c.req.method, path, headers: c.req.header(), body: '' };
}

/** The fields of a registration, without empty ones: some clients send a null for each unused field. */
function parseRegistration(body: string): Record<string, unknown> {
  try {
    const parsed = parseJson(body);
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) {
      const fields = dropEmptyFields(parsed);
      const method = authMethods.find((each) => each === fields['token_endpoint_auth_method']) ?? 'none';
      return { ...fields, token_endpoint_auth_method: method };
    }
  } catch {}
  throw new AppError('invalid_input', 'A registration is a JSON object.');
}

/** The answer to a registration: its data, or the reason of the refusal. */
const registrationFields = [
  'client_id',
  'client_secret',
  'client_secret_expires_at',
  'client_id_issued_at',
  'client_name',
  'client_uri',
  'redirect_uris',
  'application_type',
  'grant_types',
  'response_types',
  'token_endpoint_auth_method',
  'error',
  'error_description',
];

function withoutEmpty(body: string): string {
  const fields = Object.entries(dropEmptyFields(JSON.parse(body) as object)).filter(([name]) =>
    registrationFields.includes(name),
  );
  return JSON.stringify(Object.fromEntries(fields));
}

function dropEmptyFields(fields: object): Record<string, unknown> {
  const isEmpty = (value: unknown) => value === null || value === '' || (Array.isArray(value) && value.length === 0);
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => !isEmpty(value)));
}

/** An answer for a program: it is never cached. */
function sendProgramAnswer(c: Context, { status, headers, body }: Answer): Response {
  const kept = ['content-type', 'www-authenticate'];
  for (const [name, value] of headers) if (kept.includes(name)) c.header(name, value);
  c.header('cache-control', 'no-store');
  c.header('pragma', 'no-cache');
  return c.body(body, status as 200); // a status of oidc-provider, which always has a body here
}

/** An answer for a browser: a redirect, or a page with the reason. */
function sendBrowserAnswer(c: Context, answer: Answer): Response | Promise<Response> {
  const { status, headers, body } = answer;
  const location = findLocation(answer);
  for (const [name, value] of headers) if (name === 'set-cookie') c.header(name, value, { append: true });
  c.header('cache-control', 'no-store');
  if (location !== undefined) return c.newResponse(null, status as StatusCode, { location }); // 302 or 303
  const { error, error_description } = JSON.parse(body) as Record<string, string>; // `renderError` wrote it
  return sendPage(c, {
    title: 'This client could not be connected',
    body: html`<p class="note bad" role="alert">${error_description ?? error}</p>
      <p>
        Nothing was allowed. Start again in the client. If that does not help, tell its makers: <code>${error}</code>.
      </p>`,
    status: status >= 400 ? status : 400,
  });
}
