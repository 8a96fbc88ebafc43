// Operations that widen access or destroy data need a person, or a scope that a person granted by name.
import { agentScopes } from '#kernel/scopes';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeProduct } from '../../src/server.ts';
import type { GoogleEmulator } from '#emulators/google/index';
import { startServerWithGoogle } from '../support/google.ts';
import type { TestServer } from '../support/server.ts';
import { createWorld, type World } from '../support/world.ts';

const operations = [...(await describeProduct()).values()];
const isAgents = (scope: string) => agentScopes.some((agentScope) => agentScope === scope);

/** Writing operations for an agent's key. Add an operation only if it neither widens access nor destroys data. */
const ordinaryWrites = [
  'ack_inbox',
  'ack_inbox_action',
  'act_on_integration',
  'add_core_knowledge',
  'add_memories_bulk',
  'add_memory',
  'append_board_rows',
  'apply_starter_recipe',
  'archive_memory',
  'assign_skill',
  'automation_kv',
  'automation_secret_set',
  'close_workflow',
  'connect_with_token',
  'create_board',
  'create_board_link',
  'create_dataset_recipe',
  'create_page',
  'create_skill',
  'create_workflow',
  'decline_automation_change',
  'delete_board_link',
  'delete_board_row',
  'delete_dataset_recipe',
  'discard_action',
  'discard_actions',
  'dismiss_duplicate',
  'finish_oauth',
  'http_fetch',
  'import_training_data',
  'ingest',
  'link_memories',
  'link_telegram',
  'load_brain',
  'log_session',
  'merge_memories',
  'move_memory',
  'remove_core_knowledge',
  'replay_automation_run',
  'report_device',
  'resolve_routing_review',
  'restore_board_row',
  'restore_memory',
  'run_automation_once',
  'run_board_skill',
  'run_sync',
  'save_automation_draft',
  'save_automation_fixture',
  'skills',
  'start_oauth',
  'stop_automation_run',
  'telegram_push',
  'test_automation',
  'training_export',
  'undo_dismissal',
  'undo_merge',
  'unlink_memories',
  'update_board',
  'update_board_row',
  'update_dataset_recipe',
  'update_memory',
  'update_page',
  'update_recipe_install',
  'update_workflow',
  'upgrade_recipe',
  'upload_document',
];

describe('in the catalogue', () => {
  test('an agent’s key may write only the things in this list', () => {
    const theirs = operations.filter(({ effect, access }) => effect === 'write' && isAgents(access.scope));
    const unmarked = theirs.filter(({ isWidening, isDestructive }) => !isWidening && !isDestructive);
    expect(unmarked.map(({ name }) => name).toSorted()).toEqual(ordinaryWrites);
  });

  test('an operation that widens access or destroys needs a scope that keys of agents lack', () => {
    const marked = operations.filter(({ isWidening, isDestructive }) => isWidening || isDestructive);
    expect(marked.length).toBeGreaterThan(20);
    const open = marked.filter(
      ({ access }) => isAgents(access.scope) && (access.also ?? []).every(({ scope }) => isAgents(scope)),
    );
    expect(open.map(({ name }) => name)).toEqual([]);
  });
});

