import { createHook } from 'node:async_hooks';
import { TOTP } from 'otpauth';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { joinAs, signInOwner, type SignedIn } from '../../../../tests/support/colleague.ts';
import { buildSessionHeaders } from '../../../../tests/support/google.ts';
import { openAsOwner, type OwnerDatabase } from '../../../../tests/support/owner-database.ts';
import { startTestServer, type TestServer } from '../../../../tests/support/server.ts';
import { hashPassword, isPassword } from './passwords.ts';

const password = 'correct horse battery staple';
let server: TestServer;
let database: OwnerDatabase;
let ada: SignedIn;
beforeAll(async () => {
  server = await startTestServer({ THALAMUS_OWNER_EMAIL: 'ada@example.com' });
  database = await openAsOwner(server.connectionString);
  ada = await signInOwner(server, database);
  await ada.ok('set_password', { password });
});
afterAll(async () => {
  await database.close();
  await server.close();
});
beforeEach(() => database.rows('delete from sign_in_attempts'));

type Session = Record<string, string>;

async function post(
  path: string,
  body: object,
  { session = {}, origin = server.url }: { session?: Session | undefined; origin?: string } = {},
) {
  const headers = { 'content-type': 'application/json', origin, ...session };
  const response = await server.request(path, { method: 'POST', headers, body: JSON.stringify(body) });
  const cookies = response.headers.getSetCookie().map((each) => each.split(';')[0] ?? '');
  const { session_proof: proof, ...said } = (await response.json()) as Record<string, unknown>;
  const cookie = cookies.find((each) => each.startsWith('thalamus_session=ts_'));
  const opened = cookie === undefined ? undefined : buildSessionHeaders({ cookie, proof: String(proof) });
  return { status: response.status, body: said, session: opened, cookies };
}
const signIn = (email: string, given: string) => post('/auth/password', { email, password: given });
const readOwnAccount = async (headers: Session = {}) =>
  (await (await server.request('/v1/me', { headers })).json()) as Record<string, unknown>;

test('a hash is argon2id with its own salt, and matches only its password', async () => {
  const [one, two] = [await hashPassword(password), await hashPassword(password)];
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(one).not.toBe(two);
  expect(await isPassword(password, one)).toBe(true);
  expect(await isPassword(`${password} `, one)).toBe(false);
  expect(await isPassword(password, null)).toBe(false);
  // The test vector of the reference implementation, with other cost settings than ours.
  const foreign = '$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4';
  expect(await isPassword('password', foreign)).toBe(true);
});

