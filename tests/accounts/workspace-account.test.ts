import { ownerScopes } from '#kernel/scopes';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { GoogleEmulator } from '#emulators/google/index';
import { linkGoogle, signIn, startServerWithGoogle, type Browser } from '../support/google.ts';
import { openAsOwner, type OwnerDatabase } from '../support/owner-database.ts';
import { addPerson } from '../support/second-person.ts';
import type { TestServer } from '../support/server.ts';

let server: TestServer;
let google: GoogleEmulator;
let close: () => Promise<void>;
let database: OwnerDatabase;
let browser: Browser;
let member: { key: string };

beforeAll(async () => {
  ({ server, google, close } = await startServerWithGoogle());
  database = await openAsOwner(server.connectionString);
  member = { key: (await addPerson(database)).key };
  browser = await signIn(server);
  for (const email of ['team@example.com', 'ada@example.com']) {
    google.addAccount({ email, name: email });
    google.seedMail(email, { from: 'noah@x.example', subject: `For ${email}`, text: 'Hello' });
  }
});
afterAll(async () => {
  await database.close();
  await close();
});

async function linkForAll(): Promise<string> {
  const { authorization_url } = await browser.ok('start_oauth', {
    provider: 'google',
    source: 'gmail',
    owner: 'workspace',
  });
  const target = await google.approve(String(authorization_url), { email: 'team@example.com' });
  const { code, state } = Object.fromEntries(new URL(target).searchParams);
  return String((await browser.ok('finish_oauth', { code, state }))['connection_id']);
}

async function fetchTitles(key: { key: string } | undefined): Promise<unknown[]> {
  const { page_slugs } = await server.ok('fetch_from_integration', { source: 'gmail', request: 'from:noah' }, key);
  const pages = (page_slugs as string[]).map((slug) => server.ok('get_page', { slug }, key));
  return (await Promise.all(pages)).map(({ title }) => title);
}

test('a mailbox of the workspace serves every member; their own comes first, and linking it again gives the same account', async () => {
  const connection_id = await linkForAll();
  expect(await fetchTitles(member)).toEqual(['For team@example.com']);
  expect(await fetchTitles(undefined)).toEqual(['For team@example.com']);
  expect(await linkForAll()).toBe(connection_id);

  await linkGoogle(server, google, { email: 'ada@example.com', sources: ['gmail'], browser });
  expect(await fetchTitles(undefined)).toEqual(['For ada@example.com']);
  expect(await fetchTitles(member)).toEqual(['For team@example.com']);
  const { last_sync_at } = await server.ok('get_connection', { connection_id }, member);
  expect(last_sync_at).not.toBeNull();
});

test('a member links accounts for themself only', async () => {
  // Who calls with a key is known for a second before it is looked up again.
  const scopes = async () => (await server.ok('who_am_i')).scopes;
  await database.rows(`update people set role = 'member' where role = 'owner'`);
  try {
    await expect.poll(scopes, { timeout: 5_000 }).not.toContain('workspace:admin');
    const input = { provider: 'google', source: 'gmail', owner: 'workspace' };
    const later = await signIn(server);
    await expect(later.ok('start_oauth', input)).rejects.toThrow(/403.*Only an admin or the owner/);
  } finally {
    await database.rows(`update people set role = 'owner' where email = 'owner@localhost'`);
    await expect.poll(scopes, { timeout: 5_000 }).toContain('workspace:admin');
  }
});

test('a key of one brain sees and decides its own drafts, and no other draft of its person', async () => {
  const keys: string[] = [];
  for (const name of ['Garden', 'Kitchen']) {
    const home_brain_id = String((await server.ok('create_brain', { name }))['brain_id']);
    const options = { label: name, home_brain_id, reach: 'brain', scopes: [...ownerScopes] };
    keys.push(String((await server.ok('create_key', options))['key']));
  }
  const draftAs = async (key: string | undefined, subject: string) => {
    const input = { to: ['noah@example.com'], subject, body: 'Soup at noon.' };
    const request = { source: 'gmail', action_name: 'send_email', input, account: 'team@example.com' };
    return String((await server.ok('act_on_integration', request, key ? { key } : {}))['draft_id']);
  };
  const [garden, kitchen] = keys;
  const [inGarden, elsewhere] = [await draftAs(garden, 'From the garden'), await draftAs(undefined, 'From elsewhere')];
  const listed = async (key: string | undefined) =>
    ((await server.ok('list_pending_actions', {}, { key: key ?? '' }))['drafts'] as { draft_id: string }[]).map(
      ({ draft_id }) => draft_id,
    );
  expect(await listed(garden)).toEqual([inGarden]);
  expect(await listed(kitchen)).toEqual([]);
  const { prompts } = await server.ok('list_inbox_prompts', {}, { key: garden ?? '' });
  expect((prompts as { id: string }[]).map(({ id }) => id)).toEqual([inGarden]);
  for (const [operation, input] of [
    ['get_action', { draft_id: elsewhere }],
    ['confirm_action', { draft_id: elsewhere }],
    ['discard_action', { draft_id: elsewhere }],
    ['discard_actions', { draft_ids: [elsewhere] }],
  ] as const)
    expect((await server.call(operation, input, { key: garden ?? '' })).status, operation).toBe(404);
  await server.ok('discard_action', { draft_id: inGarden }, { key: garden ?? '' });
  expect(await server.ok('get_action', { draft_id: elsewhere })).toMatchObject({ status: 'pending' });
  await server.ok('discard_action', { draft_id: elsewhere });
});
