import type { Output } from '#sdk';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { GoogleEmulator } from '#emulators/google/index';
import { linkGoogle, startServerWithGoogle } from '../../../../tests/support/google.ts';
import { openAsOwner, type OwnerDatabase } from '../../../../tests/support/owner-database.ts';
import type { TestServer } from '../../../../tests/support/server.ts';

const ada = 'ada@example.com';
let server: TestServer;
let google: GoogleEmulator;
let close: () => Promise<void>;
let database: OwnerDatabase;
beforeAll(async () => {
  ({ server, google, close } = await startServerWithGoogle());
  google.addAccount({ email: ada, name: 'Ada Lovelace' });
  await linkGoogle(server, google);
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

type ListedAttachment = { state: string; url: string | null };
const createFile = (filename: string, content: Uint8Array) => ({
  filename,
  content,
  mimeType: 'application/octet-stream',
});
const receiveMail = (subject: string, attachments: ReturnType<typeof createFile>[]) =>
  google.seedMail(ada, { from: 'noah@example.com', subject, text: 'See attached.', attachments });
const fetchMail = (subject: string, more: object = {}) =>
  server.ok('fetch_from_integration', { source: 'gmail', input: { query: `subject:"${subject}"` }, ...more });
const listAttachments = async (fetched: Output<'fetch_from_integration'>): Promise<ListedAttachment[]> => {
  const [slug] = fetched['page_slugs'] as string[];
  return (await server.ok('get_page', { slug }))['attachments'] as ListedAttachment[];
};
const listDownloads = () => google.ledger.all({ method: 'GET', path: /\/attachments\// });
const download = (url: string | null | undefined) =>
  server.request(new URL(url ?? '').pathname, { headers: { authorization: `Bearer ${server.key}` } });

const createLargeContent = (seed: number) => new Uint8Array(3_400_001).map((_, at) => (at * seed) % 253);
const downloadBytes = async (url: string | null | undefined) => Buffer.from(await (await download(url)).arrayBuffer());

test.each<[string, Parameters<GoogleEmulator['failures']['next']>[1], number]>([
  ['breaks off in the middle', { kind: 'break' }, 3],
  ['is refused for a token that ended', { kind: 'status', status: 401 }, 5],
  ['is refused because the provider is busy', { kind: 'status', status: 503, retryAfter: 0 }, 7],
])('a file whose answer %s is requested again and stored whole', async (what, failure, seed) => {
  const bytes = createLargeContent(seed);
  receiveMail(`Once more: ${what}`, [createFile('whole.bin', bytes)]);
  google.failures.next({ path: /\/attachments\// }, failure);
  const fetched = await fetchMail(`Once more: ${what}`);
  expect(fetched['errors']).toBeUndefined();
  expect(listDownloads()).toHaveLength(2);
  const [attached] = await listAttachments(fetched);
  expect((await downloadBytes(attached?.url)).equals(bytes)).toBe(true);
});

test('a file whose answer always breaks off is reported, leaves nothing, and comes with the next sync', async () => {
  receiveMail('Broken line', [createFile('broken.bin', createLargeContent(11))]);
  google.failures.next({ path: /\/attachments\// }, { kind: 'break' }, 100);
  const kept = () => database.rows('select 1 from attachment_contents');
  const before = (await kept()).length;
  const fetched = await fetchMail('Broken line');
  expect(fetched).toMatchObject({ ingested_count: 1, errors: [{ item: 'file broken.bin' }] });
  expect(await listAttachments(fetched)).toMatchObject([{ state: 'awaited', url: null }]);
  expect(await kept()).toHaveLength(before);
  google.failures.clear();
  expect(await listAttachments(await fetchMail('Broken line'))).toMatchObject([{ state: 'stored', size: 3_400_001 }]);
});

test('two syncs that store the same file at once store it once', async () => {
  const bytes = createLargeContent(13);
  receiveMail('Both want it', [createFile('wanted.bin', bytes)]);
  const { brain_id } = await server.ok('create_brain', { name: 'Another reader' });
  const readings = await Promise.all([
    fetchMail('Both want it'),
    fetchMail('Both want it', { brain_id }),
    fetchMail('Both want it'),
  ]);
  for (const reading of readings) {
    const [attached] = await listAttachments(reading);
    expect((await downloadBytes(attached?.url)).equals(bytes)).toBe(true);
  }
  const kept = `select 1 from attachment_contents as content
    where exists (select from attachments where sha256 = content.sha256 and filename = 'wanted.bin')`;
  expect(await database.rows(kept)).toHaveLength(1);
  expect(await database.rows('select 1 from attachment_contents where sha256 is null')).toEqual([]);
});

test('a slow client makes the server read the file slowly, and a client that leaves ends it', async () => {
  receiveMail('Slow taker', [createFile('slow.bin', createLargeContent(17))]);
  const [attached] = await listAttachments(await fetchMail('Slow taker'));
  const answer = await download(attached?.url);
  const reader = answer.body?.getReader();
  expect((await reader?.read())?.value?.length).toBeLessThan(1_000_000);
  await reader?.cancel();
  expect((await downloadBytes(attached?.url)).length).toBe(3_400_001);
});
