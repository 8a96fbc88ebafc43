import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listRoleScopes } from '#kernel/scopes';
import { authorizeUrl, createPkce, register } from '../support/oauth.ts';
import { buildSessionHeaders, readSession, signIn, signInWith } from '../support/google.ts';
import { openAsOwner, type OwnerDatabase } from '../support/owner-database.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let database: OwnerDatabase;

beforeAll(async () => {
  server = await startTestServer();
  database = await openAsOwner(server.connectionString);
});
afterAll(async () => {
  await database.close();
  await server.close();
});

async function createLinkToken(key = server.key): Promise<string> {
  const { url } = await server.ok('create_sign_in_link', {}, { key });
  return new URL(String(url)).hash.slice(1);
}

function useLink(token: string, headers: Record<string, string> = { origin: server.url }): Promise<Response> {
  const body = JSON.stringify({ token });
  return server.request('/auth/sign-in', { method: 'POST', headers, body });
}

type Session = { cookie: string; proof: string };

function requestAsBrowser(session: Session, path: string, init: RequestInit = {}): Promise<Response> {
  return server.request(path, { ...init, headers: { ...buildSessionHeaders(session), origin: server.url } });
}

describe('a sign-in link', () => {
  test('stays out of the server’s log with its token, and is valid for 15 minutes', async () => {
    const before = Date.now();
    const { url, expires_at } = await server.ok('create_sign_in_link');
    const { pathname, search, hash } = new URL(String(url));
    expect({ pathname, search }).toEqual({ pathname: '/sign-in', search: '' });
    expect(hash).toMatch(/^#tl_[\w-]{43}$/);
    const minutes = (Date.parse(String(expires_at)) - before) / 60_000;
    expect(minutes).toBeGreaterThan(14.9);
    expect(minutes).toBeLessThan(15.1);
  });

  test('signs in once', async () => {
    const token = await createLinkToken();
    const first = await useLink(token);
    expect(first.status).toBe(200);
    expect(first.headers.get('set-cookie')).toMatch(/^thalamus_session=ts_[\w-]{43};.* HttpOnly; SameSite=Lax$/);
    const second = await useLink(token);
    expect(second.status).toBe(401);
    expect(second.headers.get('set-cookie')).toBeNull();
    expect(await second.json()).toMatchObject({
      code: 'unauthenticated',
      detail: expect.stringMatching(/was used or has expired/),
    });
  });

  test('that many use at once signs one of them in', async () => {
    const token = await createLinkToken();
    const statuses = (await Promise.all(Array.from({ length: 6 }, () => useLink(token)))).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, 401, 401, 401, 401, 401]);
  });

  test('that has expired signs nobody in', async () => {
    const token = await createLinkToken();
    await database.rows(`update one_time_secrets set expires_at = now() - interval '1 second' where used_at is null`);
    expect((await useLink(token)).status).toBe(401);
  });

  test.for(['', 'tl_short', `cm_${'x'.repeat(43)}`, `tl_${'x'.repeat(43)}`])(
    'cannot be the text «%s»',
    async (token) => {
      const response = await useLink(token);
      expect([401, 422]).toContain(response.status);
      expect(response.headers.get('set-cookie')).toBeNull();
    },
  );

  test('is not used up by a page of another origin, nor by loading its address', async () => {
    const token = await createLinkToken();
    expect((await useLink(token, { origin: 'https://evil.example.com' })).status).toBe(403);
    expect((await useLink(token, {})).status).toBe(403);
    await server.request(`/sign-in#${token}`);
    expect((await useLink(token)).status).toBe(200);
  });
});

