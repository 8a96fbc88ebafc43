import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { GoogleEmulator } from '#emulators/google/index';
import { linkGoogle, startServerWithGoogle } from '../../../tests/support/google.ts';
import { openAsOwner, type OwnerDatabase } from '../../../tests/support/owner-database.ts';
import { addPerson } from '../../../tests/support/second-person.ts';
import { startTestServer, type TestServer } from '../../../tests/support/server.ts';
import { passTimeAndWait } from '../../../tests/support/time-passes.ts';

let server: TestServer;
let google: GoogleEmulator;
let database: OwnerDatabase;
let close: () => Promise<void>;
let install_id: string;

beforeAll(async () => {
  ({ server, google, close } = await startServerWithGoogle());
  database = await openAsOwner(server.connectionString);
  google.addAccount({ email: 'ada@example.com', name: 'Ada' });
  install_id = (await linkGoogle(server, google, { email: 'ada@example.com' })).connectionId;
});
afterAll(async () => {
  await database.close();
  await close();
});

async function createBrain(name: string, parent?: string): Promise<string> {
  const input = { name, ...(parent && { parent_brain_id: parent }) };
  return String((await server.ok('create_brain', input))['brain_id']);
}

const remove = (brain_id: string, name: string, key = server.key) =>
  server.call('delete_brain', { brain_id, confirm: `${name} Brain` }, { key });

async function createBrainKey(home_brain_id: string): Promise<string> {
  return String((await server.ok('create_key', { label: 'Of a brain', home_brain_id }))['key']);
}

async function createDraft(key: string): Promise<string> {
  const input = { to: ['noah@example.com'], subject: `From ${key.slice(-5)}`, body: 'Hello' };
  const call = { install_id, action_name: 'send_email', input };
  return String((await server.ok('act_on_integration', call, { key }))['draft_id']);
}

/** A brain with content of every kind. Every text contains `xylophone`. */
async function fill(name: string): Promise<string> {
  const brain_id = await createBrain(name);
  await server.ok('invite_member', { brain_id, email: `guest@${name}.example`, access_level: 'viewer' });
  await server.ok('add_core_knowledge', { brain_id, section: 'xylophone', content: 'Tune the xylophone' });
  const agent = { key: String((await server.ok('create_key', { label: 'Agent' }))['key']) };
  await server.ok('add_core_knowledge', { brain_id, section: 'sound', content: 'A xylophone rings' }, agent);
  const { skill_id } = await server.ok('create_skill', { name: `Skill of ${name}`, content: 'How to tune' });
  await server.ok('assign_skill', { skill_id, brain_id });
  const tune = { var_name: 'TUNE', value: 'played in A', description: 'Of the xylophone' };
  await server.ok('set_variable', { var_scope: 'brain', scope_id: brain_id, ...tune });
  const { session_id } = await server.ok('load_brain', { brain_id });
  const memories = Array.from({ length: 7 }, (_, n) => ({ content: `The xylophone number ${n} is tuned` }));
  const stored = await server.ok('add_memories_bulk', { memories, target_brain_id: brain_id });
  const [one, two] = (stored['memories'] as { id: string }[]).map(({ id }) => id);
  await server.ok('link_memories', { source_memory_id: one, target_memory_id: two, relationship_type: 'refines' });
  await server.ok('archive_memory', { id: one, superseded_by: two });
  await server.ok('log_session', { session_id, summary: 'Spoke of the xylophone' });
  await database.rows(
    `insert into pages (id, workspace_id, brain_id, slug, type, title, body, frontmatter, content_hash, occurred_at, created_at, updated_at)
      select gen_random_uuid(), workspace_id, id, 'note-' || n, 'note', 'The xylophone', 'A xylophone', '{}', 'h', now(), now(), now()
        from brains, generate_series(1, 3) n where id = $1`,
    [brain_id],
  );
  await database.rows(
    `insert into page_versions select id, workspace_id, 1, title, 'An old xylophone', '{}', now() from pages where brain_id = $1`,
    [brain_id],
  );
  await database.rows(
    `insert into attachments (id, workspace_id, page_id, source_ref, position, filename, mime_type, size, message_id, handle,
        state, text, created_at, updated_at)
      select gen_random_uuid(), workspace_id, id, 'a', 0, 'xylophone.txt', 'text/plain', 9, 'm', '{}', 'awaited', 'xylophone', now(), now()
        from pages where brain_id = $1`,
    [brain_id],
  );
  const { board_id } = await server.ok('create_board', { name: 'Xylophones', brain_id });
  await server.ok('append_board_rows', { board_id, rows: [{ tuned: 'the xylophone' }] });
  return brain_id;
}

async function countFound(q: string): Promise<number> {
  const { memories } = await server.ok('search_memory', { q });
  const { pages } = await server.ok('search', { q });
  return (memories as unknown[]).length + (pages as unknown[]).length;
}

