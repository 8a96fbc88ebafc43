import { afterAll, beforeAll, expect, test } from 'vitest';
import { enter, signInOwner, type SignedIn } from '../../../../tests/support/colleague.ts';
import { startServerWithGoogle } from '../../../../tests/support/google.ts';
import { buildSessionHeaders, readSession } from '../../../../tests/support/google.ts';
import { openAsOwner, type OwnerDatabase } from '../../../../tests/support/owner-database.ts';
import type { TestServer } from '../../../../tests/support/server.ts';
import { startSmtp, type SmtpServer } from '../../../../tests/support/smtp.ts';
import { createWorld } from '../../../../tests/support/world.ts';

let smtp: SmtpServer;
let running: Awaited<ReturnType<typeof startServerWithGoogle>>;
let server: TestServer;
let database: OwnerDatabase;
let owner: SignedIn;

beforeAll(async () => {
  smtp = await startSmtp();
  running = await startServerWithGoogle({
    THALAMUS_MAIL_URL: smtp.url,
    THALAMUS_OWNER_EMAIL: 'ada@example.com',
    THALAMUS_SIGN_UP: 'evil.example',
  });
  server = running.server;
  database = await openAsOwner(server.connectionString);
  owner = await signInOwner(server, database);
});
afterAll(async () => {
  await database.close();
  await running.close();
  await smtp.close();
});

const linkTo = (email: string, pattern: RegExp) =>
  expect
    .poll(() => smtp.taken.findLast(({ to, text }) => to.includes(email) && pattern.test(text))?.text)
    .toBeTruthy()
    .then(() => pattern.exec(smtp.taken.findLast(({ to }) => to.includes(email))?.text ?? '')?.[1] ?? '');

/** Adds an address and returns the token of the mailed link. */
async function add(person: SignedIn, email: string): Promise<string> {
  await person.ok('add_address', { email });
  return linkTo(email, /\/account\/address#(ta_[\w-]+)\//);
}

async function signInByMail(email: string): Promise<{ status: number; personId?: string }> {
  const post = (path: string, body: object) =>
    server.request(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: server.url },
      body: JSON.stringify(body),
    });
  await post('/auth/mail', { email });
  const token = await linkTo(email, /\/sign-in#(tl_[\w-]+)/);
  const answer = await post('/auth/sign-in', { token });
  const session = answer.status === 200 ? buildSessionHeaders(await readSession(answer)) : {};
  const me = await server.request('/v1/tools/who_am_i', {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: server.url, ...session },
    body: '{}',
  });
  const { person } = (await me.json()) as { person?: { id: string } };
  return { status: answer.status, ...(person && { personId: person.id }) };
}

test('people can change their own name, and others see the new one', async () => {
  expect(await owner.ok('update_profile', { name: 'Ada Lovelace' })).toMatchObject({ name: 'Ada Lovelace' });
  const { people } = (await owner.ok('list_people')) as { people: object[] };
  expect(people).toContainEqual(expect.objectContaining({ name: 'Ada Lovelace', email: 'ada@example.com' }));
  const { key } = await server.ok('create_key', { label: 'Agent' });
  expect((await server.call('update_profile', { name: 'Agent' }, { key })).status).toBe(403);
});

test('a second address signs its person in after its link was opened, and becomes the one that the workspace knows', async () => {
  const token = await add(owner, 'ada@second.example');
  const early = await owner.call('update_profile', { email: 'ada@second.example' });
  expect(early).toMatchObject({ status: 422, body: { detail: expect.stringContaining('add_address') } });
  const wrong = { email: 'ada@third.example', token };
  expect((await owner.call('confirm_address', wrong)).status).toBe(404);
  expect(await owner.ok('confirm_address', { email: 'ada@second.example', token })).toMatchObject({ proved: true });
  expect((await owner.call('confirm_address', { email: 'ada@second.example', token })).status).toBe(404);
  expect(await signInByMail('ada@second.example')).toEqual({ status: 200, personId: owner.personId });
  await signInByMail('ada@example.com');
  expect((await owner.call('remove_address', { email: 'ada@example.com' })).status).toBe(409);
  expect(await owner.ok('update_profile', { email: 'ada@second.example' })).toMatchObject({
    email: 'ada@second.example',
  });
  expect(await owner.ok('remove_address', { email: 'ada@example.com' })).toMatchObject({ removed: true });
  expect(await owner.ok('list_authenticators')).toMatchObject({ addresses: ['ada@second.example'] });
});

