/**
 * The part of `src` that each table belongs to. A new table gets a word here; a test compares the lists with the database.
 * @type {Record<string, string>}
 */
const tablesByOwner = {
  accounts: `authenticators identities identity_addresses invitations kept_answers key_places keys limited_minutes pending_sign_ins people
    rate_limits recovery_codes sessions sign_in_attempts sign_in_links totp_secrets workspaces`,
  actions: 'approvers draft_ledger drafts inbox_acks ledger_keys ledger_seals',
  archives: 'archive_imports',
  audit: 'audit_log events',
  automations: `automation_changes automation_fixtures automation_http_fetch_hosts automation_kv automation_passes
    automation_runs automation_variables automation_versions automations`,
  boards: 'board_datasets board_form_entries board_forms board_links board_rows boards dataset_recipes',
  brains: `archive_lines brain_invitations brain_members brains core_knowledge deleted_brains skill_assignments skill_versions skills
    suggestions`,
  chats: 'chat_capture_stops chat_sessions chat_turns client_devices',
  connections: 'connections consents provider_configs',
  documents: `blobs document_constellations document_lessons document_passages document_reads documents`,
  ingest: 'connector_routes connectors routing_lessons routing_reviews webhook_tokens',
  integrations: 'item_locations syncs',
  meaning: 'embedding_queue embedding_runs embeddings',
  memory: `dismissed_contradictions memories memory_change_steps memory_changes memory_constellation_members
    memory_constellations memory_duplicates memory_gatherings memory_hashes memory_links memory_recall_days memory_recalls
    memory_sessions memory_trigger_words memory_versions session_recalls`,
  notifications: 'deadline_mails draft_mails notification_choices',
  'oauth-server': 'oauth_clients oauth_grant_places oauth_grants oauth_requests oauth_tokens',
  outputs: 'output_attempts output_deliveries output_destinations output_paces output_routes',
  pages: 'attachment_contents attachment_parts attachments held_files page_versions pages',
  policy: 'policies',
  recipes: 'recipe_installs recipe_versions recipes',
  telegram: 'telegram_bots telegram_links telegram_memories telegram_prompts telegram_replies telegram_strangers',
  training: 'training_pairs',
  usage: 'identity_spending llm_usage',
  variables: 'permission_set_holders permission_sets run_secrets variable_links variable_token_endpoints variables',
  webhooks: `webhook_connectors webhook_events webhook_fixtures webhook_passes webhook_signatures webhook_versions`,
  workflows: 'workflows',
  'platform/mail': 'mail_brakes',
  'platform/one-time-secrets': 'one_time_secrets',
  'platform/vault': 'data_keys secrets_to_forget',
};

/** The owner of each table. */
export const tableOwners = new Map(
  Object.entries(tablesByOwner).flatMap(([owner, tables]) => tables.split(/\s+/).map((table) => [table, owner])),
);

/**
 * Views that everybody may read and nobody writes: columns that a module publishes, or that the parts together hand to a reader.
 */
export const publishedViews = new Set(
  `brain_directory brain_invitees document_directory draft_directory embeddable key_directory learned_questions
    memory_conflicts people_directory searchable searchable_documents searchable_passages searchable_vectors stored_memories`.split(
    /\s+/,
  ),
);