describe('deleting a brain', () => {
  test('leaves only the record of who did what', async () => {
    const brain_id = await fill('Music');
    await server.call('load_brain', { brain_id }, { headers: { 'idempotency-key': 'kept answer of music' } });
    expect(await countFound('xylophone')).toBeGreaterThan(3);
    const answer = await remove(brain_id, 'Music');
    expect(answer.body).toEqual({
      deleted: true,
      brain_id,
      counts: {
        members: 1,
        invitations: 1,
        core_knowledge: 1,
        skill_assignments: 1,
        suggestions: 1,
        memories: 7,
        sessions: 2,
        pages: 3,
        attachments: 3,
        page_versions: 3,
        variables: 1,
        boards: 1,
        board_rows: 1,
        workflows: 0,
        recipe_installs: 0,
        documents: 0,
        drafts_discarded: 0,
        automations_paused: 0,
        keys_revoked: 0,
      },
    });
    expect(await countFound('xylophone')).toBe(0);
    expect(await database.dump()).not.toContain('xylophone');
    // The queue keeps finished jobs for an hour, with ids only.
    const kept = (line: string) => line.includes(brain_id) && !line.startsWith('jobs.');
    const left = (await database.dump()).split('\n').filter(kept);
    expect(new Set(left.map((line) => line.split(':')[0]))).toEqual(
      new Set(['public.audit_log', 'public.deleted_brains', 'public.events']),
    );
    expect(left.filter((line) => line.startsWith('public.events'))).toEqual([expect.stringContaining('brain.deleted')]);
    expect((await server.call('load_brain', { brain_id })).status).toBe(404);
    expect((await remove(brain_id, 'Music')).status).toBe(404);
  });

  test('on one server is effective in the next search of another server', async () => {
    const other = await startTestServer({ DATABASE_URL: server.connectionString });
    const brain_id = await createBrain('Two servers');
    await server.ok('add_memory', { content: 'The marimba stands upstairs', target_brain_id: brain_id });
    const found = async () => (await other.ok('search_memory', { q: 'marimba' }))['memories'];
    expect(await found()).toHaveLength(1);
    await remove(brain_id, 'Two servers');
    expect(await found()).toEqual([]);
    expect((await other.call('search_memory', { q: 'marimba', brain_id })).status).toBe(404);
    await other.close();
  });

  test('discards the pending drafts, keeps their ledger, and revokes the keys whose home it was', async () => {
    const brain_id = await createBrain('Mail');
    const key = await createBrainKey(brain_id);
    const draft_id = await createDraft(key);
    const { counts } = (await remove(brain_id, 'Mail')).body;
    expect(counts).toMatchObject({ drafts_discarded: 1, keys_revoked: 1 });
    const draft = await server.ok('get_action', { draft_id });
    expect(draft).toMatchObject({ status: 'discarded' });
    expect(JSON.stringify(draft)).toContain('drafted');
    const status = async () => (await server.call('who_am_i', {}, { key })).status;
    await expect.poll(status).toBe(401);
    expect(google.ledger.sent()).toEqual([]);
  });

  test('waits until a draft that is being sent has its outcome', async () => {
    const brain_id = await createBrain('Sending');
    const key = await createBrainKey(brain_id);
    const [waiting, sending] = [await createDraft(key), await createDraft(await createBrainKey(brain_id))];
    await database.rows(`update drafts set status = 'confirming', decided_at = now() where id = $1`, [sending]);
    expect(await remove(brain_id, 'Sending')).toMatchObject({
      status: 409,
      body: { details: { draft_ids: [sending] } },
    });
    expect(await server.ok('get_action', { draft_id: waiting })).toMatchObject({ status: 'pending' });
    expect((await server.call('who_am_i', {}, { key })).status).toBe(200);
    await database.rows(
      `update drafts set status = 'failed', settled_at = now(), error = '{"message": "Refused."}' where id = $1`,
      [sending],
    );
    expect((await remove(brain_id, 'Sending')).status).toBe(200);
  });

  test('is refused with another name, with brains below it, and for a personal brain', async () => {
    const brain_id = await createBrain('Parent');
    const child = await createBrain('Child', brain_id);
    expect((await server.call('delete_brain', { brain_id, confirm: 'parent brain' })).body).toMatchObject({
      code: 'invalid_input',
      detail: expect.stringContaining('«Parent Brain»'),
    });
    expect((await remove(brain_id, 'Parent')).body).toMatchObject({
      code: 'conflict',
      detail: expect.stringContaining('Child Brain'),
      details: { children: [{ id: child, name: 'Child Brain' }] },
    });
    const { home_brain_id } = await server.ok('who_am_i');
    const personal = { brain_id: home_brain_id, confirm: "Owner's Brain" };
    expect((await server.call('delete_brain', personal)).status).toBe(409);
    expect((await remove(child, 'Child')).status).toBe(200);
    expect((await remove(brain_id, 'Parent')).status).toBe(200);
  });

  test('is for its owner and for administrators of the workspace', async () => {
    const { key, personId } = await addPerson(database);
    const brain_id = await createBrain('Shared');
    await database.rows(
      `insert into brain_members select $1, $2, workspace_id, 'admin', true, now(), null from brains where id = $1`,
      [brain_id, personId],
    );
    expect((await remove(brain_id, 'Shared', key)).status).toBe(403);
    const theirs = String((await server.ok('create_brain', { name: 'Theirs' }, { key }))['brain_id']);
    expect((await remove(theirs, 'Theirs')).status).toBe(200);
  });

  test('while others store in it deletes every acknowledged memory, and later writes are refused', async () => {
    const brain_id = await createBrain('Busy');
    const writes = Array.from({ length: 20 }, (_, n) =>
      server.call('add_memory', { content: `Zeppelin number ${n}`, target_brain_id: brain_id }),
    );
    const deleted = await remove(brain_id, 'Busy');
    const statuses = new Set((await Promise.all(writes)).map(({ status }) => status));
    expect(deleted.status).toBe(200);
    expect([...statuses].every((status) => [200, 404, 409].includes(status))).toBe(true);
    expect(await database.rows('select id from memories where brain_id = $1', [brain_id])).toEqual([]);
    expect(await countFound('Zeppelin')).toBe(0);
  });
});