test('only a person who has just proved who they are can add an address', async () => {
  await database.rows(`update sessions set proved_at = now() - interval '11 minutes'`);
  for (const [operation, input] of [
    ['add_address', { email: 'late@example.com' }],
    ['remove_address', { email: 'ada@second.example' }],
    ['update_profile', { email: 'ada@second.example' }],
  ] as const)
    expect(await owner.call(operation, input), operation).toMatchObject({
      status: 403,
      body: { details: { reason: 'proof_needed' } },
    });
  await database.rows('update sessions set proved_at = now()');
});

test('an address that another person proved stays with that person', async () => {
  const mary = await joinByMail('mary@example.com');
  const token = await add(owner, 'mary@example.com');
  expect((await owner.call('confirm_address', { email: 'mary@example.com', token })).status).toBe(409);
  expect((await mary.ok('who_am_i'))['person']).toMatchObject({ email: 'mary@example.com' });
});

test('a person who opened somebody else’s invitation link loses every sign-in method once the invited address is proved', async () => {
  const thief = await joinByHand('noah@example.com');
  const token = await add(thief, 'thief@evil.example');
  await thief.ok('confirm_address', { email: 'thief@evil.example', token });
  await thief.ok('set_password', { password: 'correct horse battery staple' });
  const kept = await thief.call('update_profile', { email: 'thief@evil.example' });
  expect(kept).toMatchObject({ status: 403, body: { detail: expect.stringContaining('add_address') } });
  expect(await signInByMail('noah@example.com')).toEqual({ status: 200, personId: thief.personId });
  await expect.poll(async () => (await thief.call('who_am_i')).status, { timeout: 3_000 }).toBe(401);
  const left = await database.rows(
    `select a.email from identity_addresses a join people p using (identity_id) where p.id = $1`,
    [thief.personId],
  );
  expect(left).toEqual([{ email: 'noah@example.com' }]);
  expect(await database.rows(`select 1 from authenticators where kind = 'password'`)).toEqual([]);
});

test('a person who opened somebody else’s invitation link is out once its owner proves the address with an account they had', async () => {
  const thief = await joinByHand('liam@example.com');
  await thief.ok('confirm_address', {
    email: 'second@evil.example',
    token: await add(thief, 'second@evil.example'),
  });
  const token = await add(owner, 'liam@example.com');
  await owner.ok('confirm_address', { email: 'liam@example.com', token });
  await expect.poll(async () => (await thief.call('who_am_i')).status, { timeout: 3_000 }).toBe(401);
  const left = `select 1 from identity_addresses where email = 'second@evil.example'`;
  expect(await database.rows(left)).toEqual([]);
});

test('keys that a person made behind somebody else’s invitation link end once the invited address is proved', async () => {
  const thief = await joinByHand('olga@example.com');
  const { key } = await thief.ok('create_key', { label: 'Kept' });
  expect(await signInByMail('olga@example.com')).toEqual({ status: 200, personId: thief.personId });
  const byKey = () => server.call('who_am_i', {}, { key: String(key) });
  await expect.poll(async () => (await byKey()).status, { timeout: 3_000 }).toBe(401);
});

test('a person who opened somebody else’s invitation link keeps their own workspace apart once the invited address is proved', async () => {
  const thief = await joinByHand('nina@example.com');
  await thief.ok('confirm_address', { email: 'back@evil.example', token: await add(thief, 'back@evil.example') });
  const { workspace_id } = await thief.ok('create_workspace', { name: 'Evil' });
  expect(await signInByMail('nina@example.com')).toEqual({ status: 200, personId: thief.personId });
  const owners = await database.rows(
    `select email, identity_id = (select identity_id from people where id = $2) as is_same from people where workspace_id = $1`,
    [workspace_id, thief.personId],
  );
  expect(owners).toEqual([{ email: 'back@evil.example', is_same: false }]);
});

