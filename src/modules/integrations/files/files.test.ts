import type { Output } from '#sdk';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createApiClient, type ApiClient } from '#emulators/google/api-client';
import type { GoogleEmulator } from '#emulators/google/index';
import { linkGoogle, startServerWithGoogle } from '../../../../tests/support/google.ts';
import { openAsOwner, type OwnerDatabase } from '../../../../tests/support/owner-database.ts';
import { addPerson } from '../../../../tests/support/second-person.ts';
import type { TestServer } from '../../../../tests/support/server.ts';
import { runSync, startSync as begun } from '../../../../tests/support/syncs.ts';

const ada = 'ada@example.com';
let server: TestServer;
let google: GoogleEmulator;
let close: () => Promise<void>;
let database: OwnerDatabase;
let own: ApiClient;
beforeAll(async () => {
  ({ server, google, close } = await startServerWithGoogle({ THALAMUS_ATTACHMENTS_MB: '8' }));
  google.addAccount({ email: ada, name: 'Ada Lovelace' });
  await linkGoogle(server, google);
  own = createApiClient(google, ada, ['https://mail.google.com/']);
  database = await openAsOwner(server.connectionString);
});
afterAll(async () => {
  await database.close();
  await close();
});
beforeEach(() => {
  google.ledger.clear();
  google.failures.clear();
});

type ListedAttachment = {
  attachment_id: string;
  filename: string;
  state: string;
  reason: string | null;
  url: string | null;
};
const createFile = (filename: string, content: string | Uint8Array, mimeType = 'text/plain') => ({
  filename,
  content,
  mimeType,
});
const receiveMail = (subject: string, attachments: ReturnType<typeof createFile>[], more: object = {}) =>
  google.seedMail(ada, { from: 'noah@example.com', subject, text: 'See attached.', attachments, ...more });
const fetchMail = (subject: string) =>
  server.ok('fetch_from_integration', { source: 'gmail', input: { query: `subject:"${subject}"` } });
const listAttachments = async (fetched: Output<'fetch_from_integration'>): Promise<ListedAttachment[]> => {
  const [slug] = fetched['page_slugs'] as string[];
  return (await server.ok('get_page', { slug }))['attachments'] as ListedAttachment[];
};
const listDownloads = () => google.ledger.all({ method: 'GET', path: /\/attachments\// });
const asOwner = { headers: { authorization: '' } };
const download = (url: string | null, key = server.key) => {
  asOwner.headers.authorization = `Bearer ${key}`;
  return server.request(new URL(url ?? '').pathname, asOwner);
};

test('a search finds a word that only an attachment has, and names the attachment', async () => {
  receiveMail('Turbine offer', [
    createFile('offer.txt', 'The price holds until Michaelmas.'),
    createFile('terms.html', '<p>Payable in <b>guineas</b>.</p>', 'text/html'),
    createFile('logo.png', new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 1, 2]), 'image/png'),
  ]);
  const fetched = await fetchMail('Turbine offer');
  expect(fetched['errors']).toBeUndefined();
  const attachments = await listAttachments(fetched);
  expect(attachments).toMatchObject([
    { filename: 'offer.txt', state: 'stored', reason: null, has_text: true },
    { filename: 'terms.html', state: 'stored', has_text: true },
    { filename: 'logo.png', state: 'stored', has_text: false, size: 7 },
  ]);
  const { pages } = await server.ok('search', { q: 'michaelmas' });
  expect(pages).toMatchObject([
    { title: 'Turbine offer', attachment_count: 3, origin: 'outside', found_in: [{ filename: 'offer.txt' }] },
  ]);
  const found = pages[0]?.found_in?.[0];
  expect(found).toMatchObject({ attachment_id: attachments[0]?.attachment_id });
  expect(found?.excerpt).toContain('until Michaelmas');
  expect((await server.ok('search', { q: 'guineas' }))['pages']).toMatchObject([
    { found_in: [{ filename: 'terms.html' }] },
  ]);
});

test('the words of an attachment are read in parts, marked as external', async () => {
  receiveMail('Long report', [createFile('report.txt', `${'lantern '.repeat(100)}the end`)]);
  const [attached] = await listAttachments(await fetchMail('Long report'));
  const attachment_id = attached?.attachment_id;
  const first = await server.ok('get_attachment', { attachment_id, max_tokens: 100 });
  expect(first).toMatchObject({ origin: 'outside', filename: 'report.txt', total_characters: 807, next_offset: 400 });
  const { text, next_offset } = await server.ok('get_attachment', { attachment_id, offset: 400 });
  expect(`${String(first['text'])}${String(text)}`).toBe(`${'lantern '.repeat(100)}the end`);
  expect(next_offset).toBeNull();
});

test('an attachment is downloaded, and nothing in it runs', async () => {
  const bytes = new Uint8Array(2_500_000).map((_, at) => at % 251);
  receiveMail('Two files', [
    createFile('Plan für März.bin', bytes),
    createFile("page's (1).html", '<script>x</script>', 'text/html'),
  ]);
  const [plan, page] = await listAttachments(await fetchMail('Two files'));
  const answer = await download(plan?.url ?? null);
  expect(Buffer.from(await answer.arrayBuffer()).equals(Buffer.from(bytes))).toBe(true);
  expect(answer.headers.get('content-disposition')).toBe(
    `attachment; filename="Plan f_r M_rz.bin"; filename*=UTF-8''Plan%20f%C3%BCr%20M%C3%A4rz.bin`,
  );
  const unsafe = await download(page?.url ?? null);
  expect(await unsafe.text()).toBe('<script>x</script>');
  expect(Object.fromEntries(unsafe.headers)).toMatchObject({
    'content-type': 'application/octet-stream',
    'x-content-type-options': 'nosniff',
    'content-security-policy': expect.stringContaining('sandbox'),
    'content-disposition': expect.stringMatching(/^attachment; filename="page's \(1\)\.html"/),
  });
});