describe('exporting a brain', () => {
  type Line = Record<string, unknown> & { kind: string };

  async function exported(brain_id: string, limit: number): Promise<{ lines: Line[]; pages: number }> {
    const lines: Line[] = [];
    let cursor: unknown;
    for (let pages = 1; ; pages += 1) {
      const answer = await server.ok('export_brain', {
        brain_id,
        limit,
        ...(cursor !== null && cursor !== undefined && { cursor }),
      });
      expect((answer['lines'] as Line[]).length).toBeLessThanOrEqual(limit);
      lines.push(...(answer['lines'] as Line[]));
      cursor = answer['next_cursor'];
      if (cursor === null) return { lines, pages };
    }
  }

  test('returns everything in it once, whatever the size of a page', async () => {
    const brain_id = await fill('Export');
    await passTimeAndWait(server.connectionString, 3); // links are added after the answer
    const whole = await exported(brain_id, 1_000);
    expect(whole.pages).toBe(1);
    const kinds = Object.groupBy(whole.lines, ({ kind }) => kind);
    const sizes = Object.fromEntries(Object.entries(kinds).map(([kind, lines]) => [kind, lines?.length]));
    expect(sizes).toEqual({
      brain: 1,
      member: 1,
      invitation: 1,
      core_knowledge: 1,
      suggestion: 1,
      skill_assignment: 1,
      variable: 1,
      session: 1,
      memory: 7,
      page: 3,
      attachment: 3,
      page_version: 3,
      board: 1,
      board_row: 1,
    });
    const [first, second] = kinds['memory'] ?? [];
    expect(first).toMatchObject({
      content: 'The xylophone number 0 is tuned',
      superseded_by: second?.['id'],
      created_at: expect.stringMatching(/Z$/),
      links: expect.arrayContaining([{ to: second?.['id'], type: 'refines' }]),
    });
    expect(JSON.stringify(whole.lines)).not.toContain('workspace_id');
    for (const limit of [1, 3, 7]) expect((await exported(brain_id, limit)).lines).toEqual(whole.lines);
  });

  test('is for admins who may read all of it', async () => {
    const brain_id = await createBrain('Guarded');
    const { key, personId } = await addPerson(database);
    expect((await server.call('export_brain', { brain_id }, { key })).status).toBe(404);
    await database.rows(
      `insert into brain_members select $1, $2, workspace_id, 'editor', true, now(), null from brains where id = $1`,
      [brain_id, personId],
    );
    expect((await server.call('export_brain', { brain_id }, { key })).status).toBe(403);
    const few = String(
      (await server.ok('create_key', { label: 'Few', scopes: ['brains:read', 'memory:read'] }))['key'],
    );
    expect((await server.call('export_brain', { brain_id }, { key: few })).body).toMatchObject({
      code: 'forbidden',
      details: { missing: ['pages:read', 'variables:read', 'boards:read', 'workflows:read', 'recipes:read'] },
    });
  });

  test('with an invalid cursor is refused', async () => {
    const brain_id = await createBrain('Cursor');
    for (const cursor of ['', 'nothing', 'nowhere:1', 'memories', 'memories:x'])
      expect((await server.call('export_brain', { brain_id, cursor })).status).toBe(422);
  });
});
