// A brain-scoped key is limited to one brain for all its scopes: which operations it may call, and what no answer
// reveals.
import { ownerScopes } from '#kernel/scopes';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeProduct } from '../../src/server.ts';
import type { GoogleEmulator } from '#emulators/google/index';
import { startServerWithGoogle } from '../support/google.ts';
import type { TestServer } from '../support/server.ts';
import { createWorld, type World } from '../support/world.ts';

const operations = [...(await describeProduct()).values()];

/** Operations for a brain-scoped key. Add an operation only if it reveals and changes nothing beyond that brain. */
const allowed = [
  'ack_inbox',
  'ack_inbox_action',
  'act_on_integration',
  'add_core_knowledge',
  'add_memories_bulk',
  'add_memory',
  'answer_action',
  'append_board_rows',
  'apply_starter_recipe',
  'archive_memory',
  'automation_kv',
  'automation_llm_complete',
  'brain_overview',
  'check_recipe_dependencies',
  'check_recipe_upgrade',
  'close_board_form',
  'close_workflow',
  'confirm_action',
  'confirm_actions',
  'create_board',
  'create_board_link',
  'create_dataset_recipe',
  'create_key',
  'create_page',
  'create_variable_bundle_link',
  'create_variable_link',
  'create_workflow',
  'delete_board',
  'delete_board_link',
  'delete_board_row',
  'delete_dataset_recipe',
  'delete_document',
  'delete_variable',
  'delete_workflow',
  'discard_action',
  'discard_actions',
  'dismiss_duplicate',
  'edit_action',
  'embedding_status',
  'explain_policy',
  'extend_action',
  'fetch_from_integration',
  'get_action',
  'get_attachment',
  'get_board',
  'get_connection',
  'get_document',
  'get_memory',
  'get_memory_graph',
  'get_page',
  'get_policy',
  'get_starter_recipe',
  'get_workflow',
  'http_fetch',
  'ingest',
  'ingest_chat_turn',
  'link_memories',
  'list_actions',
  'list_board_forms',
  'list_board_links',
  'list_boards',
  'list_brains',
  'list_calendar_events',
  'list_connections',
  'list_constellations',
  'list_contradictions',
  'list_core_knowledge',
  'list_documents',
  'list_duplicates',
  'list_inbox_prompts',
  'list_integrations',
  'list_memories',
  'list_pages',
  'list_pending_actions',
  'list_provider_configs',
  'list_recipe_installs',
  'list_starter_recipes',
  'list_suggestions',
  'list_syncs',
  'list_uninstalled',
  'list_variables',
  'list_workflows',
  'load_brain',
  'log_session',
  'merge_memories',
  'move_memory',
  'plan_recipe',
  'query',
  'query_board_rows',
  'read_document',
  'refresh_dataset_recipe',
  'remove_core_knowledge',
  'restore_board_row',
  'restore_memory',
  'run_board_skill',
  'run_recipe_install',
  'run_sync',
  'save_chat_session',
  'search',
  'search_memory',
  'set_variable',
  'skills',
  'stop_sync',
  'sync_integration',
  'telegram_push',
  'test_board_link',
  'test_connection',
  'undo_action',
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
  'who_am_i',
  'whoami',
];

const beyond = operations.filter(({ name }) => !allowed.includes(name));
/** Reading operations. `skills` and `load_brain` record that they were called. */
const telling = operations.filter(
  ({ name, effect }) => allowed.includes(name) && (effect === 'read' || name === 'skills' || name === 'load_brain'),
);

test('a key of one brain may call only the operations of this list', () => {
  const open = operations.filter(({ access }) => !access.isForPeople).map(({ name }) => name);
  expect(open.toSorted()).toEqual(allowed);
});

