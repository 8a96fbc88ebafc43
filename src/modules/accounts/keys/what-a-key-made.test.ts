import { afterAll, beforeAll, expect, test } from 'vitest';
import { signInOwner, type SignedIn } from '../../../../tests/support/colleague.ts';
import { openAsOwner, type OwnerDatabase } from '../../../../tests/support/owner-database.ts';
import { startTestServer, type TestServer } from '../../../../tests/support/server.ts';

let server: TestServer;
let database: OwnerDatabase;
let ada: SignedIn;
beforeAll(async () => {
  server = await startTestServer({ THALAMUS_OWNER_EMAIL: 'ada@example.com' });
  database = await openAsOwner(server.connectionString);
  ada = await signInOwner(server, database);
});
afterAll(async () => {
  await database.close();
  await server.close();
});

const readStatus = async (key: unknown) => (await server.call('who_am_i', {}, { key: String(key) })).status;

async function open(url: unknown): Promise<number> {
  const headers = { 'content-type': 'application/json', origin: server.url };
  const body = JSON.stringify({ token: new URL(String(url)).hash.slice(1) });
  return (await server.request('/auth/sign-in', { method: 'POST', headers, body })).status;
}

const powers = [
  'keys:read',
  'keys:write',
  'members:write',
  'brains:read',
  'sign_in_links:create',
  'connectors:write',
  'workspace:admin',
];
type InvitationAnswer = { join_link: { url: string } | null; invitation_id: string };

test('everything that a leaked key created ends with it: keys of its keys, tokens and open invitations', async () => {
  const leaked = await ada.ok('create_key', { label: 'Leaked', scopes: powers });
  const by = { key: String(leaked['key']) };
  const child = await server.ok('create_key', { label: 'Child', scopes: ['keys:write', 'brains:read'] }, by);
  const grandchild = await server.ok(
    'create_key',
    { label: 'Grandchild', scopes: ['brains:read'] },
    { key: child.key },
  );
  const connector = await ada.call('create_connector', { name: 'Own', source: 'slack', connector_type: 'shared' });
  const owned = await server.call('create_connector', { name: 'Evil', source: 'slack', connector_type: 'shared' }, by);
  const pending = (await server.ok(
    'invite_person',
    { email: 'pending@evil.example' },
    by,
  )) as unknown as InvitationAnswer;
  const resent = (await ada.ok('invite_person', { email: 'resent@evil.example' })) as unknown as InvitationAnswer;
  const again = (await server.ok(
    'resend_invitation',
    { invitation_id: resent.invitation_id },
    by,
  )) as unknown as InvitationAnswer;
  expect([connector.status, owned.status]).toEqual([200, 200]);

  expect((await ada.ok('list_keys'))['keys']).toContainEqual(
    expect.objectContaining({ key_id: child.key_id, made_by_key: leaked['key_id'] }),
  );
  const revoked = await ada.ok('revoke_key', { key_id: leaked['key_id'] });
  expect(revoked['ended']).toMatchObject({ keys: 2, invitations: 2, people: 0 });
  for (const key of [by.key, child.key, grandchild.key])
    await expect.poll(() => readStatus(key), { timeout: 3_000 }).toBe(401);
  expect(await open(pending.join_link?.url)).toBe(401);
  expect(await open(again.join_link?.url)).toBe(401);
  const readToken = (body: Record<string, unknown>) =>
    database.rows('select 1 from webhook_tokens where id = $1', [body['connector_id']]);
  expect(await readToken(owned.body)).toEqual([]);
  expect(await readToken(connector.body)).toHaveLength(1);
  await expect.poll(() => readStatus(owned.body['webhook_token']), { timeout: 3_000 }).toBe(401);
});

test('a key whose new secret a leaked key received ends with it, and a key that a person rotated does not', async () => {
  const leaked = await ada.ok('create_key', { label: 'Rotating', scopes: powers });
  const by = { key: String(leaked['key']) };
  const taken = await ada.ok('create_key', { label: 'Taken', scopes: ['brains:read'] });
  const kept = await ada.ok('create_key', { label: 'Kept', scopes: ['brains:read'] });
  const stolen = await server.ok('rotate_key', { key_id: taken['key_id'] }, by);
  const own = await ada.ok('rotate_key', { key_id: kept['key_id'] });
  const again = await server.ok('rotate_key', { key_id: leaked['key_id'] }, by);
  expect(await ada.ok('revoke_key', { key_id: leaked['key_id'] })).toMatchObject({ ended: { keys: 1 } });
  for (const key of [by.key, again.key, stolen.key, taken['key']])
    await expect.poll(() => readStatus(key), { timeout: 3_000 }).toBe(401);
  expect(await readStatus(own['key'])).toBe(200);
});

