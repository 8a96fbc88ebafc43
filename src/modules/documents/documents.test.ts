import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createBlobs } from '#platform/blobs';
import { createTransactions, createKysely, createOwnerPool } from '#platform/database';
import { createEgress } from '#platform/egress';
import { openAsOwner, type OwnerDatabase } from '../../../tests/support/owner-database.ts';
import { addPerson } from '../../../tests/support/second-person.ts';
import { startTestServer, type TestServer } from '../../../tests/support/server.ts';
import { createUnusedBlobsRound } from './remove-blobs.ts';
import { buildBlobKey } from './store-document.ts';

let server: TestServer;
let database: OwnerDatabase;
const folder = mkdtempSync(join(tmpdir(), 'documents-'));
beforeAll(async () => {
  server = await startTestServer({ THALAMUS_DATA_DIR: folder });
  database = await openAsOwner(server.connectionString);
});
afterAll(async () => {
  await database.close();
  await server.close();
  rmSync(folder, { recursive: true });
});

const bible = [
  '# The Seven Kingdoms',
  '',
  'Magic costs the caster a night of sleep. Elemental powers are fire, tide and stone.',
  'A caster who skips the sleep loses the elemental powers for a season.',
  '',
  '# Trade',
  '',
  'The harbour of Tessaly taxes saffron and salt. Merchants pay the harbour toll in silver.',
].join('\n');
const upload = (title: string, content: string, more: object = {}) =>
  server.ok('upload_document', { title, content, ...more });
const find = async (q: string, more: object = {}) => (await server.ok('search_memory', { q, ...more })).memories;

test('a document is found beside memories by the next search, with the lines to read', async () => {
  const { document_id } = await upload('World-building bible', bible);
  await server.ok('add_memory', { content: 'The elemental powers need a prologue.' });
  const hits = await find('elemental powers of casters');
  expect(hits.map(({ type }) => type)).toContain('document_constellation');
  expect(hits.some(({ type }) => type !== 'document_constellation')).toBe(true);
  const source = hits.find(({ type }) => type === 'document_constellation')?.document_source;
  expect(source).toMatchObject({
    document_id,
    document_title: 'World-building bible',
    line_ranges: [{ start: 1, end: 8 }],
    passage: { text: expect.stringContaining('elemental powers') },
  });
  const [only] = await find('elemental powers', { type: 'document_constellation' });
  expect(only?.type).toBe('document_constellation');
  expect(await find('elemental powers', { type: 'observation', author: 'nobody' })).toEqual([]);
});

test('the lines of a document are read unchanged, in parts', async () => {
  const { document_id } = await upload('Lines', bible);
  const part = await server.ok('read_document', { document_id, line_start: 3, line_end: 4 });
  expect(part).toMatchObject({ text: bible.split('\n').slice(2, 4).join('\n'), total_lines: 8, next_line: null });
  const whole = await server.ok('read_document', { document_id });
  expect(whole).toMatchObject({ text: bible, line_end: 8, next_line: null });
  const long = Array.from({ length: 3_000 }, (_, line) => `Line ${line + 1} ${'x'.repeat(line % 90)}`).join('\n');
  const { document_id: longer } = await upload('Long lines', long);
  let text = '';
  for (let next: number | null = 1; next !== null;) {
    const read: { text: string; next_line: number | null } = await server.ok('read_document', {
      document_id: longer,
      line_start: next,
      line_end: 3_000,
    });
    text += (text && '\n') + read.text;
    next = read.next_line;
  }
  expect(text).toBe(long);
});

test('a line that is too long for one passage is read as one line', async () => {
  const line = 'The saffron ships leave at dawn and return at dusk. '.repeat(200).trim();
  const { document_id } = await upload('One line', `before\n${line}\nafter`);
  const read = await server.ok('read_document', { document_id, line_start: 2, line_end: 2 });
  expect(read.text).toBe(line);
  expect((await server.ok('read_document', { document_id })).text).toBe(`before\n${line}\nafter`);
});

test('the original is downloaded unchanged', async () => {
  const bytes = readFileSync(new URL('../../../tests/vectors/documents/single-paragraph.docx', import.meta.url));
  const { url, format, title } = await server.ok('upload_document', {
    filename: 'walking-notes.docx',
    file_base64: bytes.toString('base64'),
  });
  expect({ format, title }).toEqual({ format: 'docx', title: 'walking notes' });
  const answer = await server.request(new URL(url).pathname, { headers: { authorization: `Bearer ${server.key}` } });
  expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true);
  expect(answer.headers.get('content-disposition')).toContain('walking-notes.docx');
});