describe('the preview of a sign-in link', () => {
  const preview = async (token: string, headers: Record<string, string> = {}) => {
    const init = { method: 'POST', headers: { origin: server.url, ...headers }, body: JSON.stringify({ token }) };
    const answer = await server.request('/auth/sign-in/preview', init);
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };

  test('names the person and the workspace, and does not use the link up', async () => {
    const token = await createLinkToken();
    const whom = {
      name: 'Owner',
      email: 'owner@localhost',
      workspace: 'Workspace',
      ends_session_of: null,
      joins: false,
      may_join_as: null,
    };
    expect(await preview(token)).toEqual({ status: 200, body: whom });
    expect((await useLink(token)).status).toBe(200);
    expect((await preview(token)).status).toBe(401);
  });

  test('warns whose other session would end, and not of the same person’s', async () => {
    const brain_id = (await server.ok('create_brain', { name: 'With Eve' })).brain_id;
    const email = 'eve@example.com';
    const { join_link } = await server.ok('invite_member', { brain_id, email, access_level: 'viewer' });
    const joining = new URL((join_link as { url: string }).url).hash.slice(1);
    const { cookie } = await signIn(server);
    const seen = {
      name: null,
      email,
      workspace: 'Workspace',
      ends_session_of: 'Owner',
      joins: true,
      may_join_as: null,
    };
    expect((await preview(joining, { cookie })).body).toEqual(seen);
    expect((await preview(await createLinkToken(), { cookie })).body).toMatchObject({ ends_session_of: null });
  });

  test('is for pages of this server and for links that work', async () => {
    expect((await preview(await createLinkToken(), { origin: 'https://evil.example.com' })).status).toBe(403);
    expect((await preview(`tl_${'x'.repeat(43)}`)).status).toBe(401);
  });
});

describe('a session from the link of the terminal', () => {
  const call = async (session: Session, operation: string, input: object = {}) =>
    (await requestAsBrowser(session, `/v1/tools/${operation}`, { method: 'POST', body: JSON.stringify(input) })).status;
  /** A server whose owner signed in by its first link, more than ten minutes ago. */
  async function startLongAgo(byOperator: boolean) {
    await database.rows('delete from authenticators');
    const token = await createLinkToken();
    await database.rows(
      `update sign_in_links set is_human_surface = true, by_operator = $1 where id = (select subject_id from one_time_secrets
        where secret_hash = encode(sha256(convert_to($2, 'utf8')), 'hex'))`,
      [byOperator, token],
    );
    const session = await readSession(await useLink(token));
    await database.rows(`update sessions set proved_at = now() - interval '2 days' where revoked_at is null`);
    return session;
  }

  test('sets the first password at any time, and a second one after a proof only', async () => {
    const session = await startLongAgo(true);
    expect(await call(session, 'create_key', { label: 'Later' })).toBe(403);
    expect(await call(session, 'begin_passkey')).toBe(200);
    expect(await call(session, 'set_password', { password: 'correct horse battery staple' })).toBe(200);
    expect(await call(session, 'set_password', { password: 'another long password of hers' })).toBe(403);
    expect(await call(session, 'begin_passkey')).toBe(403);
  });

  test('is the only one that does: a mailed or handed-over link proves nothing for long', async () => {
    const session = await startLongAgo(false);
    expect(await call(session, 'set_password', { password: 'correct horse battery staple' })).toBe(403);
  });
});

