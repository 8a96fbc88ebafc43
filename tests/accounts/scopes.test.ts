import { agentScopes, ownerScopes, scopes, type Scope } from '#kernel/scopes';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeProduct } from '../../src/server.ts';
import type { GoogleEmulator } from '#emulators/google/index';
import { startServerWithGoogle } from '../support/google.ts';
import { connectMcp } from '../support/mcp-client.ts';
import type { TestServer } from '../support/server.ts';
import { createWorld, type World } from '../support/world.ts';

const operations = [...(await describeProduct()).values()];

let server: TestServer;
let google: GoogleEmulator;
let close: () => Promise<void>;
let world: World;
let agent: string;

beforeAll(async () => {
  ({ server, google, close } = await startServerWithGoogle());
  world = createWorld(server, google);
  agent = await createKey({ label: 'Agent' });
});
afterAll(() => close());

async function createKey(input: Record<string, unknown>, key = server.key): Promise<string> {
  return String((await server.ok('create_key', input, { key }))['key']);
}

test('the owner’s key has every scope, and an agent’s key lacks those that act for a person', async () => {
  expect((await server.ok('who_am_i'))['scopes']).toEqual(ownerScopes);
  expect([...ownerScopes].toSorted()).toEqual([...scopes].toSorted());
  const keyScopes = (await server.ok('who_am_i', {}, { key: agent }))['scopes'] as Scope[];
  expect(keyScopes).toEqual(agentScopes);
  expect(scopes.filter((scope) => !keyScopes.includes(scope))).toEqual([
    'brains:write',
    'brains:move',
    'brains:delete',
    'knowledge:write',
    'members:write',
    'syncs:write',
    'connections:delete',
    'variables:delete',
    'shared_variables:write',
    'permission_sets:write',
    'actions:confirm',
    'keys:read',
    'keys:write',
    'sign_in_links:create',
    'policy:write',
    'notifications:write',
    'approvers:read',
    'approvers:write',
    'workspace:admin',
    'boards:delete',
    'boards:share',
    'documents:delete',
    'automations:activate',
    'recipes:publish',
    'recipes:uninstall',
    'connectors:write',
    'sessions:capture',
  ]);
});

describe('the scopes that an agent’s key lacks', () => {
  const beyond = operations.filter(({ access }) => !agentScopes.includes(access.scope));

  test('include deciding, making keys and signing in', () => {
    const names = ['confirm_action', 'confirm_actions', 'create_key', 'revoke_key', 'list_keys', 'create_sign_in_link'];
    expect(beyond.map(({ name }) => name)).toEqual(expect.arrayContaining(names));
  });

  test.for(beyond.map((operation) => [operation.name, operation] as const))(
    'guard %s: not by REST, not by MCP, not through manage',
    async ([name, operation]) => {
      const input = await world.real(operation.examples[0]?.input ?? {});
      const code = operation.errors.includes('approval_required') ? 'approval_required' : 'forbidden';
      google.ledger.clear();
      expect((await server.call(name, input, { key: agent })).body).toMatchObject({ code });
      const client = await connectMcp(`${server.url}/mcp?toolsets=all`, agent);
      const managed = { name: 'manage', arguments: { action: name, ...input } };
      expect(await client.callTool(managed)).toMatchObject({ isError: true, structuredContent: { code } });
      const tools = (await client.listTools()).tools.map((tool) => tool.name);
      if (tools.includes(name)) {
        expect(await client.callTool({ name, arguments: input })).toMatchObject({
          isError: true,
          structuredContent: { code },
        });
      } else {
        await expect(client.callTool({ name, arguments: input })).rejects.toThrow(/Unknown tool/);
      }
      await client.close();
      expect(google.ledger.sent()).toEqual([]);
    },
  );

  test('cost a draft and a link by which the agent’s person can act', async () => {
    const draft_id = await world.make('draft');
    const { status, body } = await server.call('confirm_action', { draft_id }, { key: agent });
    expect(status).toBe(409);
    expect(body).toMatchObject({
      code: 'approval_required',
      details: {
        approval_url: expect.stringMatching(new RegExp(`/inbox/${draft_id}$`)),
        draft: { draft_id, status: 'pending' },
      },
    });
  });
});

describe('a key', () => {
  test('cannot have a scope that its maker lacks', async () => {
    const maker = await createKey({ label: 'Maker', scopes: ['keys:write', 'memory:read'] });
    const { status, body } = await server.call(
      'create_key',
      { label: 'More', scopes: ['memory:read', 'memory:write'] },
      { key: maker },
    );
    expect(status).toBe(403);
    expect(body).toMatchObject({ code: 'forbidden', details: { missing: ['memory:write'] } });
    expect((await server.call('create_key', { label: 'Default' }, { key: maker })).status).toBe(403);
    const less = await createKey({ label: 'Less', scopes: ['memory:read'] }, maker);
    expect((await server.call('list_memories', {}, { key: less })).status).toBe(200);
    expect((await server.call('add_memory', { content: 'x' }, { key: less })).status).toBe(403);
  });

  test('of one brain reads that brain and those above it, writes only there, and makes no wider key', async () => {
    const [parent, sibling] = [await world.make('brain'), await world.make('brain')];
    const child = String((await server.ok('create_brain', { name: 'Below', parent_brain_id: parent }))['brain_id']);
    const narrow = await createKey({ label: 'Narrow', home_brain_id: child, reach: 'brain', scopes: [...ownerScopes] });
    const { brains } = await server.ok('list_brains', {}, { key: narrow });
    expect((brains as { id: string }[]).map(({ id }) => id).toSorted()).toEqual([parent, child].toSorted());
    const write = async (target_brain_id: string) =>
      (await server.call('add_memory', { content: 'Below', target_brain_id }, { key: narrow })).status;
    expect([await write(child), await write(parent), await write(sibling)]).toEqual([200, 403, 404]);
    const wider = await createKey({ label: 'Wider', reach: 'owner' }, narrow);
    expect((await server.ok('who_am_i', {}, { key: wider }))['reach']).toBe('brain');
    expect(
      (await server.call('create_key', { label: 'Elsewhere', home_brain_id: sibling }, { key: narrow })).status,
    ).toBe(404);
  });

  test('lives no longer than the key that made it', async () => {
    const maker = await server.ok('create_key', { label: 'For a day', scopes: [...ownerScopes], expires_in_days: 1 });
    const { expires_at } = await server.ok('create_key', { label: 'For ever' }, { key: String(maker['key']) });
    expect(Date.parse(String(expires_at))).toBeLessThanOrEqual(Date.parse(String(maker['expires_at'])));
  });

  test('without every scope cannot make a sign-in link, since the session behind the link would have them', async () => {
    const few = await createKey({ label: 'Links', scopes: ['sign_in_links:create', 'brains:read'] });
    const narrow = await createKey({ label: 'Narrow', scopes: [...ownerScopes], reach: 'brain' });
    for (const key of [few, narrow]) {
      expect((await server.call('create_sign_in_link', {}, { key })).body).toMatchObject({ code: 'forbidden' });
    }
    const all = await createKey({ label: 'All', scopes: [...ownerScopes] });
    expect((await server.call('create_sign_in_link', {}, { key: all })).status).toBe(200);
  });

  test('is shown once, and stored as a hash', async () => {
    const key = await createKey({ label: 'Shown once' });
    const { keys } = await server.ok('list_keys');
    expect(JSON.stringify(keys)).not.toContain(key);
    expect(keys).toContainEqual(expect.objectContaining({ label: 'Shown once', prefix: `${key.slice(0, 9)}…` }));
  });
});
