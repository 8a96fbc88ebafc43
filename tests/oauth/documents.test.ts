// Clients whose id is the address of their description: read through the egress door, and by its rules.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import { createServer as createListener, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { authorizeUrl, Browser, connect, listFormFields, createPkce, refresh } from '../support/oauth.ts';
import { startOauthServer } from './support.ts';

type OauthServer = Awaited<ReturnType<typeof startOauthServer>>;
let server: OauthServer['server'];
let owner: OauthServer['owner'];
let database: OauthServer['database'];
let close: () => Promise<void>;
let host: Server;
let origin: string;
let requests: string[] = [];
let changingName = 'Honest client';
const usual = getCACertificates('default');

/** A certificate for this computer, signed by itself. */
function makeCertificate(): { key: string; cert: string } {
  const folder = mkdtempSync(join(tmpdir(), 'oauth-tls-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const what = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  const who = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  execFileSync('openssl', ['req', '-x509', ...what, ...who, '-keyout', key, '-out', cert], { stdio: 'ignore' });
  const made = { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
  rmSync(folder, { recursive: true });
  return made;
}

const buildClientDocument = (id: string, more: object = {}) =>
  JSON.stringify({
    client_id: id,
    client_name: 'Claude Code',
    redirect_uris: ['http://localhost/callback', 'http://127.0.0.1/callback'],
    token_endpoint_auth_method: 'none',
    ...more,
  });

beforeAll(async () => {
  const made = makeCertificate();
  setDefaultCACertificates([...usual, made.cert]);
  host = createServer(made, (request, response) => {
    const path = request.url ?? '';
    requests.push(path);
    if (path === '/moved') return void response.writeHead(302, { location: `${origin}/client` }).end();
    if (path === '/slow') return;
    response.setHeader('content-type', 'application/json');
    if (path === '/huge')
      return void response.end(buildClientDocument(`${origin}/huge`, { padding: 'x'.repeat(20_000) }));
    if (path === '/other') return void response.end(buildClientDocument(`${origin}/client`));
    if (path === '/secret') return void response.end(buildClientDocument(`${origin}/secret`, { client_secret: 'x' }));
    if (path === '/text') return void response.end('hello');
    if (path === '/script')
      return void response.end(buildClientDocument(`${origin}/script`, { redirect_uris: ['javascript:alert(1)'] }));
    if (path === '/changing')
      return void response.end(buildClientDocument(`${origin}/changing`, { client_name: changingName }));
    response.end(buildClientDocument(`${origin}${path}`));
  });
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
  origin = `https://localhost:${(host.address() as AddressInfo).port}`; // a listening TCP server has one
  ({ server, owner, database, close } = await startOauthServer({ THALAMUS_EGRESS_ALLOW: origin }));
});
afterAll(async () => {
  await close();
  setDefaultCACertificates(usual);
  host.closeAllConnections();
  await new Promise((resolve) => host.close(resolve));
});

const params = { redirect_uri: 'http://localhost:50123/callback' };

test('a client is identified by its document, on any port of this computer, and its host is shown apart from its name', async () => {
  const client = { client_id: `${origin}/client` };
  const browser = new Browser(server, owner);
  const consent = (await browser.get(authorizeUrl(server, client, createPkce(), params))).headers.get('location') ?? '';
  const page = await (await browser.get(consent)).text();
  expect(page).toContain('Claude Code');
  expect(page).toContain(new URL(origin).host);
  expect(page).toContain('program on your computer');
  const { access_token } = await connect(server, owner, { client, params });
  expect((await server.call('who_am_i', {}, { key: access_token })).status).toBe(200);
  expect((await server.ok('list_connected_clients')).clients).toMatchObject([
    { document_host: new URL(origin).host, client_host: null },
  ]);
});

test('tokens are refreshed without asking the host of the document', async () => {
  const client = { client_id: `${origin}/absent` };
  const { refresh_token } = await connect(server, owner, { client, params });
  requests = [];
  expect((await refresh(server, client, refresh_token)).status).toBe(200);
  expect(requests).toEqual([]);
});

test('a client that changed its description between page and Allow is shown again, and nothing unseen is recorded', async () => {
  const browser = new Browser(server, owner);
  const authorize = authorizeUrl(server, { client_id: `${origin}/changing` }, createPkce(), params);
  const consent = (await browser.get(authorize)).headers.get('location') ?? '';
  const allow = async (page: string) => browser.post(consent, [...listFormFields(page), ['answer', 'allow']]);
  const countGrants = async () =>
    (await database.rows(`select 1 from oauth_grants where client_id = '${origin}/changing'`)).length;
  const seen = await (await browser.get(consent)).text();
  expect(seen).toContain('Honest client');

  changingName = 'Your bank';
  await forgetDocuments();
  const shownAgain = await allow(seen);
  const page = await shownAgain.text();
  expect(shownAgain.status).toBe(409);
  expect(page).toContain('Your bank');
  expect(page).toContain('changed its description');
  expect(await countGrants()).toBe(0);

  expect((await allow(page)).status).toBe(200);
  expect(await countGrants()).toBe(1);
});

/** The server remembers at most 200 documents, so that this one is read again. */
async function forgetDocuments(): Promise<void> {
  const others = Array.from({ length: 200 }, (_, n) => ({ client_id: `${origin}/other-${n}` }));
  const answers = await Promise.all(
    others.map((other) => new Browser(server).get(authorizeUrl(server, other, createPkce(), params))),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([303]));
}

test.each(['moved', 'slow', 'huge', 'other', 'secret', 'text', 'script'])(
  'a document that is %s is refused, and asked for once',
  async (path) => {
    requests = [];
    const answer = await new Browser(server, owner).get(
      authorizeUrl(server, { client_id: `${origin}/${path}` }, createPkce(), params),
    );
    expect(answer.status).toBe(400);
    expect(answer.headers.get('location')).toBeNull();
    expect(requests).toEqual([`/${path}`]);
  },
);

test.each([
  'https://127.0.0.1:PORT/client',
  'https://localhost:PORT/client',
  'https://[::1]:PORT/client',
  'https://[::ffff:127.0.0.1]:PORT/client',
  'https://0x7f000001:PORT/client',
  'https://2130706433:PORT/client',
  'https://127.1:PORT/client',
  'https://0.0.0.0:PORT/client',
  'http://127.0.0.1:PORT/client',
  'https://[::ffff:169.254.169.254]/latest/meta-data',
  'https://169.254.169.254/latest/meta-data',
  'https://10.0.0.1/client',
  'http://example.com/client',
])('a document at %s is never asked for: there is not even a connection', async (address) => {
  let connections = 0;
  const listener = createListener((socket) => {
    connections += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => listener.listen(0, '::', resolve));
  const client_id = address.replace('PORT', String((listener.address() as AddressInfo).port));
  const answer = await new Browser(server, owner).get(authorizeUrl(server, { client_id }, createPkce(), params));
  expect(answer.status).toBe(400);
  expect(await answer.text()).toContain('invalid_client');
  expect(connections).toBe(0);
  await new Promise((resolve) => listener.close(resolve));
});