test('people who joined through a leaked key are listed, and those that the person ticks are removed', async () => {
  const leaked = await ada.ok('create_key', { label: 'Inviting', scopes: powers });
  const by = { key: String(leaked['key']) };
  const joined = [];
  for (const email of ['friend@example.com', 'thief@evil.example']) {
    const { join_link } = (await server.ok('invite_person', { email }, by)) as unknown as InvitationAnswer;
    expect(await open(join_link?.url)).toBe(200);
    joined.push(email);
  }
  const listed = (
    (await ada.ok('list_keys'))['keys'] as { key_id: string; joined: { email: string; person_id: string }[] }[]
  ).find(({ key_id }) => key_id === leaked['key_id']);
  expect(listed?.joined.map(({ email }) => email)).toEqual(joined);
  const thief = listed?.joined[1]?.person_id;
  const other = (await ada.ok('list_people'))['people'] as { person_id: string; role: string }[];
  const owner = other.find(({ role }) => role === 'owner')?.person_id;
  expect((await ada.call('revoke_key', { key_id: leaked['key_id'], remove_people: [owner] })).status).toBe(409);
  const revoked = await ada.ok('revoke_key', { key_id: leaked['key_id'], remove_people: [thief] });
  expect(revoked).toMatchObject({ ended: { people: 1 }, joined: [{ email: 'friend@example.com' }] });
  const people = (await ada.ok('list_people'))['people'] as { email: string }[];
  expect(people.map(({ email }) => email)).toContain('friend@example.com');
  expect(people.map(({ email }) => email)).not.toContain('thief@evil.example');
});

test('what a key created outlives its rotation and its expiry', async () => {
  const parent = await ada.ok('create_key', { label: 'Parent', scopes: ['keys:write', 'keys:read', 'brains:read'] });
  const by = { key: String(parent['key']) };
  const child = await server.ok('create_key', { label: 'Child of it', scopes: ['brains:read'] }, by);
  await ada.ok('rotate_key', { key_id: parent['key_id'] });
  expect(await readStatus(child.key)).toBe(200);
  await database.rows(`update keys set expires_at = now() - interval '1 minute' where id = $1`, [parent['key_id']]);
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(await readStatus(child.key)).toBe(200);
});

