// Additional permissions that a person gives a client, and the notifications about them.
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  authorizeUrl,
  Browser,
  connect,
  listFormFields,
  createPkce,
  refresh,
  register,
  type Tokens,
} from '../support/oauth.ts';
import { startSmtp, type SmtpServer } from '../support/smtp.ts';
import { startOauthServer } from './support.ts';

type OauthServer = Awaited<ReturnType<typeof startOauthServer>>;
let smtp: SmtpServer;
let server: OauthServer['server'];
let owner: OauthServer['owner'];
let database: OauthServer['database'];
let close: () => Promise<void>;

beforeAll(async () => {
  smtp = await startSmtp();
  ({ server, owner, database, close } = await startOauthServer({ THALAMUS_MAIL_URL: smtp.url }));
});
afterAll(async () => {
  await close();
  await smtp.close();
});

const use = (key: string, from: string) =>
  server.call('who_am_i', {}, { key, headers: { 'x-forwarded-for': from } }).then(({ status }) => status);
const listMailsTitled = (subject: string) => smtp.taken.filter((mail) => mail.subject === subject);

test('the limit on a client’s drafts narrows the rules of the workspace for it', async () => {
  const mail = { source: 'gmail', action: 'send_email', recipients: ['noah@example.com'] };
  const chosen = { all: 'require_approval', person: 'require_human', safe: 'block', none: 'block' };
  for (const [limit, effect] of Object.entries(chosen)) {
    const change: NonNullable<Parameters<typeof connect>[2]>['change'] = (fields) =>
      fields.map(([name, value]) => [name, name === 'limit' ? limit : value]);
    const { access_token } = await connect(server, owner, { change });
    expect(await server.ok('explain_policy', mail, { key: access_token }), limit).toMatchObject({ effect });
  }
  const { clients } = await server.ok('list_connected_clients');
  expect(clients[0]).toMatchObject({ rules: [{ effect: 'block' }], beyond_default: [] });
});

test('a rule of the workspace can be about connected clients only', async () => {
  const { access_token } = await connect(server, owner);
  const { rules, version } = await server.ok('get_policy');
  const about = { source: 'gmail', action: 'send_email', recipients: ['noah@example.com'] };
  const rule = { effect: 'block', sources: ['gmail'], callers: ['oauth'] };
  const changed = await owner.ok('set_policy', { version, rules: [rule, ...rules] });
  const effect = async (key = server.key) => (await server.ok('explain_policy', about, { key })).effect;
  await expect.poll(() => effect(access_token), { timeout: 5_000 }).toBe('block');
  expect(await effect()).not.toBe('block');
  await owner.ok('set_policy', { version: changed['version'], rules });
});

test('capturing sessions is offered to every client and allowed only by a tick, for hooks that use its token', async () => {
  const turn = (key: string) =>
    server.request('/ingest/claude', {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body: JSON.stringify({ session_id: 's-1', role: 'user', content: 'When does the ferry leave?', newer: true }),
    });
  const untouched = await connect(server, owner);
  expect(untouched.scope).not.toContain('sessions:capture');
  expect((await turn(untouched.access_token)).status).toBe(403);
  const ticked = await connect(server, owner, { change: (fields) => [...fields, ['scope', 'sessions:capture']] });
  expect(ticked.scope).toContain('sessions:capture');
  expect(await (await turn(ticked.access_token)).json()).toMatchObject({ stored: true });
  const authorization = `Bearer ${ticked.access_token}`;
  expect((await server.request('/inbox/claude?mode=startup', { headers: { authorization } })).status).toBe(200);
});

test('a step-up permission needs a person who has just proved who they are', async () => {
  const client = await register(server);
  const visitor = new Browser(server, owner);
  const address = authorizeUrl(server, client, createPkce(), { scope: 'memory:read brains:move' });
  const consent = (await visitor.get(address)).headers.get('location') ?? '';
  const allow = async () => {
    const page = await (await visitor.get(consent)).text();
    const fields = [...listFormFields(page), ['scope', 'brains:move'], ['answer', 'allow']] as [string, string][];
    return { page, answer: await visitor.post(consent, fields) };
  };
  await database.rows(`update sessions set proved_at = now() - interval '11 minutes'`);
  const stale = await allow();
  expect(stale.page).toContain(`href="/prove?back=${encodeURIComponent(new URL(consent, server.url).pathname)}"`);
  expect(stale.answer.status).toBe(422);
  expect(await stale.answer.text()).toContain('Confirm first that it is you');
  await database.rows('update sessions set proved_at = now()');
  const fresh = await allow();
  expect(fresh.page).not.toContain('/prove');
  expect(fresh.answer.status).toBe(200);
});

