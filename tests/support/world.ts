// Makes one real thing of every kind that an operation can name, so that any example of the catalogue can be run.
import { createHash } from 'node:crypto';
import { createExampleId } from '#kernel/examples';
import type { GoogleEmulator } from '#emulators/google/index';
import { addConnectedClient } from './connected-client.ts';
import { linkGoogle } from './google.ts';
import { createBoardMakers } from './board-world.ts';
import type { ReachedServer } from './server.ts';
import { waitForSync } from './syncs.ts';

/** What an example id can stand for. */
const kinds = [
  'workspace',
  'own_workspace',
  'person',
  'invitation',
  'brain',
  'member',
  'core_knowledge',
  'skill',
  'suggestion',
  'memory',
  'other_memory',
  'archived_memory',
  'duplicated_memory',
  'duplicate_memory',
  'linked_memory',
  'contradicted_memory',
  'contradicting_memory',
  'dismissed_memory',
  'memory_session',
  'memory_merge',
  'page',
  'attachment',
  'draft',
  'sent_draft',
  'approver',
  'connection',
  'sync',
  'written_page',
  'board',
  'document',
  'connector',
  'connector_route',
  'routing_review',
  'chat',
  'import',
  'sent_import',
  'deleted_board',
  'workflow',
  'deleted_workflow',
  'recipe',
  'withdrawn_recipe',
  'recipe_install',
  'install',
  'board_with_rows',
  'board_with_skill',
  'board_form',
  'board_link',
  'board_link_to_end',
  'github_link',
  'dataset_recipe',
  'installed_entity',
  'uninstalled_entity',
  'automation',
  'ended_automation',
  'hooked_automation',
  'tested_automation',
  'automation_run',
  'automation_change',
  'declined_automation_change',
  'webhook_connector',
  'tested_webhook_connector',
  'changed_webhook_connector',
  'webhook_event',
  'webhook_fixture',
  'output_destination',
  'output_route',
  'output_delivery',
  'key',
  'session',
  'connected_client',
  'permission_set',
  'variable_scope',
] as const;
export type WorldKind = (typeof kinds)[number];
const isKind = (kind: string): kind is WorldKind => kinds.some((each) => each === kind);

/** A server with somebody's things in it. */
export type World = {
  /** Makes a thing of a kind through the server and answers its id. */
  make(kind: string): Promise<string>;
  /** The input with every example id replaced by the id of a real thing, which is new unless it comes `from` elsewhere. */
  real(input: Record<string, unknown>, from?: (kind: string) => Promise<string>): Promise<Record<string, unknown>>;
};

/** Somebody else of the workspace, in examples. */
const colleague = 'colleague@example.com';

const subjects = [
  'harbour',
  'violin',
  'glacier',
  'saffron',
  'turbine',
  'lantern',
  'orchid',
  'compass',
  'walnut',
  'kiln',
];

/** A world in which one thing of each kind is enough, because every call that names it is refused. */
export function createMemoizedWorld(...of: Parameters<typeof createWorld>): World {
  const world = createWorld(...of);
  const kept = new Map<string, Promise<string>>();
  const make = (kind: string) => {
    const made = kept.get(kind) ?? world.make(kind);
    kept.set(kind, made);
    return made;
  };
  return { make, real: (input) => world.real(input, make) };
}

const buildRecipeSlug = (title: string) => `r-${createHash('sha256').update(title).digest('hex').slice(0, 12)}`;

