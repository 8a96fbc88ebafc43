// Accounts at other people's emulators of GitHub, Linear, Slack and Microsoft: linked, tested, renewed and ended by facts, and
// Slack is read. The others lack what is read there: GET /issues, the type DateTimeOrDuration, delta queries.
import { once } from 'node:events';
import { createServer, request as forward, type Server } from 'node:http';
import { createEmulator, type Emulator } from 'emulate';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findFirstPage, runSync, startSync, listPageTitles } from '../support/syncs.ts';
import { signIn, type Browser } from '../support/google.ts';
import { openAsOwner, type OwnerDatabase } from '../support/owner-database.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { findFreePort } from '../support/free-port.ts';

const client = { client_id: 'witness', client_secret: 'a-secret_with.marks~', name: 'Thalamus' };
const email = 'testuser@example.com';
/** With which she speaks in the emulator of Slack herself. */
const adasToken = 'xoxp-ada-speaks';

type Case = {
  provider: 'github' | 'linear' | 'slack' | 'microsoft';
  seed(redirectUri: string): Record<string, unknown>;
  /** Where its page sends the choice of the person to, and what it sends beside what it was asked. */
  callback: string;
  choice: Record<string, string>;
  /** Paths that the emulator has elsewhere. */
  moved?: Record<string, string>;
  account: string | RegExp;
  canRevoke: boolean;
};

const cases: Case[] = [
  {
    provider: 'github',
    seed: (uri) => ({
      github: { users: [{ login: 'octocat', email }], oauth_apps: [{ ...client, redirect_uris: [uri] }] },
    }),
    callback: '/login/oauth/callback',
    choice: { login: 'octocat' },
    account: 'octocat',
    canRevoke: false, // the emulator has no DELETE /applications/{client_id}/grant
  },
  {
    provider: 'linear',
    seed: (uri) => ({
      linear: {
        users: [{ email, name: 'Test User' }],
        oauth_apps: [{ ...client, redirect_uris: [uri], scopes: ['read', 'write'], actor: 'user' }],
      },
    }),
    callback: '/oauth/authorize/callback',
    choice: { user_ref: email },
    account: /@.+ in .+/,
    canRevoke: true,
  },
  {
    provider: 'slack',
    seed: (uri) => ({
      tokens: {
        [adasToken]: { login: 'ada', scopes: ['chat:write', 'channels:read', 'channels:join', 'channels:write'] },
      },
      slack: {
        users: [{ name: 'ada', real_name: 'Ada', email }],
        channels: [{ name: 'workshop' }],
        oauth_apps: [{ ...client, redirect_uris: [uri] }],
      },
    }),
    callback: '/oauth/v2/authorize/callback',
    choice: {},
    account: / in /,
    canRevoke: false, // the emulator has no auth.revoke
  },
  {
    provider: 'microsoft',
    seed: (uri) => ({
      microsoft: { users: [{ email, name: 'Test User' }], oauth_clients: [{ ...client, redirect_uris: [uri] }] },
    }),
    callback: '/oauth2/v2.0/authorize/callback',
    choice: { email },
    moved: {
      '/common/oauth2/v2.0/authorize': '/oauth2/v2.0/authorize',
      '/common/oauth2/v2.0/token': '/oauth2/v2.0/token',
    },
    account: email,
    canRevoke: false,
  },
];

const opened: { emulator: Emulator; front: Server }[] = [];
const urls = new Map<string, string>();
let server: TestServer;
let database: OwnerDatabase;
let browser: Browser;

beforeAll(async () => {
  const port = await findFreePort();
  const redirectUri = `http://localhost:${port}/api/oauth/callback`;
  const settings: Record<string, string> = { PORT: String(port) };
  for (const { provider, seed, moved = {} } of cases) {
    const [emulatorPort, frontPort] = [await findFreePort(), await findFreePort()];
    const url = `http://127.0.0.1:${frontPort}`;
    const emulator = await createEmulator({
      service: provider,
      port: emulatorPort,
      baseUrl: url,
      seed: seed(redirectUri),
    });
    const front = createServer((incoming, outgoing) => {
      const { pathname, search } = new URL(incoming.url ?? '', url);
      const path = (moved[pathname] ?? pathname) + search;
      const { method, headers } = incoming;
      incoming.pipe(
        forward({ port: emulatorPort, host: '127.0.0.1', method, path, headers }, (answer) => {
          outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
          answer.pipe(outgoing);
        }),
      );
    }).listen(frontPort, '127.0.0.1');
    await once(front, 'listening');
    opened.push({ emulator, front });
    urls.set(provider, url);
    const name = provider.toUpperCase();
    settings[`THALAMUS_${name}_BASE_URL`] = url;
    settings[`THALAMUS_${name}_CLIENT_ID`] = client.client_id;
    settings[`THALAMUS_${name}_CLIENT_SECRET`] = client.client_secret;
  }
  server = await startTestServer(settings);
  database = await openAsOwner(server.connectionString);
  browser = await signIn(server);
});
afterAll(async () => {
  await database.close();
  await server.close();
  for (const { emulator, front } of opened) {
    front.close();
    await emulator.close();
  }
});