test('a file sent as a form is stored like one in JSON', async () => {
  const form = new FormData();
  form.set('title', 'Sent as a form');
  form.set('file', new File([bible], 'bible.md', { type: 'text/markdown' }));
  form.set('replace', 'false');
  const sent = await server.request('/v1/documents', {
    method: 'POST',
    headers: { authorization: `Bearer ${server.key}` },
    body: form,
  });
  expect(sent.status).toBe(200);
  expect(await sent.json()).toMatchObject({
    title: 'Sent as a form',
    filename: 'bible.md',
    format: 'markdown',
    lines: 8,
  });
});

test('the same file under the same title is stored once', async () => {
  const [one, other] = await Promise.all([upload('Twice', bible), upload('Twice', bible)]);
  expect(one.document_id).toBe(other.document_id);
  expect([one.is_new, other.is_new].toSorted()).toEqual([false, true]);
});

test('documents with two titles and the same bytes share one original, which stays until the last of them is deleted', async () => {
  const { brain_id } = await server.ok('create_brain', { name: 'Second place' });
  const words = 'The lighthouse keeper signs for oil twice a year.';
  const one = await upload('Oil', words);
  const other = await upload('Oil, copy', words, { brain_id });
  const sha256 = createHash('sha256').update(words).digest();
  const [blob, ...more] = await database.rows('select workspace_id from blobs where sha256 = $1', [sha256]);
  expect(more).toEqual([]);
  const workspaceId = String(blob?.['workspace_id']);
  const pool = createOwnerPool({ connectionString: server.connectionString }, 1);
  const egress = createEgress({ allow: [] });
  const blobs = createBlobs(egress, { dataDir: folder, s3: null });
  const transactions = createTransactions(createKysely(pool));
  const later = () => new Date(Date.now() + 2 * 60 * 60 * 1_000);
  const isKept = async () => {
    await createUnusedBlobsRound({ transactions, blobs, now: later }).run(workspaceId);
    const stream = await blobs.open(buildBlobKey(workspaceId, sha256));
    await stream?.cancel();
    return stream !== null;
  };
  try {
    await server.ok('delete_document', { document_id: one.document_id });
    expect(await isKept()).toBe(true);
    await server.ok('delete_document', { document_id: other.document_id });
    expect(await isKept()).toBe(false);
  } finally {
    await egress.close();
    await pool.end();
  }
});

test('documents are also found by words of the best passages, and memories are not', async () => {
  const { brain_id } = await server.ok('create_brain', { name: 'Expansion' });
  const add = (title: string, content: string) => upload(title, content, { brain_id });
  for (let stall = 1; stall <= 15; stall += 1) await add(`Stall ${stall}`, `Stall ${stall} opens on Mondays.`);
  await add('One', 'The catamaran crosses the strait; its gangway is blue.');
  await add('Two', 'A catamaran with a gangway crosses the strait at noon.');
  await add('Related', 'The gangway at the strait was repainted.');
  await server.ok('add_memory', { content: 'The gangway at the strait was repainted.', target_brain_id: brain_id });
  const found = await find('catamaran', { brain_id });
  expect(found.map((hit) => hit.document_source?.document_title).toSorted()).toEqual(['One', 'Related', 'Two']);
  expect(found.at(-1)?.document_source?.document_title).toBe('Related');
});

test('a deleted document is neither listed, read nor found', async () => {
  const { document_id } = await upload('Short-lived', 'The quokka budget is nineteen crowns.');
  expect(await find('quokka budget')).toHaveLength(1);
  await server.ok('delete_document', { document_id });
  expect(await find('quokka budget')).toEqual([]);
  expect((await server.call('read_document', { document_id })).status).toBe(404);
  expect((await server.ok('list_documents', {})).documents.map(({ id }) => id)).not.toContain(document_id);
});

test('a file that is uploaded again under its name replaces the former one, whose words are no longer found', async () => {
  const { brain_id } = await server.ok('create_brain', { name: 'Handbooks' });
  const send = (content: string, more: object = {}) =>
    server.ok('upload_document', { content, filename: 'handbook.md', brain_id, ...more });
  const listed = async () => (await server.ok('list_documents', { brain_id })).documents.map(({ id }) => id);
  const former = await send('# Handbook\n\nThe mast is of sandalwood.');
  expect(await find('sandalwood', { brain_id })).toHaveLength(1);
  const apart = await send('The third edition.', { title: 'Handbook of the yard' });
  const next = await send('# Handbook, second edition\n\nThe mast is of larch.');
  expect(next).toMatchObject({ is_new: true, replaced_id: apart.document_id });
  expect(await find('sandalwood', { brain_id })).toEqual([]);
  expect(await listed()).toEqual([next.document_id]);
  expect(await server.ok('get_document', { document_id: former.document_id })).toMatchObject({
    replaced_by: next.document_id,
  });
  const kept = await send('The same name, another book.', { replace: false });
  expect(kept.replaced_id).toBeNull();
  expect(await listed()).toEqual([kept.document_id, next.document_id]);
  await server.ok('delete_document', { id: next.document_id });
  expect((await server.call('get_document', { document_id: former.document_id })).status).toBe(404);
});