/** Rows that act for a person, by kind; $1 is the person. */
const actingFor = `
  select 'key' as kind from keys where person_id = $1 and revoked_at is null
  union select 'client' from oauth_grants where person_id = $1 and ended_at is null
  union select 'link' from sign_in_links join one_time_secrets on subject_id = sign_in_links.id where person_id = $1 and used_at is null
  union select 'second factor' from pending_sign_ins where person_id = $1
  union select 'invitation' from brain_invitations where invited_by = $1
  union select 'automation' from automations where person_id = $1 and state = 'active'
  union select 'address of an automation' from automations where person_id = $1 and webhook_hash is not null
  union select 'account' from connections where person_id = $1 and (status <> 'revoked' or access_token is not null)
  union select 'sync' from syncs where person_id = $1 and status <> 'stopped'
  union select 'phone' from telegram_links where person_id = $1
  union select 'connector' from connectors where person_id = $1
  union select 'webhook connector' from webhook_connectors where person_id = $1 and state = 'active'
  union select 'destination' from output_destinations where person_id = $1 and state = 'active'
  union select 'route' from output_routes where person_id = $1 and state <> 'detached'
  union select 'draft' from drafts where person_id = $1 and status = 'pending' and expires_at > now()
  union select 'approver' from approvers where person_id = $1 and ended_at is null
  union select 'variable' from variables where person_id = $1
  union select 'link for a variable' from variable_links where created_by = $1
  order by kind`;

test('all that acts for a person who opened somebody else’s invitation link ends once the invited address is proved', async () => {
  const thief = await joinByHand('quinn@example.com');
  const world = createWorld({ ...server, ok: thief.ok as typeof server.ok, call: thief.call }, running.google);
  const kinds = ['memory', 'key', 'connected_client', 'sync', 'draft', 'connector'];
  for (const kind of kinds) await world.make(kind);
  const { person } = (await owner.ok('who_am_i')) as { person: { email: string } };
  await thief.ok('name_approver', { email: person.email });
  const automation_id = await world.make('hooked_automation');
  await thief.ok('update_automation', { automation_id, state: 'active' });
  await thief.ok('rotate_automation_webhook', { automation_id });
  const webhook_connector_id = await world.make('changed_webhook_connector');
  const feed = await thief.ok('register_output_destination', { name: 'Feed', output_destination_kind: 'feed' });
  const { output_destination_id } = feed;
  const source = { output_source_kind: 'webhook_connector', output_source_id: webhook_connector_id };
  await thief.ok('attach_output_route', { ...source, output_destination_id });
  await thief.ok('set_variable', { var_scope: 'person', var_name: 'TOKEN', value: 'of the thief' });
  await thief.ok('create_variable_link', { var_scope: 'person', var_name: 'OTHER' });
  await thief.ok('create_sign_in_link');
  const brain_id = await world.make('brain');
  smtp.behave('refuse_for_good');
  await thief.ok('invite_member', { brain_id, email: 'friend@evil.example', access_level: 'viewer' });
  smtp.behave('take');
  await database.rows(
    `insert into telegram_links (id, workspace_id, connection_id, person_id, code_is_human_surface, chat_id, is_human_surface, created_at)
     select gen_random_uuid(), workspace_id, id, person_id, true, 7, true, now() from connections where person_id = $1`,
    [thief.personId],
  );
  await database.rows(
    `with secret as (insert into one_time_secrets (workspace_id, subject_id, purpose, secret_hash, created_at, expires_at)
       select workspace_id, gen_random_uuid(), 'second_factor', 'hash', now(), now() + interval '1 hour' from people where id = $1 returning *)
     insert into pending_sign_ins (id, workspace_id, person_id, method) select subject_id, workspace_id, $1, 'password' from secret`,
    [thief.personId],
  );
  const acting = async () => (await database.rows(actingFor, [thief.personId])).map(({ kind }) => kind);
  expect(await acting()).toHaveLength(actingFor.split(' union ').length);

  expect(await signInByMail('quinn@example.com')).toEqual({ status: 200, personId: thief.personId });
  expect(await acting()).toEqual([]);
  const read = { headers: { authorization: `Bearer ${String(feed['feed_token'])}` } };
  expect((await server.request('/v1/feed', read)).status).toBe(401);
  const memories = await database.rows('select 1 from memories where stored_by = $1', [thief.personId]);
  expect(memories.length).toBeGreaterThan(0);
});

/** A person who was invited by mail and joins by its link. */
async function joinByMail(email: string): Promise<SignedIn> {
  await server.ok('invite_person', { email });
  return enter(server, database, `${server.url}/sign-in#${await linkTo(email, /\/sign-in#(tl_[\w-]+)/)}`);
}

/** The same with a link that is passed on, because no mail can be sent. */
async function joinByHand(email: string): Promise<SignedIn> {
  smtp.behave('refuse_for_good');
  const { join_link } = (await server.ok('invite_person', { email })) as { join_link: { url: string } | null };
  smtp.behave('take');
  return enter(server, database, join_link?.url ?? '');
}