describe('a session', () => {
  const me = async (session: Session) =>
    (await (await requestAsBrowser(session, '/v1/me')).json()) as { caller: unknown };

  test('from a key’s link is not a human surface, and neither is one made from that', async () => {
    const browser = await signIn(server);
    expect(await me(browser)).toMatchObject({ caller: { kind: 'session', is_human_surface: false } });
    const { url } = await browser.ok('create_sign_in_link');
    const response = await useLink(new URL(String(url)).hash.slice(1));
    expect(await me(await readSession(response))).toMatchObject({ caller: { is_human_surface: false } });
  });

  test('from the link of the terminal is a human surface', async () => {
    await database.rows('update one_time_secrets set used_at = now() where used_at is null');
    const token = await createLinkToken();
    await database.rows(
      'update sign_in_links set is_human_surface = true where id in (select subject_id from one_time_secrets where used_at is null)',
    );
    expect(await me(await readSession(await useLink(token)))).toMatchObject({
      caller: { kind: 'session', is_human_surface: true },
    });
  });

  test('ends with signing out, within a second, and no other session does', async () => {
    const [leaving, staying] = [await signIn(server), await signIn(server)];
    const response = await requestAsBrowser(leaving, '/auth/sign-out', { method: 'POST' });
    expect(response.headers.get('set-cookie')).toMatch(/^thalamus_session=; Max-Age=0/);
    await expect.poll(async () => (await requestAsBrowser(leaving, '/v1/me')).status, { timeout: 1_500 }).toBe(401);
    expect((await requestAsBrowser(staying, '/v1/me')).status).toBe(200);
  });

  test.for(['revoked_at = now()', `expires_at = now() - interval '1 second'`])(
    'ends with the key that opened it (%s), together with its own sessions; no other session does',
    async (ends) => {
      const all = [...listRoleScopes('owner')];
      const { key, key_id } = await server.ok('create_key', { label: 'Script', scopes: all, reach: 'owner' });
      const opened = await signInWith(
        server,
        String((await server.ok('create_sign_in_link', {}, { key: String(key) }))['url']),
      );
      const onward = await signInWith(server, String((await opened.ok('create_sign_in_link'))['url']));
      const other = await signIn(server);
      await database.rows(`update keys set ${ends} where id = $1`, [key_id]);
      for (const session of [opened, onward])
        await expect.poll(async () => (await requestAsBrowser(session, '/v1/me')).status, { timeout: 5_000 }).toBe(401);
      expect((await requestAsBrowser(other, '/v1/me')).status).toBe(200);
    },
  );

  test('cannot be ended by a page of another origin', async () => {
    const session = await signIn(server);
    const headers = { ...buildSessionHeaders(session), origin: 'https://evil.example.com' };
    expect((await server.request('/auth/sign-out', { method: 'POST', headers })).status).toBe(403);
    expect((await requestAsBrowser(session, '/v1/me')).status).toBe(200);
  });

  test('that has expired is refused', async () => {
    const session = await signIn(server);
    await database.rows(`update sessions set expires_at = now() - interval '1 second'`);
    const response = await requestAsBrowser(session, '/v1/me');
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ detail: expect.stringMatching(/session has ended/) });
  });

  test('is stored only as a hash', async () => {
    const { cookie, proof } = await signIn(server);
    const dump = await database.dump();
    expect(dump).toContain('sessions: (');
    expect(dump).not.toContain(cookie.split('=')[1]);
    expect(dump).not.toContain(proof);
  });
});

test('cookies of a server with https are sent only by https, and no script reads them', async () => {
  const secure = await startTestServer({ THALAMUS_PUBLIC_URL: 'https://brain.example.com' });
  try {
    const post = (path: string, body: object) => {
      const headers = { origin: secure.url, 'content-type': 'application/json' };
      return secure.request(path, { method: 'POST', headers, body: JSON.stringify(body) });
    };
    const { url } = await secure.ok('create_sign_in_link');
    const { client_id } = await register(secure);
    const asked = authorizeUrl(secure, { client_id }, createPkce(), { resource: 'https://brain.example.com/mcp' });
    const answers = [
      await post('/auth/sign-in', { token: new URL(url).hash.slice(1) }),
      await post('/auth/passkey/options', {}),
      await secure.request(asked.slice(secure.url.length), { redirect: 'manual' }),
    ];
    for (const answer of answers) {
      const cookies = answer.headers.getSetCookie();
      expect(cookies.length, answer.url).toBeGreaterThan(0);
      for (const cookie of cookies) {
        expect(cookie).toMatch(/; HttpOnly/i);
        expect(cookie).toMatch(/; Secure/i);
        expect(cookie).toMatch(/; SameSite=(Lax|Strict)/i);
        // Those of the protocol's library are bound to the path of one request.
        if (!cookie.includes('thalamus_oauth')) expect(cookie).toMatch(/^__Host-thalamus_\w+=.*; Path=\/;/);
      }
    }
  } finally {
    await secure.close();
  }
});