/** Chooses the person on the provider's page and returns the parameters of the redirect. */
async function giveConsent({ provider, callback, choice, moved = {} }: Case, authorizationUrl: string) {
  const asked = new URL(authorizationUrl);
  expect(asked.origin).toBe(urls.get(provider));
  const page = await (await fetch(authorizationUrl)).text();
  expect(Object.values(moved).length || asked.pathname).toBeTruthy();
  const picked = provider === 'slack' ? { user_id: /name="user_id" value="([^"]+)"/.exec(page)?.[1] ?? '' } : choice;
  const answer = await fetch(`${urls.get(provider)}${callback}`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ ...Object.fromEntries(asked.searchParams), ...picked }),
  });
  const target = answer.headers.get('location');
  if (!target) throw new Error(`${provider} answered ${answer.status}: ${await answer.text()}`);
  return Object.fromEntries(new URL(target).searchParams);
}

test.each(cases)('an account of $provider is linked by consent, works, and is revoked', async (provider) => {
  const name = provider.provider;
  const { authorization_url } = await browser.ok('start_oauth', { provider: name, source: name });
  const { code, state } = await giveConsent(provider, String(authorization_url));
  const linked = await browser.ok('finish_oauth', { code, state });
  expect(linked['account']).toMatch(provider.account);

  const { connection_id } = linked;
  expect(await server.ok('test_connection', { connection_id })).toMatchObject({ ok: true, account: linked['account'] });
  expect(await server.ok('get_connection', { connection_id })).toMatchObject({
    status: 'active',
    kind: 'oauth',
    owner: 'person',
    last_used_at: expect.any(String),
    warnings: [],
  });

  const [row] = await database.rows('select refresh_token is not null as renews from connections where id = $1', [
    connection_id,
  ]);
  if (row?.['renews']) {
    await database.rows(`update connections set access_expires_at = now() where id = $1`, [connection_id]);
    expect(await server.ok('test_connection', { connection_id })).toMatchObject({ ok: true });
    expect((await server.ok('get_connection', { connection_id }))['last_refresh_at']).not.toBeNull();
  }

  const ended = await server.ok('revoke_connected_account', { connection_id });
  expect(ended['revoked_at_provider']).toBe(provider.canRevoke);
  if (!provider.canRevoke) expect(ended['message']).toContain('https://');
  const after = await server.ok('test_connection', { connection_id });
  expect(after).toMatchObject({ ok: false, message: expect.stringContaining('was unlinked') });
});

test('a used code is refused in the words of the provider, and nothing is linked', async () => {
  const [github] = cases;
  if (!github) throw new Error('there is no case');
  const { authorization_url } = await browser.ok('start_oauth', { provider: 'github', source: 'github' });
  const { state } = await giveConsent(github, String(authorization_url));
  await expect(browser.ok('finish_oauth', { code: 'made-up', state })).rejects.toThrow(
    /502.*GitHub refused to issue a token/,
  );
  expect(await server.ok('list_connections', { provider: 'github' })).toEqual({ connections: [] });
});

test('new messages of a Slack channel become a page here, and later ones are added', async () => {
  const slack = cases.find(({ provider }) => provider === 'slack')!;
  const say = async (method: string, form: Record<string, string>) => {
    const headers = { authorization: `Bearer ${adasToken}` };
    const body = new URLSearchParams(form);
    const answer = await fetch(`${urls.get('slack')}/api/${method}`, { method: 'POST', headers, body });
    return (await answer.json()) as Record<string, unknown>; // every method answers an object
  };
  const { channels } = await say('conversations.list', { limit: '100' });
  const channel = (channels as { id: string; name: string }[]).find(({ name }) => name === 'workshop')!.id;
  await say('conversations.join', { channel });
  const posted = await say('chat.postMessage', { channel, text: 'The gears slip on the saffron bearing.' });
  const { authorization_url } = await browser.ok('start_oauth', { provider: 'slack', source: 'slack' });
  const { code, state } = await giveConsent(slack, String(authorization_url));
  await browser.ok('finish_oauth', { code, state });
  const sync = await startSync(server, { source: 'slack', days: null });
  expect(sync).toMatchObject({ status: 'waiting', failure: null, errors: [] });
  expect(await listPageTitles(server, sync)).toEqual(['#workshop: The gears slip on the saffron bearing.']);
  await say('chat.postMessage', { channel, text: 'Oiled.', thread_ts: String(posted['ts']) });
  expect(await runSync(server, sync)).toMatchObject({ pages_changed: 1 });
  expect((await findFirstPage(server, sync, 'oiled'))?.['body']).toContain('Oiled.');
});
