// Fills every table of a server, in two workspaces: by operations where they exist, and otherwise by SQL.
import { createExampleId } from '#kernel/examples';
import type { GoogleEmulator } from '#emulators/google/index';
import type { OwnerDatabase } from './owner-database.ts';
import { addWorkspace } from './second-workspace.ts';
import { reachServer, type TestServer } from './server.ts';
import { createWorld, type WorldKind } from './world.ts';

const kinds: WorldKind[] = [
  'brain',
  'member',
  'core_knowledge',
  'skill',
  'suggestion',
  'memory',
  'other_memory',
  'memory_merge',
  'memory_session',
  'page',
  'draft',
  'approver',
  'sync',
  'key',
  'permission_set',
  'automation_run',
  'board',
  'board_form',
  'board_link',
  'workflow',
  'dataset_recipe',
  'recipe',
];

/** Puts rows of two workspaces into every table that has a workspace. Answers the ids of both, the server's own first. */
export async function fillEveryTable(
  server: TestServer,
  google: GoogleEmulator,
  database: OwnerDatabase,
): Promise<[string, string]> {
  const { key, workspaceId: others } = await addWorkspace(server);
  const mine = String((await database.rows('select id from workspaces where id <> $1', [others]))[0]?.['id']);
  for (const [each, email] of [
    [server, 'ada@example.com'],
    [reachServer(server.url, key), 'mallory@example.com'],
  ] as const) {
    const world = createWorld(each, google, email);
    for (const kind of kinds) await world.make(kind);
    await each.ok('configure_oauth_provider', { provider: 'google', client_id: 'id', client_secret: 'secret' });
    await each.call('create_brain', { name: 'Kept' }, { headers: { 'idempotency-key': 'kept' } });
    await each.ok(
      'assign_skill',
      await world.real({ skill_id: createExampleId('skill'), brain_id: createExampleId('brain') }),
    );
    const assigned = { permission_set_id: createExampleId('permission_set'), caller: createExampleId('key') };
    await each.ok('assign_permission_set', await world.real(assigned));
    await each.ok('set_variable', { var_scope: 'org', var_name: 'TOKEN', value: 'secret' });
    const { brain_id } = await each.ok('create_brain', { name: 'Gone' });
    await each.ok('delete_brain', { brain_id, confirm: 'Gone Brain' });
  }
  await fillTheRest(database);
  return [mine, others];
}