describe('signing in by a password', () => {
  test('opens a human surface in a new session each time, and stores nothing of the password', async () => {
    const [first, second] = [await signIn('Ada@Example.com', password), await signIn('ada@example.com', password)];
    expect(first.body).toEqual({ ok: true });
    expect(first.session).not.toEqual(second.session);
    expect(await readOwnAccount(first.session)).toMatchObject({
      person: { email: 'ada@example.com' },
      caller: { is_human_surface: true },
    });
    expect(await database.dump()).not.toContain(password);
  });

  test('gives the same answer for a wrong password, an address without one, and an unknown address', async () => {
    await joinAs(server, database, 'nopassword@example.com');
    const answers = [];
    for (const email of ['ada@example.com', 'nopassword@example.com', 'nobody@example.com'])
      answers.push(await signIn(email, 'not the password'));
    const visibleAnswers = answers.map(({ status, body: { request_id: _differs, ...body }, cookies }) => ({
      status,
      body,
      cookies,
    }));
    expect(visibleAnswers[0]).toMatchObject({ status: 401, cookies: [] });
    expect(visibleAnswers[1]).toEqual(visibleAnswers[0]);
    expect(visibleAnswers[2]).toEqual(visibleAnswers[0]);
  });

  test('computes one hash for each attempt, whether or not such a password exists, and at most two at a time', async () => {
    const begun: number[] = [];
    const running = new Set<number>();
    let most = 0;
    const hashes = createHook({
      init(id, type) {
        if (!/argon2/i.test(type)) return;
        begun.push(id);
        running.add(id);
        most = Math.max(most, running.size);
      },
      before: (id) => void running.delete(id),
    }).enable();
    const counts = [];
    for (const email of ['ada@example.com', 'nopassword@example.com', 'nobody@example.com']) {
      const before = begun.length;
      await signIn(email, 'not the password');
      counts.push(begun.length - before);
    }
    await Promise.all(Array.from({ length: 6 }, (_, at) => signIn(`many${at}@example.com`, 'not the password')));
    hashes.disable();
    expect(counts).toEqual([1, 1, 1]);
    expect(begun).toHaveLength(9);
    expect(most).toBe(2);
  });

  test('slows down for an address after five failures, concurrent ones included, known or not, and for no other address', async () => {
    for (const email of ['ada@example.com', 'nobody@example.com']) {
      await database.rows('delete from sign_in_attempts');
      const answers = await Promise.all(Array.from({ length: 12 }, () => signIn(email, 'wrong wrong')));
      const statuses = answers.map(({ status }) => status).toSorted();
      expect(
        statuses.filter((status) => status === 401),
        email,
      ).toHaveLength(5);
      expect(
        statuses.filter((status) => status === 429),
        email,
      ).toHaveLength(7);
      expect((await signIn(email, password)).status).toBe(429);
    }
    expect((await signIn('other@example.com', 'wrong wrong')).status).toBe(401);
    await database.rows(`update sign_in_attempts set blocked_until = now() - interval '1 second'`);
    expect((await signIn('ada@example.com', password)).status).toBe(200);
    expect(await database.rows(`select 1 from sign_in_attempts where failures > 20`)).toEqual([]);
  });

  test('is refused to a page of another origin', async () => {
    const elsewhere = await post(
      '/auth/password',
      { email: 'ada@example.com', password },
      { origin: 'https://evil.example' },
    );
    expect(elsewhere).toMatchObject({ status: 403, session: undefined });
  });

  test('does not adopt a session that the browser brought, and ends the former one', async () => {
    const before = await signIn('ada@example.com', password);
    const planted = await post('/auth/password', { email: 'ada@example.com', password }, { session: before.session });
    expect(planted.session).not.toEqual(before.session);
    await expect.poll(async () => (await server.request('/v1/me', { headers: before.session ?? {} })).status).toBe(401);
  });

  test('works only for its own person, when two people share an unproved address', async () => {
    const [other] = await database.rows(
      `insert into workspaces (id, name, created_at) values (gen_random_uuid(), 'Twin', now()) returning id`,
    );
    const [twin] = await database.rows(
      `insert into people (id, workspace_id, email, name, role, created_at)
        values (gen_random_uuid(), $1, 'ada@example.com', 'Twin', 'admin', now() - interval '1 year') returning identity_id`,
      [other?.['id']],
    );
    expect((await signIn('ada@example.com', password)).status).toBe(200);
    await database.rows(
      `insert into authenticators (id, identity_id, kind, label, data, created_at, confirmed_at)
        values (gen_random_uuid(), $1, 'password', 'Password', jsonb_build_object('hash', $2::text), now(), now())`,
      [twin?.['identity_id'], await hashPassword('another battery staple')],
    );
    expect((await readOwnAccount((await signIn('ada@example.com', password)).session))['workspace']).toMatchObject({
      name: 'Workspace',
    });
    expect((await signIn('ada@example.com', 'neither of the two')).status).toBe(401);
    await database.rows(`delete from authenticators where identity_id = $1`, [twin?.['identity_id']]);
    await database.rows(`delete from people where name = 'Twin'`);
  });

  test('works for its person while 400 guesses of others arrive at once', async () => {
    const from = (client: string, given: string) =>
      server.request('/auth/password', {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: server.url, 'x-forwarded-for': client },
        body: JSON.stringify({ email: 'ada@example.com', password: given }),
      });
    const guesses = Array.from({ length: 400 }, (_, at) => from(`198.51.100.${at % 4}`, 'not the password'));
    const [owner, ...answers] = await Promise.all([from('203.0.113.9', password), ...guesses]);
    expect(owner?.status).toBe(200);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401, 429]));
    const waiting = answers.filter(({ status }) => status === 429).map(({ headers }) => headers.get('retry-after'));
    expect(waiting).not.toContain(null);
    expect((await from('203.0.113.10', password)).status).toBe(200);
  });
});