test('destinations, feeds, webhook connectors and hook addresses that a key created end with it and say why; what a person renewed stays', async () => {
  const all = ((await ada.ok('list_keys'))['keys'] as { scopes: string[] }[]).map(({ scopes }) => scopes);
  const scopes = all.toSorted((one, other) => other.length - one.length)[0];
  const leaked = await ada.ok('create_key', { label: 'Wide', reach: 'owner', scopes });
  const by = { key: String(leaked['key']) };
  const brain_id = String((await ada.ok('create_brain', { name: 'Lighthouse' }))['brain_id']);
  const feed = { name: 'Reader', output_destination_kind: 'feed' as const };
  const [taken, renewed] = [
    await server.ok('register_output_destination', feed, by),
    await server.ok('register_output_destination', { ...feed, name: 'Of Ada' }),
  ];
  const { feed_token } = await server.ok(
    'rotate_output_secret',
    { output_destination_id: renewed.output_destination_id },
    by,
  );
  const own = await ada.ok('register_output_destination', { ...feed, name: 'Untouched' });
  const sender = { name: 'Open', brain_id, signature_scheme: 'none' as const };
  const connector = await server.ok('create_webhook_connector', sender, by);
  const signed = { ...sender, name: 'Signed', signature_scheme: 'hmac_sha256' as const };
  const safe = await server.ok('create_webhook_connector', signed, by);
  await ada.ok('update_webhook_config', {
    webhook_connector_id: safe.connector_id,
    webhook_secret: 'a-secret-of-the-person',
  });
  const draft = {
    name: 'Hooked',
    source: 'return 1',
    triggers: [{ kind: 'webhook' }],
    tool_grants: [{ tool: 'add_memory' }],
  };
  const { automation_id } = await ada.ok('save_automation_draft', draft);
  await ada.ok('update_automation', { automation_id, state: 'active' });
  const { webhook_url } = await server.ok('rotate_automation_webhook', { automation_id: String(automation_id) }, by);

  const reads = async (token: unknown) =>
    (await server.request('/v1/feed?cursor=0', { headers: { authorization: `Bearer ${String(token)}` } })).status;
  const posts = async (path: string) => (await server.request(path, { method: 'POST', body: '{}' })).status;
  const toConnector = () => posts(`/v1/webhook/${connector.webhook_slug}`);
  const toHook = () => posts(new URL(webhook_url).pathname);
  const now = async () => [
    await reads(taken.feed_token),
    await reads(feed_token),
    await reads(own['feed_token']),
    await toConnector(),
    await toHook(),
  ];
  expect(await now()).toEqual([200, 200, 200, 202, 202]);

  const { ended } = await ada.ok('revoke_key', { key_id: leaked['key_id'] });
  expect(ended).toMatchObject({ output_destinations: 2, webhook_connectors: 1, hook_addresses: 1 });
  await expect.poll(now, { timeout: 4_000, interval: 100 }).toEqual([401, 401, 200, 503, 404]);
  const reason = expect.stringContaining('revoked');
  const destinations = (await ada.ok('list_output_destinations'))['destinations'];
  expect(destinations).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ name: 'Reader', status: 'paused', status_reason: reason }),
      expect.objectContaining({ name: 'Of Ada', status: 'paused', status_reason: reason }),
      expect.objectContaining({ name: 'Untouched', status: 'active', status_reason: null }),
    ]),
  );
  const shown = (id: string) => ada.ok('get_webhook_connector', { webhook_connector_id: id });
  expect(await shown(connector.connector_id)).toMatchObject({ status: 'paused', status_reason: reason });
  expect(await shown(safe.connector_id)).toMatchObject({ status: 'draft', status_reason: null });
  expect(await ada.ok('get_automation', { automation_id })).toMatchObject({
    has_webhook_address: false,
    webhook_ended_reason: reason,
  });
});

test('pages for values that a key created end with it, and automations that it activated pause and say why', async () => {
  const all = ((await ada.ok('list_keys'))['keys'] as { scopes: string[] }[]).map(({ scopes }) => scopes);
  const scopes = all.toSorted((one, other) => other.length - one.length)[0];
  const leaked = await ada.ok('create_key', { label: 'Wide too', reach: 'owner', scopes });
  const by = { key: String(leaked['key']) };
  const link = await server.ok('create_variable_link', { var_name: 'TAKEN', var_scope: 'org' }, by);
  const kept = await ada.ok('create_variable_link', { var_name: 'KEPT', var_scope: 'org' });
  const save = async (name: string) => {
    const triggers = [{ kind: 'webhook' }];
    const draft = { name, source: 'return 1', triggers, tool_grants: [{ tool: 'add_memory' }] };
    const saved = await ada.ok('save_automation_draft', draft);
    return { automation_id: String(saved['automation_id']), state: 'active' as const };
  };
  const [taken, own, renewed] = [await save('Of the key'), await save('Of Ada'), await save('Renewed')];
  await server.ok('update_automation', taken, by);
  await ada.ok('update_automation', own);
  await server.ok('update_automation', renewed, by);
  await ada.ok('update_automation', { ...renewed, description: 'As Ada wants it' });

  const { ended } = await ada.ok('revoke_key', { key_id: leaked['key_id'] });
  expect(ended).toMatchObject({ variable_links: 1, automations: 1 });
  const page = async (url: unknown) => (await server.request(new URL(String(url)).pathname)).status;
  expect([await page(link['url']), await page(kept['url'])]).toEqual([404, 200]);
  const shown = async ({ automation_id }: typeof taken) => {
    const { state, paused_reason } = await ada.ok('get_automation', { automation_id });
    return [state, paused_reason];
  };
  expect(await shown(taken)).toEqual(['paused', expect.stringContaining('revoked')]);
  expect(await shown(own)).toEqual(['active', null]);
  expect(await shown(renewed)).toEqual(['active', null]);
  await ada.ok('update_automation', taken);
  expect(await shown(taken)).toEqual(['active', null]);
});