test('an agent without documents:delete replaces its own file, and keeps the file of another beside it', async () => {
  const { brain_id } = await server.ok('create_brain', { name: 'Manuals' });
  const { key } = await server.ok('create_key', { label: 'Scribe', home_brain_id: brain_id });
  const send = (content: string, by?: { key: string }) =>
    server.ok('upload_document', { content, filename: 'manual.md', brain_id }, by);
  const other = await send('The keel is of ironwood.');
  const own = await send('The keel is of balsa.', { key });
  expect(own.replaced_id).toBeNull();
  expect(await server.ok('get_document', { document_id: other.document_id })).toMatchObject({ replaced_by: null });
  expect((await send('The keel is of cork.', { key })).replaced_id).toBe(own.document_id);
});

test('a text without a file replaces the one with its title only on request', async () => {
  const { brain_id } = await server.ok('create_brain', { name: 'Drafts' });
  const send = (content: string, more: object = {}) => upload('Plan', content, { brain_id, ...more });
  const first = await send('The plan names a sextant.');
  expect((await send('The plan names a compass.')).replaced_id).toBeNull();
  expect(await find('sextant', { brain_id })).not.toEqual([]);
  expect((await send('The plan names a chart.', { replace: true })).replaced_id).not.toBeNull();
  expect(await find('sextant', { brain_id })).toEqual([]);
  expect((await server.ok('list_documents', { brain_id })).total).toBe(1);
  expect((await send('The plan names a sextant.', { replace: true })).document_id).not.toBe(first.document_id);
});

test('a file that is broken or not a document is not stored, and the error says why', async () => {
  const send = (filename: string, bytes: Buffer) =>
    server.call('upload_document', { filename, file_base64: bytes.toString('base64') });
  const { total } = await server.ok('list_documents', {});
  expect(await send('a.docx', Buffer.from('PK\u0003\u0004 and nothing more'))).toMatchObject({
    status: 422,
    body: { code: 'invalid_input', detail: expect.stringContaining('damaged') },
  });
  expect(await send('a.bin', Buffer.from([0, 1, 2, 3]))).toMatchObject({ status: 422 });
  expect(await server.call('upload_document', { title: 'Nothing' })).toMatchObject({ status: 422 });
  expect((await server.ok('list_documents', {})).total).toBe(total);
});

test('a memory that is stored after reading a document ranks the document higher', async () => {
  const text = 'Copper wire of gauge nine carries the tram current across the viaduct.';
  const { document_id: read } = await upload('Tram manual', `${text} Keep the rails dry.`);
  const { document_id: unread } = await upload('Tram manual, copy', `${text} Keep the rails dry!`);
  await server.ok('read_document', { document_id: read });
  await server.ok('add_memory', { content: 'The tram current on the viaduct runs through copper wire of gauge nine.' });
  const count = async () => (await server.ok('get_document', { document_id: read })).reference_count;
  await expect.poll(count, { timeout: 10_000 }).toBe(1);
  expect((await server.ok('get_document', { document_id: unread })).reference_count).toBe(0);
  const hits = await find('copper wire gauge', { type: 'document_constellation' });
  expect(hits[0]?.document_source?.document_id).toBe(read);
  const lessons = await database.rows('select question, answer from document_lessons');
  expect(lessons).toMatchObject([
    { question: expect.stringContaining('Tram manual'), answer: expect.stringContaining('gauge nine') },
  ]);
});

test('somebody who may not read the brain cannot find, read or download its documents', async () => {
  const { document_id, url } = await upload('Private', 'The narwhal ledger is kept in the attic.');
  const { key } = await addPerson(database);
  expect((await server.call('read_document', { document_id }, { key })).status).toBe(404);
  const search = await server.call('search_memory', { q: 'narwhal ledger' }, { key });
  expect(search).toMatchObject({ status: 200, body: { memories: [] } });
  const answer = await server.request(new URL(url).pathname, { headers: { authorization: `Bearer ${key}` } });
  expect(answer.status).toBe(404);
});

test('phrases and exclusions apply to documents', async () => {
  await upload('Phrases one', 'The green lantern hangs over the gate of pelicans.');
  await upload('Phrases two', 'A lantern so green hangs over the pelicans.');
  const titles = async (q: string) =>
    (await find(q, { type: 'document_constellation' })).map((hit) => hit.document_source?.document_title);
  expect(await titles('"green lantern" pelicans')).toEqual(['Phrases one']);
  expect(await titles('pelicans -gate')).toEqual(['Phrases two']);
});
