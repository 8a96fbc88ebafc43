import type { Db } from '#kernel/database';
import { createTransactions } from '#platform/database';
import { Kysely, PostgresDialect } from 'kysely';
import { Pool } from 'pg';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../../tests/support/server.ts';
import { awaitedAttachments, dropUnusedContents, keepAttachment, upsertPages, type NewPage } from './index.ts';

let server: TestServer;
let pool: Pool;
let workspaceId: string;
let brainId: string;
beforeAll(async () => {
  server = await startTestServer();
  pool = new Pool({ connectionString: server.connectionString, max: 6 });
  const { rows } = await pool.query('select id, workspace_id from brains');
  ({ id: brainId, workspace_id: workspaceId } = rows[0]);
});
afterAll(async () => {
  await pool.end();
  await server.close();
});

const inWorkspace = <T>(work: (db: Db) => Promise<T>) =>
  createTransactions(new Kysely({ dialect: new PostgresDialect({ pool }) })).run(workspaceId, 'write', work);
const page = (sourceRef: string, refs: readonly string[], more: Partial<NewPage> = {}): NewPage => ({
  sourceRef,
  source: 'test:one',
  type: 'email',
  title: sourceRef,
  body: refs.join(' '),
  frontmatter: {},
  attachments: refs.map((ref) => ({
    ref,
    filename: `${ref}.txt`,
    mime_type: 'text/plain',
    size: 5,
    message_id: 'm',
    handle: {},
  })),
  occurredAt: new Date('2026-01-01T00:00:00Z'),
  ...more,
});
const store = (pages: NewPage[]) =>
  inWorkspace((db) => upsertPages(db, pages, { workspaceId, brainId, at: new Date(), newId: randomUUID }));
const awaited = async (pageId = '') =>
  inWorkspace((db) => awaitedAttachments(db, { brainId, of: { pageIds: [pageId] } }));
const keep = (id: string, text: string, at = new Date()) =>
  inWorkspace((db) => keepAttachment(db, id, { workspaceId, bytes: Buffer.from(text), text, at }));
const contents = async () => (await pool.query('select 1 from attachment_contents')).rows.length;
const tidy = (before = new Date(Date.now() + 1_000)) => inWorkspace((db) => dropUnusedContents(db, before));
const found = async (q: string) => ((await server.ok('search', { q }))['pages'] as unknown[]).length;

test('an attachment that is no longer in the mail goes, with its words, and the others stay', async () => {
  const [stored] = await store([page('m:1', ['amber', 'beryl'])]);
  for (const { id, source_ref } of await awaited(stored?.id)) await keep(id, `Words of ${source_ref}stone`);
  expect([await found('amberstone'), await found('berylstone')]).toEqual([1, 1]);
  await store([page('m:1', ['beryl'])]);
  expect([await found('amberstone'), await found('berylstone')]).toEqual([0, 1]);
  expect(await awaited(stored?.id)).toEqual([]);
  await store([page('m:1', [])]);
  expect(await found('berylstone')).toBe(0);
});

test('what an earlier server only listed is taken over by the next reading, and stands there once', async () => {
  const [stored] = await store([page('m:7', ['new'])]);
  await pool.query(
    `update attachments set source_ref = 'earlier/1', state = 'failed', reason = 'not kept yet' where page_id = $1`,
    [stored?.id],
  );
  expect(await store([page('m:7', ['new'])])).toMatchObject([{ change: 'none' }]);
  expect(await awaited(stored?.id)).toMatchObject([{ source_ref: 'new' }]);
  expect((await server.ok('get_page', { id: stored?.id }))['attachments']).toHaveLength(1);
});

test('of a long file the beginning is searched, and all that is kept of it can be read', async () => {
  const [stored] = await store([page('m:8', ['long'])]);
  const [file] = await awaited(stored?.id);
  await keep(file?.id ?? '', `obsidian ${'. '.repeat(30_000)}pumice`);
  expect([await found('obsidian'), await found('pumice')]).toEqual([1, 0]);
  const { text } = await server.ok('get_attachment', { attachment_id: file?.id, offset: 60_000 });
  expect(text).toContain('pumice');
});

test('bytes go when nobody refers to them any more, and not before', async () => {
  await tidy();
  const others = await contents();
  const [one, other] = await store([page('m:2', ['first']), page('m:3', ['second'])]);
  for (const each of [one, other]) for (const { id } of await awaited(each?.id)) await keep(id, 'equal bytes');
  expect(await contents()).toBe(others + 1);
  await store([page('m:2', [], { isGone: true })]);
  expect(await tidy()).toBe(0);
  await store([page('m:3', [], { isGone: true })]);
  expect(await tidy(new Date(Date.now() - 60_000))).toBe(0);
  expect(await tidy()).toBe(1);
  expect(await contents()).toBe(others);
});

test('a file that comes while equal bytes are removed is kept', async () => {
  const rounds = Array.from({ length: 20 }, (_, round) => round);
  for (const round of rounds) {
    const [stored] = await store([page('m:4', [`ref${round}`])]);
    const [file] = await awaited(stored?.id);
    await Promise.all([keep(file?.id ?? '', 'contended'), tidy(), tidy()]);
    const { attachments } = await server.ok('get_page', { id: stored?.id });
    expect(attachments).toMatchObject([{ state: 'stored' }]);
  }
});

test('an attachment whose page is gone meanwhile is not kept', async () => {
  const [stored] = await store([page('m:5', ['late'])]);
  const [file] = await awaited(stored?.id);
  await store([page('m:5', [], { isGone: true })]);
  expect(await keep(file?.id ?? '', 'too late')).toBe(false);
});

test('a brain that is deleted takes its files along, and tells how many', async () => {
  const { brain_id, name } = await server.ok('create_brain', { name: 'With files' });
  const [stored] = await inWorkspace((db) =>
    upsertPages(db, [page('m:6', ['last'])], {
      workspaceId,
      brainId: String(brain_id),
      at: new Date(),
      newId: randomUUID,
    }),
  );
  const { counts } = await server.ok('delete_brain', { brain_id, confirm: name });
  expect(counts).toMatchObject({ pages: 1, attachments: 1 });
  expect((await pool.query('select 1 from attachments where page_id = $1', [stored?.id])).rows).toEqual([]);
});