/** A world of the person whose key the server is reached with. Their Google account is linked when it is needed. */
export function createWorld(server: ReachedServer, google: GoogleEmulator, email = 'ada@example.com'): World {
  google.addAccount({ email, name: 'Ada' });
  const date = new Date('2026-06-01T09:00:00Z');
  google.seedMail(email, {
    from: 'Noah <noah@example.com>',
    subject: 'Quarterly budget',
    text: 'The budget is ready.',
    attachments: [{ filename: 'budget.csv', mimeType: 'text/csv', content: 'item,amount\nlanterns,40\n' }],
    messageId: '<budget@example.com>',
    date,
  });
  let made = 0;
  let hasJoined = false;
  /** The brain that was made last: what is named beside a brain is made in it. */
  let brain: string | undefined;
  /** What the brains are called that were made here. */
  const brainNames = new Map<unknown, unknown>();
  let said = 'The tide table hangs in the hall';
  let contradicted: unknown;

  const automation = async (name: string, trigger = 'manual') => {
    const given = { source: '1', triggers: [{ kind: trigger }], tool_grants: [{ tool: 'add_memory' }] };
    return (await server.ok('save_automation_draft', { name: `${name} ${(made += 1)}`, ...given }))['automation_id'];
  };

  const beginImport = async (lines: number) => {
    const sha256 = createHash('sha256')
      .update(`archive ${(made += 1)}`)
      .digest('hex');
    return (await server.ok('start_import', { sha256, lines })).import_id;
  };

  /** What an agent wants of an active automation. */
  const change = async (name: string) => {
    const automation_id = await automation(name);
    await server.ok('update_automation', { automation_id, state: 'active' });
    const scopes = ['automations:read', 'automations:write'];
    const { key } = await server.ok('create_key', { label: 'Agent', scopes });
    const wanted = await server.ok('update_automation', { automation_id, source: '2' }, { key: String(key) });
    return wanted.waiting_change?.change_id;
  };

  const newWebhook = (name: string, brain_id: unknown) => {
    const translator_code = 'function translate({ body }) { return { documents: [{ content: body.text }] }; }';
    const given = { name, brain_id, signature_scheme: 'none', translator_runtime: 'v8', translator_code };
    return server.ok('create_webhook_connector', given);
  };

  const newFixture = async (webhook_connector_id: unknown) => {
    const given = { fixture_raw_body: '{"text":"Hello"}', fixture_expected_outcome: 'ingest' };
    const fixture_name = `Greeting ${(made += 1)}`;
    return (await server.ok('add_webhook_test_fixture', { webhook_connector_id, fixture_name, ...given })).fixture_id;
  };

  /** One that is active. */
  const newActiveWebhook = async (name: string, brain_id: unknown) => {
    const { connector_id: webhook_connector_id, webhook_slug } = await newWebhook(name, brain_id);
    await server.ok('test_webhook_translator', { fixture_id: await newFixture(webhook_connector_id) });
    await server.ok('activate_webhook_connector', { webhook_connector_id });
    return { webhook_connector_id, webhook_slug };
  };

  const newDestination = async (name: string) => {
    const given = { output_destination_url: 'https://hooks.example.com/in', output_destination_kind: 'webhook' };
    return (await server.ok('register_output_destination', { name, ...given })).output_destination_id;
  };

  const newRoute = async (output_source_id: unknown, output_destination_id: unknown) => {
    const of = { output_source_kind: 'webhook_connector', output_source_id, output_destination_id };
    return (await server.ok('attach_output_route', of)).output_route_id;
  };

  const makers: Record<WorldKind, (name: string) => Promise<unknown>> = {
    own_workspace: (name) => makers.workspace(name),
    async invitation(name) {
      const email = `${/\d+/.exec(name)?.[0]}.invited@example.com`;
      return (await server.ok('invite_person', { email })).invitation_id;
    },
    async person(name) {
      const email = `${/\d+/.exec(name)?.[0]}.joined@example.com`;
      const { join_link } = await server.ok('invite_person', { email });
      await useLink(join_link?.url ?? '');
      return (await server.ok('list_people')).people.find((each) => each.email === email)?.person_id;
    },
    workspace: async () => ((await server.ok('who_am_i'))['workspace'] as { id: string }).id,
    async brain(title) {
      const { brain_id, name } = await server.ok('create_brain', { name: title });
      brainNames.set(brain_id, name);
      return (brain = String(brain_id));
    },
    async member(name) {
      const email = `${/\d+/.exec(name)?.[0]}@example.com`;
      const brain_id = brain ?? (await makers.brain(name));
      return (await server.ok('invite_member', { brain_id, email, access_level: 'viewer' }))['user_id'];
    },
    async core_knowledge(section) {
      const brain_id = brain ?? (await makers.brain(section));
      return (await server.ok('add_core_knowledge', { brain_id, section, content: section }))['id'];
    },
    async session() {
      const { url } = await server.ok('create_sign_in_link');
      await useLink(url);
      const { sessions } = await server.ok('list_sessions');
      return (sessions as { session_id: string }[])[0]?.session_id;
    },
    connected_client: (name) => addConnectedClient(server, name),
    async suggestion(section) {
      const brain_id = brain ?? (await makers.brain(section));
      const { key } = await server.ok('create_key', { label: 'Suggester' });
      const wanted = { brain_id, section, content: section };
      const { suggestion } = await server.ok('add_core_knowledge', wanted, { key: String(key) });
      return (suggestion as { suggestion_id: string }).suggestion_id;
    },
    document: async (title) =>
      (await server.ok('upload_document', { title, content: `${title}\n\nMore of ${title}.` }))['id'],
    board: async (name) => (await server.ok('create_board', { name: `${name} ${(made += 1)}` }))['board_id'],
    connector: async (name) => (await server.ok('create_connector', { name, source: 'make' }))['connector_id'],
    async connector_route(name) {
      const target_brain_id = brain ?? (await makers.brain(name));
      const signal = { signal_type: 'keyword', signal_value: `${name} ${(made += 1)}`, target_brain_id };
      return (await server.ok('add_connector_route', { connector_id: await makers.connector(name), ...signal }))[
        'route_id'
      ];
    },
    async routing_review(name) {
      await makers.brain(`${name} here`);
      await makers.brain(`${name} there`);
      return (await server.ok('ingest', { content: `Qwx${(made += 1)}a zzyzx${made}b` }))['review_id'];
    },
    chat: async (content) =>
      (await server.ok('ingest_chat_turn', { session_id: content, role: 'user', content }))['chat_id'],
    written_page: async (title) => (await server.ok('create_page', { title, body: title }))['id'],
    import: () => beginImport(3),
    async sent_import(name) {
      const import_id = await beginImport(3);
      const about = { parent: null, is_personal: false, name: `${name} ${made}`, description: '', routing_rules: '' };
      const item = { ...about, language: 'en', created_at: '2026-01-01T00:00:00Z' };
      const lines = [
        { format: 'thalamus-archive', version: 1 },
        { kind: 'brain', brain: 1, item },
        { end: true, lines: 3 },
      ];
      const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
      await server.ok('add_import_lines', { import_id, first_line: 1, lines: text });
      return import_id;
    },
    async deleted_board(title) {
      const { brain_id } = await server.ok('create_brain', { name: title });
      return (await server.ok('create_board', { name: 'Deleted', brain_id }))['board_id'];
    },
    workflow: async (title) => (await server.ok('create_workflow', { title, charter: title }))['workflow_id'],
    async recipe(title) {
      const recipe = { slug: buildRecipeSlug(title), name: title, kind: 'board', template: { name: title } };
      return (await server.ok('publish_recipe_version', { recipe }))['id'];
    },
    async installed_entity(title) {
      const id = await makers.recipe(title);
      return (await server.ok('apply_starter_recipe', { id }))['board_id'];
    },
    async uninstalled_entity(title) {
      const entity_id = await makers.installed_entity(title);
      await server.ok('uninstall_recipe', { entity_id });
      return entity_id;
    },
    withdrawn_recipe: (title) => makers.recipe(`${title} to withdraw`),
    install: (title) => makers.connection(title),
    /** Read by nobody, as it waits for a secret; its address is one that the server never reaches. */
    async recipe_install(title) {
      const recipe = {
        slug: buildRecipeSlug(`${title} to read`),
        name: title,
        secrets: [{ name: 'NEVER_STORED' }],
        trigger: { kind: 'cron', cron: '0 9 * * 1' },
        endpoints: [{ op: 'list', method: 'GET', url: 'https://127.0.0.1/items' }],
        mapping: { iterate: '$[*]', page_type: 'item', source_ref: '{{id}}', title: '{{name}}' },
      };
      const { id } = await server.ok('publish_recipe_version', { recipe });
      return (await server.ok('apply_starter_recipe', { id }))['install_id'];
    },
    deleted_workflow: async () =>
      (await server.ok('create_workflow', { title: 'Deleted', charter: 'A trial.' }))['workflow_id'],
    ...createBoardMakers(server, google, (name) => makers.board(name)),
    automation: (name) => automation(name),
    ended_automation: (name) => automation(name),
    hooked_automation: (name) => automation(name, 'webhook'),
    automation_run: async (name) =>
      (await server.ok('run_automation_once', { automation_id: await automation(name) }))['run_id'],
    async tested_automation(name) {
      const automation_id = await automation(name);
      const { run_id } = await server.ok('run_automation_once', { automation_id });
      await server.ok('save_automation_fixture', { run_id, name: 'Usual' });
      return automation_id;
    },
    automation_change: (name) => change(name),
    declined_automation_change: (name) => change(name),
    async webhook_connector(name) {
      const brain_id = brain ?? (await makers.brain(name));
      return (await newWebhook(name, brain_id)).connector_id;
    },
    async tested_webhook_connector(name) {
      const { connector_id: webhook_connector_id } = await newWebhook(name, brain ?? (await makers.brain(name)));
      await server.ok('test_webhook_translator', { fixture_id: await newFixture(webhook_connector_id) });
      return webhook_connector_id;
    },
    async changed_webhook_connector(name) {
      const { webhook_connector_id } = await newActiveWebhook(name, brain ?? (await makers.brain(name)));
      const translator_code = 'function translate({ body }) { return { documents: [{ content: body.title }] }; }';
      await server.ok('update_webhook_config', { webhook_connector_id, translator_code });
      return webhook_connector_id;
    },
    async webhook_event(name) {
      const { webhook_slug } = await newWebhook(name, brain ?? (await makers.brain(name)));
      const sent = await server.request(`/v1/webhook/${webhook_slug}`, { method: 'POST', body: '{"text":"Hello"}' });
      return ((await sent.json()) as { event_id: string }).event_id;
    },
    async webhook_fixture(name) {
      const { connector_id } = await newWebhook(name, brain ?? (await makers.brain(name)));
      return newFixture(connector_id);
    },
    output_destination: (name) => newDestination(name),
    async output_route(name) {
      const source = await makers.webhook_connector(name);
      return newRoute(source, await newDestination(name));
    },
    async output_delivery(name) {
      const { webhook_connector_id, webhook_slug } = await newActiveWebhook(name, await makers.brain(name));
      const output_destination_id = await newDestination(name);
      await server.ok('update_output_destination', { output_destination_id, status: 'paused' });
      await newRoute(webhook_connector_id, output_destination_id);
      await server.request(`/v1/webhook/${webhook_slug}`, { method: 'POST', body: '{"text":"Hello"}' });
      for (;;) {
        const { deliveries } = await server.ok('list_output_deliveries', { output_destination_id });
        if (deliveries[0]) return deliveries[0].delivery_id;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
    skill: async (name) => (await server.ok('create_skill', { name, content: name }))['skill_id'],
    memory: async (name) => (await server.ok('add_memory', { content: name }))['id'],
    other_memory: async (name) => (await server.ok('add_memory', { content: name }))['id'],
    async archived_memory(name) {
      const id = await makers.memory(name);
      await server.ok('archive_memory', { id });
      return id;
    },
    async duplicated_memory(name) {
      said = name;
      return makers.memory(said);
    },
    duplicate_memory: () => makers.memory(said),
    async linked_memory(name) {
      const { memories } = await server.ok('list_memories', { limit: 1 });
      const [last] = memories as { id: string }[];
      const id = await makers.memory(name);
      const ends = { source_memory_id: last?.id, target_memory_id: id };
      await server.ok('link_memories', { ...ends, relationship_type: 'depends_on' });
      return id;
    },
    async contradicted_memory(name) {
      contradicted = await makers.memory(name);
      return contradicted;
    },
    async contradicting_memory(name) {
      const id = await makers.memory(name);
      const ends = { source_memory_id: id, target_memory_id: contradicted };
      await server.ok('link_memories', { ...ends, relationship_type: 'conflicts_with' });
      return id;
    },
    async dismissed_memory(name) {
      const memory_id = await makers.contradicting_memory(name);
      await server.ok('dismiss_contradiction', { memory_id, conflicts_with: contradicted });
      return memory_id;
    },
    async memory_merge(name) {
      const [keep_id, retired] = [await makers.memory(name), await makers.memory(name)];
      return (await server.ok('merge_memories', { keep_id, retire_ids: [retired] }))['merge_id'];
    },
    memory_session: async () => (await server.ok('load_brain'))['session_id'],
    async page() {
      await makers.connection('');
      await server.ok('fetch_from_integration', { source: 'gmail', input: { query: 'subject:budget' } });
      const { pages } = await server.ok('list_pages', { type: 'email' });
      return (pages as { id: string; title: string }[]).find(({ title }) => title === 'Quarterly budget')?.id;
    },
    async attachment() {
      const { attachments } = await server.ok('get_page', { id: await makers.page('') });
      return (attachments as { attachment_id: string }[])[0]?.attachment_id;
    },
    async draft(name) {
      const mail = { to: ['noah@example.com'], subject: name, body: 'Which day works?' };
      const install_id = await makers.connection('');
      return (await server.ok('act_on_integration', { install_id, action_name: 'send_email', input: mail }))[
        'draft_id'
      ];
    },
    async sent_draft(summary) {
      await makers.connection('');
      const event = { summary, start: '2027-06-01T12:00:00Z', end: '2027-06-01T13:00:00Z' };
      const request = { source: 'calendar', action_name: 'create_event', input: event };
      const { draft_id } = await server.ok('act_on_integration', request);
      await server.ok('confirm_action', { draft_id });
      return draft_id;
    },
    approver: async () => {
      await join();
      return (await server.ok('name_approver', { email: colleague }))['approver_id'];
    },
    async connection() {
      const { integrations } = await server.ok('list_integrations');
      const accounts = (integrations as { accounts: { connection_id: string; status: string }[] }[])[0]?.accounts;
      const active = accounts?.find(({ status }) => status === 'active');
      return active?.connection_id ?? (await linkGoogle(server, google, { email })).connectionId;
    },
    async sync() {
      await makers.connection('');
      const sync = await server.ok('sync_integration', { source: 'gmail', every_minutes: 10_080 });
      return (await waitForSync(server, String(sync['sync_id']))).sync_id;
    },
    permission_set: async (name) => (await server.ok('create_permission_set', { name }))['permission_set_id'],
    variable_scope: (name) => makers.permission_set(name),
    key: async (name) => (await server.ok('create_key', { label: name }))['key_id'],
  };

  /** Has somebody else become a person of the workspace, once. */
  async function join(): Promise<void> {
    if (hasJoined) return;
    const brain_id = await makers.brain('Shared with a colleague');
    const invited = await server.ok('invite_member', { brain_id, email: colleague, access_level: 'viewer' });
    const link = invited['join_link'] as { url: string } | undefined;
    if (link) await useLink(link.url);
    hasJoined = true;
  }

  async function useLink(url: string): Promise<void> {
    const headers = { 'content-type': 'application/json', origin: server.url };
    const body = JSON.stringify({ token: new URL(url).hash.slice(1) });
    await server.request('/auth/sign-in', { method: 'POST', headers, body });
  }

  async function make(kind: string): Promise<string> {
    if (!isKind(kind)) throw new Error(`nothing here makes a ${kind}`);
    made += 1;
    const subject = subjects[made % subjects.length] ?? '';
    const id = await makers[kind](`The ${subject} number ${made} belongs to the ${kind} collection`);
    if (typeof id !== 'string') throw new Error(`no ${kind} could be made`);
    return id;
  }

  return {
    make,
    async real(input, from = make) {
      let text = JSON.stringify(input).replaceAll('https://api.example.com', google.url);
      if (text.includes('MY_TOKEN'))
        await server.ok('set_variable', { var_scope: 'person', var_name: 'MY_TOKEN', value: 'x' });
      if (text.includes(colleague)) await join();
      for (const kind of kinds) {
        if (text.includes(createExampleId(kind))) text = text.replaceAll(createExampleId(kind), await from(kind));
      }
      const real = JSON.parse(text) as Record<string, unknown>;
      // A deletion is confirmed by the brain's own name.
      return 'confirm' in real && brainNames.has(real['brain_id'])
        ? { ...real, confirm: brainNames.get(real['brain_id']) }
        : real;
    },
  };
}