describe('a key of one brain with every scope', () => {
  let server: TestServer;
  let google: GoogleEmulator;
  let close: () => Promise<void>;
  let world: World;
  let key: string;
  /** Ids of what belongs to its person or to other brains. */
  const foreign: Record<string, unknown> = {};

  beforeAll(async () => {
    ({ server, google, close } = await startServerWithGoogle());
    world = createWorld(server, google, 'canary@example.com');
    await world.make('connection');
    const elsewhere = String((await server.ok('create_brain', { name: 'Canary' }))['brain_id']);
    const { brain_id: home_brain_id } = await server.ok('create_brain', { name: 'Home' });
    const narrow = { label: 'Narrow', home_brain_id, reach: 'brain', scopes: [...ownerScopes] };
    key = String((await server.ok('create_key', narrow))['key']);
    const agent = await server.ok('create_key', { label: 'Canary agent' });
    const { permission_set_id } = await server.ok('create_permission_set', { name: 'Canary role' });
    Object.assign(foreign, { elsewhere, agent: agent['key_id'], permission_set_id });
    for (const tierFields of [
      { var_scope: 'person' },
      { var_scope: 'brain', scope_id: elsewhere },
      { var_scope: 'agent', scope_id: agent['key_id'] },
      { var_scope: 'permission_set', scope_id: permission_set_id },
    ]) {
      await server.ok('set_variable', { ...tierFields, var_name: 'CANARY_TOKEN', value: 'canary' });
    }
    await server.ok('add_memory', { content: 'The canary sings', target_brain_id: elsewhere });
    await server.ok('add_memory', { content: 'The canary sings at home' });
    await server.ok('add_core_knowledge', { brain_id: elsewhere, section: 'canary', content: 'The canary sings' });
    await server.ok('create_skill', { name: 'canary', content: 'How to keep a canary' });
    const agents = { key: String(agent['key']) };
    await server.ok('add_core_knowledge', { brain_id: elsewhere, section: 'x', content: 'A canary' }, agents);
    await server.ok('create_skill', { name: 'a canary', content: 'Feed it' }, agents);
    const mail = { to: ['canary@example.org'], subject: 'A canary', body: 'Sings' };
    await server.ok('act_on_integration', { source: 'gmail', action_name: 'send_email', input: mail }, agents);
  });
  afterAll(() => close());

  test.for(beyond.map((operation) => [operation.name, operation] as const))(
    'may not call %s',
    async ([name, operation]) => {
      const input = await world.real(operation.examples[0]?.input ?? {});
      const { status } = await server.call(name, input, { key });
      expect([403, 404]).toContain(status);
    },
  );

  test.for(telling.map((operation) => [operation.name, operation] as const))(
    'learns nothing about others from %s',
    async ([name, operation]) => {
      const named = Object.fromEntries(
        [...Object.entries(inputs), ...Object.entries(foreignInputs())].filter(
          ([field]) => field in operation.input.shape,
        ),
      );
      const tried = [{}, ...operation.examples.map(({ input }) => input), named, { ...named, brain_id: undefined }];
      for (const input of tried) {
        const { body } = await server.call(name, input, { key });
        expect(JSON.stringify(body).replaceAll(JSON.stringify(inputs.q), '')).not.toMatch(/canary/i);
      }
    },
  );

  test('sees no variable of its person, of another agent, of another brain or of a permission set', async () => {
    for (const asked of [
      { var_scope: 'person' },
      { var_scope: 'agent', scope_id: foreign['agent'] },
      { var_scope: 'brain', scope_id: foreign['elsewhere'] },
      { var_scope: 'permission_set', scope_id: foreign['permission_set_id'] },
      { scope_id: foreign['agent'] },
      {},
    ]) {
      const { body } = await server.call('list_variables', asked, { key });
      expect(body['variables'] ?? []).toEqual([]);
    }
  });

  /** Search inputs. */
  const inputs = { q: 'canary', query: 'canary', text: 'canary', history: true, library: true, include_revoked: true };

  function foreignInputs() {
    return { brain_id: foreign['elsewhere'], scope_id: foreign['agent'], person_id: undefined };
  }
});