/** Rows that no operation creates here, such as an unfinished consent, a changed page and vectors. */
async function fillTheRest(database: OwnerDatabase): Promise<void> {
  await database.rows(`
    insert into oauth_grants (id, workspace_id, person_id, client_id, client_name, scopes, resource, home_brain_id, reach, created_at)
    select id, workspace_id, id, 'c', 'Client', '{}', 'r', id, 'owner', now() from people;
    insert into oauth_tokens (token_hash, workspace_id, grant_id, kind, payload, created_at, expires_at)
    select id::text, workspace_id, id, 'access', '{}', now(), now() + interval '1 hour' from oauth_grants;
    insert into oauth_grant_places select id, workspace_id, 'elsewhere', now() from oauth_grants;
    insert into one_time_secrets (subject_id, workspace_id, purpose, secret_hash, created_at, expires_at)
    select id, workspace_id, 'consent', id::text, now(), now() + interval '1 hour' from people;
    insert into consents (id, workspace_id, kind, sealed) select id, workspace_id, 'account', 'sealed' from people;
    insert into pending_sign_ins select id, workspace_id, id, 'mail' from people`);
  await database.rows(`
    insert into invitations (id, workspace_id, email, role, invited_by, created_at)
    select gen_random_uuid(), workspace_id, 'invited@example.com', 'member', id, now() from people where role = 'owner'
    on conflict do nothing;
    insert into identity_addresses (email, identity_id, proved_at) select email, identity_id, now() from people where role = 'owner';
    insert into authenticators (id, identity_id, kind, label, data, created_at)
    select identity_id, identity_id, 'totp', 'App', '{}', now() from people where role = 'owner';
    insert into recipe_installs (id, workspace_id, brain_id, slug, name, version, entity_kind, entity_id, person_id, base, state, created_by,
      created_at, updated_at)
    select id, workspace_id, id, 'contacts', 'Contacts', '1.0.0', 'bundle', id, created_by, '{}', 'active', 'Ada', now(), now() from brains where created_by is not null;
    insert into board_form_entries select id, 'nonce', workspace_id, 'row', now() from board_forms;
    insert into totp_secrets select identity_id, workspace_id, 'sealed' from people where role = 'owner';
    insert into recovery_codes select identity_id, 'hash', null from people where role = 'owner';
    insert into key_places select id, workspace_id, 'elsewhere', now() from keys`);
  await database.rows(`
    insert into page_versions (page_id, workspace_id, version, title, body, frontmatter, created_at)
    select id, workspace_id, 99, title, body, frontmatter, now() from pages`);
  await database.rows(`
    insert into variable_links (id, workspace_id, scope, scope_id, label, fields, created_by, created_by_label, created_at)
    select id, workspace_id, 'person', id, '', '[]', id, name, now() from people`);
  await database.rows(
    `insert into embedding_runs (workspace_id, space, started_at) select id, 'm/2', now() from workspaces`,
  );
  await database.rows(`
    insert into embedding_queue (item_id, workspace_id, text_hash, queued_at, not_before)
    select id, workspace_id, '', now(), now() from memories`);
  await database.rows(`
    insert into embeddings (item_id, part, workspace_id, brain_id, space, text_hash, code)
    select id, 0, workspace_id, brain_id, 'm/2', '', '\\x7f00' from memories`);
  await database.rows(`
    insert into memory_versions
    select id, 1, workspace_id, content, type, salience, topics, triggers, now(), 'somebody' from memories;
    insert into memory_trigger_words
    select id, 0, 0, 'word', workspace_id, brain_id, '{word}', 1 from memories on conflict do nothing;
    insert into memory_recalls select id, workspace_id, 1, now() from memories on conflict do nothing;
    insert into memory_recall_days select id, current_date, workspace_id, 1 from brains on conflict do nothing;
    insert into session_recalls
    select one.id, memory.id, one.workspace_id, now()
      from memory_sessions one join memories memory on memory.brain_id = one.brain_id on conflict do nothing;
    insert into memory_gatherings select id, workspace_id, now(), 1 from brains on conflict do nothing;
    insert into dismissed_contradictions (id, workspace_id, brain_id, kind, dismissed_at, dismissed_by_label)
      select id, workspace_id, id, 'number', now(), 'Ada' from brains;
    insert into memory_constellations select id, workspace_id, id, name, '{topic}', 1, now() from brains;
    insert into memory_constellation_members select id, brain_id, workspace_id from memories`);
  await database.rows(`
    insert into held_files
    select id, 0, workspace_id, 'x', 'a/b', size, sha256 from attachment_contents where sha256 is not null`);
  await database.rows(`
    insert into item_locations select id, workspace_id, 'met', '', 'gmail:ada:1', now() from syncs;
    insert into item_locations select id, workspace_id, 'moved', 'inbox', 'outlook_mail:ada:1' from syncs`);
  await database.rows(
    `insert into inbox_acks select id, person_id, workspace_id, 'auto', now() from drafts on conflict do nothing`,
  );
  await database.rows(
    `insert into policies select id, 1, '[]', '[]', (select id from people p where p.workspace_id = workspaces.id limit 1), now() from workspaces`,
  );
  await database.rows(`
    insert into notification_choices select id, workspace_id, 'off', now() from people on conflict do nothing;
    insert into draft_mails (draft_id, person_id, about, workspace_id, created_at, due_at)
    select id, person_id, 'waiting', workspace_id, now(), now() from drafts;
    insert into deadline_mails (workflow_id, name, due, person_id, workspace_id, created_at, due_at)
    select id, 'Launch', '2026-03-31', person_id, workspace_id, now(), now() from workflows`);
  await database.rows(`
    insert into ledger_keys select id, 'sealed' from workspaces on conflict do nothing;
    insert into ledger_seals select id, 999, now(), 0, '', '', '' from workspaces`);
  await database.rows(`
    insert into rate_limits select id, id, now(), 1 from workspaces on conflict do nothing;
    insert into secrets_to_forget (workspace_id, in_table, in_row, in_column, sealed, is_whole)
    select id, 'variables', id::text, 'value', 'vault:', true from workspaces`);
  await database.rows(`
    insert into telegram_bots (connection_id, workspace_id, status, next_at, created_at)
    select id, workspace_id, 'ended', now(), now() from connections;
    insert into telegram_links (id, workspace_id, connection_id, person_id, created_at)
    select id, workspace_id, id, person_id, now() from connections;
    insert into telegram_memories (memory_id, workspace_id, link_id, message_id, stored_at)
    select memory.id, memory.workspace_id, link.id, 1, now()
      from memories memory join telegram_links link on link.workspace_id = memory.workspace_id on conflict do nothing;
    insert into telegram_replies (id, workspace_id, connection_id, chat_id, html, created_at)
    select id, workspace_id, id, 1, '', now() from connections;
    insert into telegram_prompts (draft_id, workspace_id, connection_id, link_id, chat_id, buttons, expires_at, created_at)
    select draft.id, draft.workspace_id, link.connection_id, link.id, 1, '{}', now(), now()
      from drafts draft join telegram_links link on link.workspace_id = draft.workspace_id on conflict do nothing;
    insert into telegram_strangers (connection_id, chat_id, workspace_id, told_at)
    select id, 1, workspace_id, now() from connections`);
  await database.rows(`
    insert into automation_http_fetch_hosts select id, workspace_id, 'example.com' from automations;
    insert into rate_limits select workspace_id, id, now(), 1 from automations;
    insert into automation_variables select id, workspace_id, 'TOKEN', id, 'sec_' || repeat('a', 24) from automations;
    insert into board_rows
    select gen_random_uuid(), workspace_id, board_id, name, '{}', 'Ada', now() from board_datasets;
    insert into automation_kv select id, workspace_id, 'cursor', '1', now() from automations;
    insert into automation_changes (id, workspace_id, automation_id, fields, status, created_by_label, created_at)
    select id, workspace_id, id, '{}', 'pending', 'Agent', now() from automations;
    insert into automation_fixtures select id, workspace_id, id, 'Usual', 'manual', 'null', now(), '[]', 'Ada', now() from automations;
    insert into automation_passes select id, workspace_id, 'hash', now() from automations;
    insert into variable_token_endpoints select id, workspace_id, 'https://login.example.com/token' from variables;
    insert into run_secrets
    select id, workspace_id, id, 'sec_' || id, 'sealed', '{}', '{}', now() from automations`);
  await database.rows(`
    insert into archive_imports (id, workspace_id, person_id, sha256, lines, shift, created_at)
    select id, workspace_id, id, 'hash', 3, 1, now() from people;
    insert into archive_lines select id, 1, workspace_id, 'memory', 1, '{}' from archive_imports`);
  await database.rows(`
    insert into blobs select id, '\\x00', 1, now() from workspaces;
    insert into documents (id, workspace_id, brain_id, title, mime_type, format, sha256, size, characters, lines, passages, created_by, created_at)
    select id, workspace_id, id, 'Report', 'text/plain', 'txt', '\\x00', 1, 1, 1, 1, 'Ada', now() from brains;
    insert into document_constellations select id, workspace_id, id, 0, 'Gears', '{gears}', '[]', 1 from documents;
    insert into document_passages select id, 0, workspace_id, id, 'Gears', 1, 1, false from documents;
    insert into document_reads
    select gen_random_uuid(), d.workspace_id, d.id, p.id, 1, 1, now()
      from documents d join people p on p.workspace_id = d.workspace_id;
    insert into document_lessons
    select gen_random_uuid(), d.workspace_id, d.id, m.id, 1, 1, 'Which?', 'That.', now()
      from documents d join memories m on m.brain_id = d.brain_id;
    insert into training_pairs select id, 0, workspace_id, brain_id, '[]', 'That.', null, now() from documents`);
  await database.rows(`
    insert into connectors select id, workspace_id, id, 'Make', 'make', 'shared', (select b.id from brains b where b.workspace_id = people.workspace_id limit 1), '{}', now(), now() from people;
    insert into webhook_tokens select id, workspace_id, id::text, 'zwh_', now() from connectors;
    insert into connector_routes select id, workspace_id, id, 'sender', 'ada', brain_id, now() from connectors;
    insert into routing_reviews (id, workspace_id, memory_id, method, confidence, candidates, created_at)
    select id, workspace_id, id, 'content', 0.1, '[]', now() from memories;
    insert into routing_lessons (id, workspace_id, brain_id, stems, created_at)
    select id, workspace_id, id, '{gear}', now() from brains;
    insert into chat_sessions (id, page_ref, workspace_id, person_id, brain_id, session_id, client, title, summary, titled_by, started_at, last_turn_at)
    select id, id, workspace_id, person_id, brain_id, 's1', 'claude', 'Gears', '', 'rules', now(), now() from connectors;
    insert into chat_turns select id, 0, workspace_id, 'user', 'Hello', now() from chat_sessions;
    insert into chat_capture_stops select id, workspace_id, now() from people;
    insert into client_devices
    select id, workspace_id, id, 'host', 'claude', 'cli', null, null, '[]', now(), now() from people`);
  await database.rows(`
    insert into webhook_connectors (id, workspace_id, person_id, name, slug_hash, state, brain_id, head_version_id, created_at, updated_at)
    select id, workspace_id, person_id, 'GitHub', id::text, 'draft', brain_id, id, now(), now() from connectors;
    insert into webhook_versions (id, workspace_id, connector_id, number, scheme, signature_settings, runtime, brain_id, allowed_brain_ids, created_by_label, created_at)
    select id, workspace_id, id, 1, 'none', '{}', 'v8', brain_id, '{}', 'Ada', now() from webhook_connectors;
    insert into webhook_fixtures (id, workspace_id, connector_id, name, raw_body, headers, query, expected_outcome, created_at)
    select id, workspace_id, id, 'Usual', '{}', '{}', '{}', 'ingest', now() from webhook_connectors;
    insert into webhook_passes select id, id, workspace_id, now() from webhook_fixtures;
    insert into webhook_signatures select workspace_id, id, 'hash', id, now() from webhook_connectors;
    insert into webhook_events (id, workspace_id, connector_id, received_at, outcome, headers, query, body_bytes)
    select id, workspace_id, id, now(), 'draft', '{}', '{}', 2 from webhook_connectors`);
  await database.rows(`
    insert into output_destinations (id, workspace_id, person_id, name, kind, url, headers, variables, secret, state, created_at, updated_at)
    select id, workspace_id, person_id, 'Warehouse', 'webhook', 'https://hooks.example.com', '{}', '[]', 'sealed', 'active', now(), now() from webhook_connectors;
    insert into output_paces select id, workspace_id, now(), 1 from output_destinations;
    insert into output_routes select id, workspace_id, person_id, 'webhook_connector', id, id, 'translated_docs', null, '{}', 'active', now() from webhook_connectors;
    insert into output_deliveries (id, workspace_id, route_id, destination_id, event_id, status, content_type, payload_bytes, document_count, next_attempt_at, created_at)
    select id, workspace_id, id, id, id, 'failed', 'text/plain', 1, 1, now(), now() from output_routes;
    insert into output_attempts select id, workspace_id, id, 1, now(), 500, 'no', 1, false from output_deliveries`);
  // Processes of the version before count there.
  await database.rows('insert into rate_limits select workspace_id, id, now(), 1 from people');
  await database.rows(`
    insert into llm_usage (id, workspace_id, person_id, tag, provider, model, request_id, started_at)
    select gen_random_uuid(), workspace_id, id, 'telegram', 'groq', 'm', 'r', now() from people`);
}