describe('managing sign-in methods', () => {
  test('is for a person at the console who has just proved who they are', async () => {
    const stale = await signIn('ada@example.com', password);
    const call = (operation: string, input: object = {}) =>
      post(`/v1/tools/${operation}`, input, { session: stale.session });
    const { body } = await call('list_sessions');
    const current = (body['sessions'] as { session_id: string; is_current: boolean }[]).find((each) => each.is_current);
    await database.rows(`update sessions set proved_at = now() - interval '10 minutes' where id = $1`, [
      current?.session_id,
    ]);
    for (const [operation, input] of [
      ['set_password', { password: 'another long password' }],
      ['begin_totp', {}],
      ['begin_passkey', {}],
      ['new_recovery_codes', {}],
    ] as const) {
      expect((await call(operation, input)).body).toMatchObject({ details: { reason: 'proof_needed' } });
      expect((await server.call(operation, input)).body).toMatchObject({ code: 'forbidden' });
    }
    const prove = (proof: object, session = stale.session) => post('/auth/prove', proof, { session });
    expect((await prove({ password: 'wrong wrong' })).status).toBe(401);
    expect((await call('begin_totp')).status).toBe(403);
    expect((await prove({ password })).status).toBe(200);
    expect((await call('begin_totp')).status).toBe(200);
    const opened = await post('/auth/sign-in', {
      token: new URL((await server.ok('create_sign_in_link')).url).hash.slice(1),
    });
    expect((await prove({ password }, opened.session)).status).toBe(403);
  });

  test('does not show the authenticators of one person to another', async () => {
    const grace = await joinAs(server, database, 'grace@example.com');
    const [own] = (await ada.ok('list_authenticators'))['authenticators'] as { authenticator_id: string }[];
    const never = '01920000-0000-7000-8000-00000000dead';
    const [foreign, none] = [
      await grace.call('remove_authenticator', { authenticator_id: own?.authenticator_id }),
      await grace.call('remove_authenticator', { authenticator_id: never }),
    ];
    expect(foreign).toMatchObject({ status: 404 });
    expect({ ...foreign.body, request_id: '' }).toEqual({ ...none.body, request_id: '' });
    expect(await grace.ok('list_authenticators')).toMatchObject({ authenticators: [] });
    expect((await signIn('ada@example.com', password)).status).toBe(200);
  });

  test('ends the other sessions and the old password when a new password is set', async () => {
    const lin = await joinAs(server, database, 'lin@example.com');
    await lin.ok('set_password', { password: 'the first password' });
    const other = await signIn('lin@example.com', 'the first password');
    const changing = await signInForSession('lin@example.com', 'the first password');
    expect((await post('/v1/tools/set_password', { password: 'short' }, { session: changing })).status).toBe(422);
    await post('/v1/tools/set_password', { password: 'the second password' }, { session: changing });
    await expect.poll(async () => Object.keys(await readOwnAccount(other.session))).toContain('code');
    expect((await signIn('lin@example.com', 'the first password')).status).toBe(401);
    expect((await signIn('lin@example.com', 'the second password')).status).toBe(200);
  });
});

async function signInForSession(email: string, given: string): Promise<Session | undefined> {
  return (await signIn(email, given)).session;
}

