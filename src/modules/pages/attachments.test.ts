import type { Db } from '#kernel/database';
import { createTransactions, createOwnerPool } from '#platform/database';
import { Kysely, PostgresDialect } from 'kysely';
import type { Pool } from 'pg';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../../tests/support/server.ts';
import type { NewPage } from '#kernel/page';
import {
  countAttachedBytes,
  listAwaitedAttachments,
  listRetainedFiles,
  retainFiles,
  keepAttachment,
  keepBytes,
  releaseFiles,
  upsertPages,
  type Keeper,
} from './index.ts';
import { createAttachmentFiles } from './attachment-files.ts';
import { createOpenRetainedFile } from './retain-files.ts';
import { dropUnusedContents } from './store/attachment-contents.ts';

let server: TestServer;
let pool: Pool;
let workspaceId: string;
let brainId: string;
beforeAll(async () => {
  server = await startTestServer();
  pool = createOwnerPool({ connectionString: server.connectionString }, 6);
  const { rows } = await pool.query('select id, workspace_id from brains');
  ({ id: brainId, workspace_id: workspaceId } = rows[0]);
});
afterAll(async () => {
  await pool.end();
  await server.close();
});

const getTransactions = () => createTransactions(new Kysely({ dialect: new PostgresDialect({ pool }) }));
const runInWorkspace = <T>(work: (db: Db) => Promise<T>) => getTransactions().run(workspaceId, 'write', work);
const buildPage = (sourceRef: string, refs: readonly string[], more: Partial<NewPage> = {}): NewPage => ({
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
  runInWorkspace((db) => upsertPages(db, pages, { workspaceId, brainId, at: new Date(), newId: randomUUID }));
const listAwaited = async (pageId = '') =>
  runInWorkspace((db) => listAwaitedAttachments(db, { brainId, of: { pageIds: [pageId] } }));
const keep = (id: string, text: string, at = new Date()) => keepPieces(id, [Buffer.from(text)], at);
const keepPieces = (id: string, pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>, at = new Date()) => {
  const keeper: Keeper = {
    workspaceId,
    newId: randomUUID,
    transact: (work) => runInWorkspace((db) => work(db, at)),
    jobs: { enqueue: () => Promise.reject(new Error('plain text needs no job')) },
  };
  const decodeText = (beginning: Uint8Array) => Buffer.from(beginning).toString('latin1', 0, 100_000);
  return keepAttachment(keeper, id, {
    filename: 'a.txt',
    mimeType: 'text/plain',
    bytes: streamPieces(pieces),
    readText: decodeText,
  });
};
async function* streamPieces(pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>) {
  yield* pieces;
}
/** An attachment that must still be fetched. */
const createAwaited = async (sourceRef: string) => {
  const [stored] = await store([buildPage(sourceRef, ['file'])]);
  const [file] = await listAwaited(stored?.id);
  return { id: file?.id ?? '', pageId: stored?.id };
};
const countContents = async () => (await pool.query('select 1 from attachment_contents')).rows.length;
const tidy = (before = new Date(Date.now() + 1_000)) => runInWorkspace((db) => dropUnusedContents(db, before));
const countFound = async (q: string) => ((await server.ok('search', { q }))['pages'] as unknown[]).length;

test('an attachment that is no longer in the mail is deleted with its words, and the others stay', async () => {
  const [stored] = await store([buildPage('m:1', ['amber', 'beryl'])]);
  for (const { id, source_ref } of await listAwaited(stored?.id)) await keep(id, `Words of ${source_ref}stone`);
  expect([await countFound('amberstone'), await countFound('berylstone')]).toEqual([1, 1]);
  await store([buildPage('m:1', ['beryl'])]);
  expect([await countFound('amberstone'), await countFound('berylstone')]).toEqual([0, 1]);
  expect(await listAwaited(stored?.id)).toEqual([]);
  await store([buildPage('m:1', [])]);
  expect(await countFound('berylstone')).toBe(0);
});

test('the next sync stores an attachment that an earlier version only listed', async () => {
  const [stored] = await store([buildPage('m:7', ['new'])]);
  await pool.query(
    `update attachments set source_ref = 'earlier/1', state = 'failed', reason = 'not kept yet' where page_id = $1`,
    [stored?.id],
  );
  expect(await store([buildPage('m:7', ['new'])])).toMatchObject([{ change: 'none' }]);
  expect(await listAwaited(stored?.id)).toMatchObject([{ source_ref: 'new' }]);
  expect((await server.ok('get_page', { id: stored?.id }))['attachments']).toHaveLength(1);
});

test('the beginning of a long file is searched, and every stored part of it can be read', async () => {
  const [stored] = await store([buildPage('m:8', ['long'])]);
  const [file] = await listAwaited(stored?.id);
  await keep(file?.id ?? '', `obsidian ${'. '.repeat(30_000)}pumice`);
  expect([await countFound('obsidian'), await countFound('pumice')]).toEqual([1, 0]);
  const { text } = await server.ok('get_attachment', { attachment_id: file?.id, offset: 60_000 });
  expect(text).toContain('pumice');
});

test('bytes in use stay readable, and are deleted once they are released', async () => {
  await tidy();
  const others = await countContents();
  const holderId = randomUUID();
  const bytes = Buffer.alloc(2_500_000, 'held');
  const readRetainedFiles = () => runInWorkspace((db) => listRetainedFiles(db, holderId));
  await runInWorkspace(async (db) => {
    const kept = () => keepBytes(db, { id: randomUUID(), workspaceId, at: new Date() }, bytes);
    const [sha256, again] = [await kept(), await kept()];
    expect(again).toEqual(sha256);
    const files = [{ filename: 'held.bin', mime_type: 'a/b', size: bytes.length, sha256 }];
    await retainFiles(db, { holderId, workspaceId, files });
  });
  expect([await tidy(), await countContents()]).toEqual([0, others + 1]);
  const open = createOpenRetainedFile(getTransactions());
  const file = await open(workspaceId, holderId, 0);
  expect(file).toMatchObject({ filename: 'held.bin', size: bytes.length });
  expect(Buffer.from(await new Response(file?.body).arrayBuffer()).equals(bytes)).toBe(true);
  await runInWorkspace((db) => releaseFiles(db, [holderId]));
  expect([await readRetainedFiles(), await open(workspaceId, holderId, 0), await tidy()]).toEqual([[], null, 1]);
});

test('bytes are deleted when no file uses them any more, and not before', async () => {
  await tidy();
  const others = await countContents();
  const [one, other] = await store([buildPage('m:2', ['first']), buildPage('m:3', ['second'])]);
  for (const each of [one, other]) for (const { id } of await listAwaited(each?.id)) await keep(id, 'equal bytes');
  expect(await countContents()).toBe(others + 1);
  await store([buildPage('m:2', [], { isGone: true })]);
  expect(await tidy()).toBe(0);
  await store([buildPage('m:3', [], { isGone: true })]);
  expect(await tidy(new Date(Date.now() - 60_000))).toBe(0);
  expect(await tidy()).toBe(1);
  expect(await countContents()).toBe(others);
});

test('a file that comes while equal bytes are removed is kept', async () => {
  const rounds = Array.from({ length: 20 }, (_, round) => round);
  for (const round of rounds) {
    const [stored] = await store([buildPage('m:4', [`ref${round}`])]);
    const [file] = await listAwaited(stored?.id);
    // Like the hourly clean-up: bytes that are stored at the same time are not removed.
    const before = new Date();
    const later = new Date(before.getTime() + 1);
    await Promise.all([keep(file?.id ?? '', 'contended', later), tidy(before), tidy(before)]);
    const { attachments } = await server.ok('get_page', { id: stored?.id });
    expect(attachments).toMatchObject([{ state: 'stored' }]);
  }
});

test('an attachment whose page was deleted meanwhile is not stored', async () => {
  const [stored] = await store([buildPage('m:5', ['late'])]);
  const [file] = await listAwaited(stored?.id);
  await store([buildPage('m:5', [], { isGone: true })]);
  const others = await countContents();
  expect(await keep(file?.id ?? '', 'too late')).toBe(null);
  expect(await keepPieces(file?.id ?? '', [Buffer.alloc(3_000_000)])).toBe(null);
  expect(await countContents()).toBe(others);
});

test('deleting a brain deletes its files, and the answer has their number', async () => {
  const { brain_id, name } = await server.ok('create_brain', { name: 'With files' });
  const [stored] = await runInWorkspace((db) =>
    upsertPages(db, [buildPage('m:6', ['last'])], {
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

test.each([0, 1, 999_999, 1_000_000, 1_000_001, 2_600_000])(
  'a file of %i bytes arrives in pieces of any size, and is downloaded unchanged',
  async (size) => {
    const whole = Buffer.alloc(size, `${size} threads of saffron `);
    const pieces = function* () {
      for (let [at, step] = [0, 7]; at < size; at += step, step = (step * 13) % 300_007)
        yield whole.subarray(at, at + step);
    };
    const { id } = await createAwaited(`size:${size}`);
    expect(await keepPieces(id, pieces())).toBe(size);
    const file = await createAttachmentFiles(getTransactions())(workspaceId, id);
    expect(file?.size).toBe(size);
    expect(Buffer.from(await new Response(file?.body).arrayBuffer()).equals(whole)).toBe(true);
  },
);

test('a file that breaks off leaves nothing, and can be stored again', async () => {
  const others = await countContents();
  const { id } = await createAwaited('m:10');
  const broken = function* () {
    yield Buffer.alloc(2_500_000, 'x');
    throw new Error('the line is dead');
  };
  await expect(keepPieces(id, broken())).rejects.toThrow('the line is dead');
  expect(await countContents()).toBe(others);
  expect(await keep(id, 'whole at last')).toBe(13);
});

test('an incomplete file is invisible; it is deleted when no more bytes come, and not before', async () => {
  const { id, pageId } = await createAwaited('m:11');
  const reached = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const half = async function* () {
    yield Buffer.alloc(2_500_000, 'half of it ');
    reached.resolve();
    await goOn.promise;
    yield Buffer.alloc(500_000);
  };
  const before = await runInWorkspace(countAttachedBytes);
  const keeping = keepPieces(id, half());
  await reached.promise;
  expect((await server.ok('get_page', { id: pageId }))['attachments']).toMatchObject([{ state: 'awaited', url: null }]);
  expect(await createAttachmentFiles(getTransactions())(workspaceId, id)).toBe(null);
  expect(await runInWorkspace(countAttachedBytes)).toBe(before + 1_000_000);
  expect(await tidy(new Date(Date.now() - 60_000))).toBe(0);
  // Like an hour after a crash.
  expect(await tidy()).toBe(1);
  expect((await pool.query(`select 1 from attachment_parts where substring(bytes for 4) = 'half'`)).rows).toEqual([]);
  goOn.resolve();
  await expect(keeping).rejects.toThrow('removed while they arrived');
  expect(await keep(id, 'whole at last')).toBe(13);
});

test('two writers of the same bytes at once store them once, and both have them', async () => {
  const rounds = Array.from({ length: 6 }, (_, round) => round);
  for (const round of rounds) {
    const others = await countContents();
    const size = round % 2 ? 2_500_000 : 1_000;
    const whole = Buffer.alloc(size, `the same in round ${round} `);
    const files = await Promise.all([
      createAwaited(`a:${round}`),
      createAwaited(`b:${round}`),
      createAwaited(`c:${round}`),
    ]);
    // Two of them bring the same attachment.
    const ids = [...files.map(({ id }) => id), files[0].id];
    expect(await Promise.all(ids.map((id) => keepPieces(id, [whole])))).toEqual(ids.map(() => size));
    expect(await countContents()).toBe(others + 1);
    for (const { id } of files) {
      const file = await createAttachmentFiles(getTransactions())(workspaceId, id);
      expect(Buffer.from(await new Response(file?.body).arrayBuffer()).equals(whole)).toBe(true);
    }
  }
});

test('a file is downloaded no faster than it is written, and read no faster than its client reads', async () => {
  const { id } = await createAwaited('m:12');
  let given = 0;
  const pieces = async function* () {
    for (; given < 12_000_000; given += 100_000) {
      yield Buffer.alloc(100_000, String(given));
      expect(given - (await runInWorkspace(countAttachedBytes)) + before).toBeLessThan(2_100_000);
    }
  };
  const before = await runInWorkspace(countAttachedBytes);
  await keepPieces(id, pieces());
  const file = await createAttachmentFiles(getTransactions())(workspaceId, id);
  const reader = file?.body.getReader();
  expect((await reader?.read())?.value).toHaveLength(200_000);
  await reader?.cancel();
});