test('a client that may invite people gets no link that signs in as them', async () => {
  const { access_token } = await connect(server, owner);
  await database.rows(
    `with granted as (
      update oauth_grants set scopes = scopes || '{members:write}'
       where id = (select id from oauth_grants order by created_at desc limit 1) returning id, scopes)
    update oauth_tokens set payload = payload || jsonb_build_object('scope', array_to_string(granted.scopes, ' '))
      from granted where grant_id = granted.id`,
  );
  smtp.behave('refuse_for_good');
  const invite = () => server.call('invite_person', { email: 'kim@example.com' }, { key: access_token });
  await expect.poll(async () => (await invite()).status, { timeout: 3_000 }).toBe(200);
  expect((await invite()).body).toMatchObject({ mailed: false, join_link: null });
  smtp.behave('take');
});

test('the first use of a program or a key from a new network is mailed to its person, once a day', async () => {
  const { access_token } = await connect(server, owner);
  const { key } = await server.ok('create_key', { label: 'Travelling' });
  const service = await connect(server, owner, {
    client: await register(server, { redirect_uris: ['https://service.example/callback'] }),
    params: { redirect_uri: 'https://service.example/callback' },
  });
  const all = [access_token, key, service.access_token];
  const places = 'select place from key_places union all select place from oauth_grant_places';
  for (const network of ['198.51.1', '198.51.2', '198.51.3']) {
    for (const each of all) expect(await use(each, `${network}.7`)).toBe(200);
    const noted = async () => (await database.rows(places)).filter(({ place }) => place === `${network}.0/24`).length;
    await expect.poll(noted).toBe(all.length);
  }
  const subject = 'An agent was used from a new network';
  await expect.poll(() => listMailsTitled(subject).length, { timeout: 10_000 }).toBe(2);
  const texts = listMailsTitled(subject).map(({ text }) => text);
  expect(texts.join()).toContain('“Travelling”');
  expect(texts.join()).toContain('A client that you connected on');
  for (const text of texts) expect(text).toContain('198.51.2.0/24');
  const { clients } = await server.ok('list_connected_clients');
  expect(clients[0]?.places.map(({ place }: { place: string }) => place)).toEqual([
    '198.51.3.0/24',
    '198.51.2.0/24',
    '198.51.1.0/24',
  ]);
});

test('a person is mailed when a used refresh token came again after its successor was used', async () => {
  const { client, refresh_token } = await connect(server, owner);
  const next = (await (await refresh(server, client, refresh_token)).json()) as Tokens;
  expect((await refresh(server, client, next.refresh_token)).status).toBe(200);
  expect((await refresh(server, client, refresh_token)).status).toBe(400);
  const subject = 'A connected client was disconnected';
  await expect.poll(() => listMailsTitled(subject).length, { timeout: 10_000 }).toBe(1);
  const { person } = (await owner.ok('who_am_i')) as { person: { email: string } };
  expect(listMailsTitled(subject)[0]?.to).toEqual([person.email]);
});

test('a connected client stores, changes and lists variables of its own tier, and no other client writes there', async () => {
  const own = { key: (await connect(server, owner)).access_token };
  const other = { key: (await connect(server, owner)).access_token };
  const named = { var_scope: 'agent' as const, var_name: 'OF_CLIENT' };
  const { status, body } = await server.call(
    'set_variable',
    { ...named, value: 'v1', hosts: ['api.acme.example'] },
    own,
  );
  expect({ status, body }).toMatchObject({ status: 200, body: { scope: 'agent' } });
  expect((await server.call('set_variable', { ...named, value: 'v2' }, own)).status).toBe(200);
  const listed = await server.ok('list_variables', { var_scope: 'agent' }, own);
  expect(listed.variables).toMatchObject([{ name: 'OF_CLIENT' }]);
  const mine = { ...named, scope_id: String(listed.variables[0]?.scope_id) };
  expect((await server.call('set_variable', { ...mine, value: 'v3' }, other)).status).toBe(403);
  expect((await owner.ok('list_variables', { var_scope: 'agent', scope_id: mine.scope_id }))['variables']).toHaveLength(
    1,
  );
  expect(
    await database.rows(`select name from variables where grant_id = $1 and set_by_kind = 'agent'`, [mine.scope_id]),
  ).toHaveLength(1);
});