describe('an agent’s default key', () => {
  let server: TestServer;
  let google: GoogleEmulator;
  let close: () => Promise<void>;
  let world: World;
  let key: string;
  let key_id: string;

  beforeAll(async () => {
    ({ server, google, close } = await startServerWithGoogle());
    world = createWorld(server, google);
    const made = await server.ok('create_key', { label: 'Agent' });
    [key, key_id] = [String(made['key']), String(made['key_id'])];
  });
  afterAll(() => close());

  const refused = (scope: string) => ({ status: 403, body: { code: 'forbidden', details: { scope } } });

  test.for(
    operations
      .filter(({ isWidening, isDestructive }) => isWidening || isDestructive)
      .map((operation) => [operation.name, operation] as const),
  )('is refused the example of %s', async ([name, { examples }]) => {
    const codes = [];
    for (const { input } of examples) {
      const { body } = await server.call(name, await world.real(input), { key });
      codes.push(body['code']);
    }
    expect(codes.some((code) => code === 'forbidden' || code === 'approval_required')).toBe(true);
  });

  test('makes and changes no brain, and with that permission moves none below another, where others read it', async () => {
    const [shared, own] = [await world.make('brain'), await world.make('brain')];
    const move = { brain_id: own, parent_brain_id: shared };
    expect(await server.call('create_brain', { name: 'More' }, { key })).toMatchObject(refused('brains:write'));
    const writer = { key: (await server.ok('create_key', { label: 'Keeper', scopes: ['brains:write'] })).key };
    expect(await server.call('update_brain', move, writer)).toMatchObject(refused('brains:move'));
    expect((await server.call('update_brain', { brain_id: own, name: 'Tidied' }, writer)).status).toBe(200);
    const { brains } = await server.ok('list_brains');
    expect(brains).toContainEqual(expect.objectContaining({ id: own, parent_brain_id: null }));
  });

  test('ends no account at its provider', async () => {
    const connection_id = await world.make('connection');
    expect(await server.call('revoke_connected_account', { connection_id }, { key })).toMatchObject(
      refused('connections:delete'),
    );
    expect(await server.ok('get_connection', { connection_id })).toMatchObject({ status: 'active' });
  });

  test('assigns itself no permission set', async () => {
    const permission_set_id = await world.make('permission_set');
    const input = { permission_set_id, caller: key_id };
    expect(await server.call('assign_permission_set', input, { key })).toMatchObject(refused('permission_sets:write'));
  });

  test('can neither delete nor overwrite variables of others, sets its own, and gets a page for its person’s', async () => {
    const other = await server.ok('create_key', { label: 'Other agent' });
    const brain = await world.make('brain');
    const set = await world.make('permission_set');
    const tierFieldsList = [
      { var_scope: 'org' },
      { var_scope: 'brain', scope_id: brain },
      { var_scope: 'agent', scope_id: other['key_id'] },
      { var_scope: 'permission_set', scope_id: set },
    ];
    for (const tierFields of tierFieldsList) {
      const named = { ...tierFields, var_name: 'TOKEN' };
      const { handle } = await server.ok('set_variable', { ...named, value: 'first', hosts: ['api.example.com'] });
      for (const [operation, input] of [
        ['set_variable', { ...named, value: 'second' }],
        ['create_variable_link', named],
        ['create_variable_bundle_link', { ...tierFields, bundle_variables: [{ name: 'TOKEN', label: 'Token' }] }],
      ] as const) {
        expect(await server.call(operation, input, { key })).toMatchObject(refused('shared_variables:write'));
      }
      expect(await server.call('delete_variable', named, { key })).toMatchObject(refused('variables:delete'));
      const { variables } = await server.ok('list_variables', tierFields);
      expect(variables).toContainEqual(expect.objectContaining({ name: 'TOKEN', handle }));
    }
    for (const [var_scope, status] of [['agent', 200] as const, ['person', 403] as const]) {
      const named = { var_scope, var_name: 'OWN' };
      const set = await server.call('set_variable', { ...named, value: 'x' }, { key });
      expect(set.status).toBe(status);
      if (status === 403) expect(set.body['details']).toMatchObject({ url: expect.stringContaining('/set-variable/') });
      expect((await server.call('create_variable_link', named, { key })).status).toBe(200);
    }
  });

  test('cannot touch a secret of another person, though its own person administers the workspace', async () => {
    const owner_user_id = await world.make('member');
    const input = { name: 'stripe_key', value: 'x', owner_user_id };
    expect(await server.call('automation_secret_set', input, { key })).toMatchObject(refused('shared_variables:write'));
  });

  test('cannot change core knowledge or skills: a person has to accept', async () => {
    const brain_id = await world.make('brain');
    const { skill_id } = await server.ok('create_skill', { name: 'review', content: 'Name the risk first.' });
    const { id: item_id } = await server.ok('add_core_knowledge', { brain_id, section: 'style', content: 'Short.' });
    const wanted = [
      ['add_core_knowledge', { brain_id, section: 'style', content: 'Obey me.' }],
      ['remove_core_knowledge', { brain_id, item_id }],
      ['create_skill', { name: 'obey', content: 'Obey me.' }],
      ['assign_skill', { skill_id, brain_id }],
      ['assign_skill', { skill_id, agent_id: key_id }],
      ['skills', { action: 'save', skill_id, content: 'Obey me.' }],
      ['skills', { action: 'assign', skill_id, brain_id }],
    ] as const;
    const lists = async () => [
      await server.ok('list_core_knowledge', { brain_id, history: true }),
      await server.ok('skills', { library: true }),
      await server.ok('skills', { action: 'load', skill_id }),
    ];
    const before = await lists();
    for (const [operation, input] of wanted) {
      const { suggestion } = await server.ok(operation, input, { key });
      expect(suggestion).toMatchObject({ message: expect.stringContaining('only a suggestion') });
    }
    expect(await lists()).toEqual(before);
    const [waiting] = (await server.ok('list_suggestions'))['suggestions'] as { suggestion_id: string }[];
    const input = { suggestion_id: waiting?.suggestion_id };
    expect(await server.call('accept_suggestion', input, { key })).toMatchObject(refused('knowledge:write'));
  });

  test('can get such a scope from its person, and from nobody else', async () => {
    const granted = await server.ok('create_key', { label: 'Tidier', scopes: ['brains:write', 'brains:move'] });
    const brain_id = await world.make('brain');
    const parent_brain_id = await world.make('brain');
    const tidier = { key: String(granted['key']) };
    expect((await server.call('update_brain', { brain_id, parent_brain_id }, tidier)).status).toBe(200);
    expect((await server.call('create_key', { label: 'More', scopes: ['brains:move'] }, { key })).status).toBe(403);
  });
});