test('a caller that may not read the page gets neither its text nor its file', async () => {
  receiveMail('Private file', [createFile('diary.txt', 'Nobody else.')]);
  const [attached] = await listAttachments(await fetchMail('Private file'));
  const { key } = await addPerson(database);
  const refused = await server.call('get_attachment', { attachment_id: attached?.attachment_id }, { key });
  expect(refused).toMatchObject({ status: 404, body: { code: 'not_found' } });
  expect((await download(attached?.url ?? null, key)).status).toBe(404);
  expect((await download(attached?.url ?? null, 'cm_nobody')).status).toBe(401);
  expect((await server.request('/v1/attachments/not-an-id/content', asOwner)).status).toBe(401);
});

test('reading the same mail again fetches nothing, and equal files are stored once', async () => {
  const logo = createFile('logo.bin', Buffer.from('the same bytes everywhere'));
  receiveMail('First of two', [logo]);
  receiveMail('Second of two', [logo, createFile('own.txt', 'own words')]);
  await fetchMail('of two');
  expect(listDownloads()).toHaveLength(3);
  expect(await fetchMail('of two')).toMatchObject({ ingested_count: 0 });
  expect(listDownloads()).toHaveLength(3);
  const kept = await database.rows(`select 1 from attachment_parts where bytes = 'the same bytes everywhere'`);
  expect(kept).toHaveLength(1);
});

test('an unavailable file is reported, stops nothing, and is retried at the next sync', async () => {
  receiveMail('Broken file', [createFile('a.txt', 'alabaster'), createFile('b.txt', 'basalt')]);
  // The first request uses the id from the list, the second one the part of the message.
  google.failures.next({ path: /\/attachments\// }, { kind: 'status', status: 404 }, 2);
  const fetched = await fetchMail('Broken file');
  expect(fetched).toMatchObject({ ingested_count: 1, errors: [{ item: expect.stringMatching(/^file [ab]\.txt$/) }] });
  const states = (await listAttachments(fetched)).map(({ state }) => state).toSorted();
  expect(states).toEqual(['failed', 'stored']);
  expect(await fetchMail('Broken file')).toMatchObject({ ingested_count: 0 });
  expect((await listAttachments(fetched)).map(({ state }) => state)).toEqual(['stored', 'stored']);
  expect((await server.ok('search', { q: 'alabaster' }))['pages']).toHaveLength(1);
});

test('an attachment id that Gmail no longer knows is replaced through the message part', async () => {
  receiveMail('Old id', [createFile('id.txt', 'celestine')]);
  google.failures.next({ path: /\/attachments\// }, { kind: 'status', status: 404 });
  const fetched = await fetchMail('Old id');
  expect(fetched['errors']).toBeUndefined();
  expect(await listAttachments(fetched)).toMatchObject([{ state: 'stored', has_text: true }]);
});

test('a file that exceeds the limit for one file or for the workspace is not stored', async () => {
  receiveMail('Too big', [createFile('film.bin', new Uint8Array(25_000_001))]);
  const fetched = await fetchMail('Too big');
  expect(await listAttachments(fetched)).toMatchObject([{ state: 'too_big', url: null, reason: expect.any(String) }]);
  expect(listDownloads()).toHaveLength(0);
  receiveMail('No room', [
    createFile('one.bin', new Uint8Array(4_000_000).fill(1)),
    createFile('two.bin', new Uint8Array(4_000_000)),
  ]);
  const crowded = await fetchMail('No room');
  expect((await listAttachments(crowded)).map(({ state }) => state).toSorted()).toEqual(['failed', 'stored']);
  expect(crowded['errors']).toMatchObject([{ message: expect.stringContaining('THALAMUS_ATTACHMENTS_MB') }]);
  await database.rows(`delete from attachments where filename in ('one.bin', 'two.bin')`);
  await database.rows(`delete from attachment_contents where size = 4000000`);
});

test('a sync stores files, continues with those a fetch left, and deletes them with their page', async () => {
  const { threadId } = receiveMail('Synced file', [createFile('cog.txt', 'A cogwheel of brass.')]);
  const sync = await begun(server, { source: 'gmail' });
  expect(sync).toMatchObject({ status: 'waiting', failure: null });
  const { pages } = await server.ok('search', { q: 'cogwheel brass', brain_id: sync.brain_id });
  const id = pages[0]?.id;
  // The state after a crash between storing the page and its file.
  await database.rows(`update attachments set state = 'awaited', sha256 = null, text = null where page_id = $1`, [id]);
  await runSync(server, sync);
  expect((await server.ok('get_page', { id }))['attachments']).toMatchObject([{ state: 'stored', has_text: true }]);
  await own('POST', `/gmail/v1/users/me/threads/${threadId}/trash`);
  await runSync(server, sync);
  expect(await database.rows('select 1 from attachments where page_id = $1', [id])).toEqual([]);
  expect((await server.ok('search', { q: 'cogwheel brass', brain_id: sync.brain_id }))['pages']).toEqual([]);
  await own('POST', `/gmail/v1/users/me/threads/${threadId}/untrash`);
  await runSync(server, sync);
  expect((await server.ok('search', { q: 'cogwheel brass', brain_id: sync.brain_id }))['pages']).toMatchObject([
    { id },
  ]);
});
