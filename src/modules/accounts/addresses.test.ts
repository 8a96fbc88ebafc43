import { afterAll, beforeAll, expect, test } from 'vitest';
import { enter, signInOwner, type SignedIn } from '../../../tests/support/colleague.ts';
import { openAsOwner, type OwnerDatabase } from '../../../tests/support/owner-database.ts';
import { startTestServer, type TestServer } from '../../../tests/support/server.ts';
import { startSmtp, type SmtpServer } from '../../../tests/support/smtp.ts';

let smtp: SmtpServer;
let server: TestServer;
let database: OwnerDatabase;
let owner: SignedIn;

beforeAll(async () => {
  smtp = await startSmtp();
  server = await startTestServer({ THALAMUS_MAIL_URL: smtp.url, THALAMUS_OWNER_EMAIL: 'ada@example.com' });
  database = await openAsOwner(server.connectionString);
  owner = await signInOwner(server, database);
});
afterAll(async () => {
  await database.close();
  await server.close();
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
  const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? '';
  const me = await server.request('/v1/tools/who_am_i', {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: server.url, cookie },
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

test('a person who opened somebody else’s invitation link does not come back by an address of another workspace', async () => {
  const thief = await joinByHand('nina@example.com');
  await thief.ok('confirm_address', { email: 'back@evil.example', token: await add(thief, 'back@evil.example') });
  const { workspace_id } = await owner.ok('create_workspace', { name: 'Evil' });
  await database.rows(
    `insert into people (id, workspace_id, identity_id, name, email, role, created_at)
     select gen_random_uuid(), $1, identity_id, 'Thief', 'back@evil.example', 'member', now() from people where id = $2`,
    [workspace_id, thief.personId],
  );
  expect(await signInByMail('nina@example.com')).toEqual({ status: 200, personId: thief.personId });
  const [shared] = await database.rows(
    `select count(*)::int as people from people where identity_id = (select identity_id from people where id = $1)`,
    [thief.personId],
  );
  expect(shared).toEqual({ people: 1 });
});

/** A person who was invited by mail, and joins by its link. */
async function joinByMail(email: string): Promise<SignedIn> {
  await server.ok('invite_person', { email });
  return enter(server, database, `${server.url}/sign-in#${await linkTo(email, /\/sign-in#(tl_[\w-]+)/)}`);
}

/** The same by a link that is passed on, because no mail can be sent. */
async function joinByHand(email: string): Promise<SignedIn> {
  smtp.behave('refuse_for_good');
  const { join_link } = (await server.ok('invite_person', { email })) as { join_link: { url: string } | null };
  smtp.behave('take');
  return enter(server, database, join_link?.url ?? '');
}