describe('one-time codes', () => {
  /** A person with a password and an authenticator app. */
  async function withApp(email: string) {
    const person = await joinAs(server, database, email);
    await person.ok('set_password', { password });
    const { uri } = await person.ok('begin_totp');
    const secret = new URL(String(uri)).searchParams.get('secret') ?? '';
    const code = (steps = 0) => new TOTP({ secret }).generate({ timestamp: Date.now() + steps * 30_000 });
    expect((await person.call('add_totp', { code: '000000' })).status).toBe(422);
    const { recovery_codes } = await person.ok('add_totp', { code: code(-1) });
    return { person, code, recovery: recovery_codes as string[] };
  }
  const second = (code: string, cookies: string[]) =>
    post('/auth/second-factor', { code }, { session: { cookie: cookies.join('; ') } });

  test('are required after a password, work once, and are useless without the password', async () => {
    const { code, recovery, person } = await withApp('app@example.com');
    const begun = await signIn('app@example.com', password);
    expect(begun).toMatchObject({ status: 200, body: { ok: false, second_factor: true }, session: undefined });
    expect((await second('111111', begun.cookies)).status).toBe(401);
    expect((await second(code(), [])).status).toBe(401);
    const now = code();
    const both = await Promise.all([second(now, begun.cookies), second(now, begun.cookies)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 401]);
    const again = await signIn('app@example.com', password);
    expect((await second(now, again.cookies)).status).toBe(401);
    const first = recovery[0] ?? '';
    expect((await second(first.toUpperCase(), again.cookies)).session).toBeDefined();
    const third = await signIn('app@example.com', password);
    expect((await second(first, third.cookies)).status).toBe(401);
    expect(await person.ok('list_authenticators')).toMatchObject({ recovery_codes_left: recovery.length - 1 });
    expect(recovery).toHaveLength(10);
    expect(await database.dump()).not.toContain(recovery[1]);
  });

  test('count as fresh proof together with a password; the password alone does not', async () => {
    const { person, code, recovery } = await withApp('proving@example.com');
    await database.rows(`update sessions set proved_at = now() - interval '11 minutes' where person_id = $1`, [
      person.personId,
    ]);
    const prove = (body: object) => post('/auth/prove', body, { session: person.headers });
    const isFresh = async () =>
      (await person.call('create_key', { label: 'Fresh', scopes: ['brains:read'] })).status === 200;
    expect(await prove({ password })).toMatchObject({ status: 401, body: { details: { reason: 'code_needed' } } });
    expect((await prove({ password: 'another long password', code: recovery[0] })).status).toBe(401);
    expect(await isFresh()).toBe(false);
    expect((await prove({ password, code: code() })).status).toBe(200);
    expect(await isFresh()).toBe(true);
  });

  test('end with their unfinished sign-ins and links when the password changes', async () => {
    const { person, code } = await withApp('changing@example.com');
    const begun = await signIn('changing@example.com', password);
    const link = (await person.ok('create_sign_in_link'))['url'];
    await person.ok('set_password', { password: 'another long password' });
    expect((await second(code(), begun.cookies)).status).toBe(401);
    const token = new URL(String(link)).hash.slice(1);
    expect((await post('/auth/sign-in', { token })).status).toBe(401);
  });

  test('are slowed down: after five wrong codes the right one must wait', async () => {
    const { code } = await withApp('slow@example.com');
    const begun = await signIn('slow@example.com', password);
    const wrong = await Promise.all(Array.from({ length: 8 }, () => second('123123', begun.cookies)));
    expect(wrong.filter(({ status }) => status === 429).length).toBeGreaterThan(2);
    expect((await second(code(), begun.cookies)).status).toBe(429);
  });

  test('end with their recovery codes when the app is removed', async () => {
    const { person } = await withApp('ending@example.com');
    const { authenticators } = await person.ok('list_authenticators');
    const app = (authenticators as { authenticator_id: string; kind: string }[]).find(({ kind }) => kind === 'totp');
    await person.ok('remove_authenticator', { authenticator_id: app?.authenticator_id });
    expect(await person.ok('list_authenticators')).toMatchObject({ recovery_codes_left: 0 });
    expect((await signIn('ending@example.com', password)).session).toBeDefined();
    expect(await database.rows(`select 1 from totp_secrets where id = $1`, [app?.authenticator_id])).toEqual([]);
  });
});
