import { afterAll, beforeAll, expect, test } from 'vitest';
import type { GoogleEmulator } from '#emulators/google/index';
import { linkGoogle, startServerWithGoogle } from '../support/google.ts';
import { openAsOwner } from '../support/owner-database.ts';
import { addPerson } from '../support/second-person.ts';
import { reachServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let google: GoogleEmulator;
let close: () => Promise<void>;
let agentKey: string;
beforeAll(async () => {
  ({ server, google, close } = await startServerWithGoogle());
  google.addAccount({ email: 'ada@example.com', name: 'Ada' });
  agentKey = String((await server.ok('create_key', { label: 'Agent' }))['key']);
});
afterAll(() => close());

type Row = {
  slug: string;
  title: string;
  install_id: string;
  action_name: string;
  requires_confirmation: boolean;
  input_schema: object;
  examples: object[];
  frontmatter: { source: string };
};
async function listActions(input: object = {}, key = agentKey): Promise<Row[]> {
  const { pages } = await server.ok('query', { type: 'integration_action', limit: 100, ...input }, { key });
  return pages as unknown as Row[]; // what is found of this type has all of these
}

test('the actions of an account are found as long as it is linked', async () => {
  expect(await listActions()).toEqual([]);
  const { connectionId } = await linkGoogle(server, google, { sources: ['gmail'] });
  const found = await listActions();
  expect(found.map((each) => each.action_name)).toEqual(expect.arrayContaining(['send_email', 'archive_thread']));
  expect(found.every((each) => each.install_id === connectionId && each.frontmatter.source === 'gmail')).toBe(true);
  await linkGoogle(server, google, { sources: ['calendar'] });
  expect((await listActions()).map((each) => each.action_name)).toContain('create_event');
  const database = await openAsOwner(server.connectionString);
  const { key } = await addPerson(database);
  await database.close();
  const theirs = await reachServer(server.url, key).ok('query', { type: 'integration_action' });
  expect(theirs['pages']).toEqual([]);
});

test('a search finds the action, and its page is enough to draft it', async () => {
  const [mail] = await listActions({ q: 'send a mail' });
  expect(mail).toMatchObject({
    action_name: 'send_email',
    requires_confirmation: true,
    slug: expect.stringMatching(/^integration_action-[0-9a-f-]{36}-send_email$/),
    input_schema: { type: 'object', required: expect.arrayContaining(['to', 'subject', 'body']) },
  });
  const page = await server.ok('get_page', { slug: mail?.slug }, { key: agentKey });
  expect(page).toMatchObject({ type: 'integration_action', body: expect.stringContaining('act_on_integration') });
  for (const { install_id, action_name, examples } of (await listActions()).filter(
    (each) => each.frontmatter.source === 'gmail',
  )) {
    const request = { install_id, action_name, input: examples[0] };
    const { body } = await server.call('act_on_integration', request, { key: agentKey });
    // The thread of the examples does not exist.
    const isOfThread = 'thread_id' in (examples[0] ?? {});
    if (isOfThread) expect(body['detail'], action_name).toContain('There is no thread');
    else expect(body, action_name).toMatchObject({ kind: 'draft' });
  }
});

test('conditions and pages work as for every page', async () => {
  const all = await listActions();
  const calendar = await listActions({ where: { source: 'calendar' } });
  expect(calendar.length).toBeGreaterThan(0);
  expect(calendar.every((each) => each.frontmatter.source === 'calendar')).toBe(true);
  const pages = [await listActions({ limit: 2 }), await listActions({ limit: 2, offset: 2 })];
  expect(pages.flat().map((each) => each.slug)).toEqual(all.slice(0, 4).map((each) => each.slug));
});

test('an action that a rule always blocks is not offered', async () => {
  const rules = [{ effect: 'allow', actions: ['send_email'], every_recipient: '*@example.com' }, { effect: 'block' }];
  const { key } = await server.ok('create_key', { label: 'Mails alone', rules });
  expect((await listActions({}, String(key))).map((each) => each.action_name)).toEqual(['send_email']);
  const [archive] = await listActions({ q: 'archive' });
  expect((await server.call('get_page', { slug: archive?.slug }, { key: String(key) })).status).toBe(404);
});

test('the page shows whether the policy lets the action go without approval, for each caller', async () => {
  const { version } = await server.ok('get_policy');
  const rules = [{ effect: 'allow', actions: ['mark_as_read'], callers: ['key'] }];
  await server.ok('set_policy', { version, rules });
  const asked = Object.fromEntries((await listActions()).map((each) => [each.action_name, each.requires_confirmation]));
  expect(asked).toMatchObject({ mark_as_read: false, send_email: true });
});
