import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createApiClient, type ApiClient } from '#emulators/google/api-client';
import type { GoogleEmulator } from '#emulators/google/index';
import { linkGoogle, startServerWithGoogle } from '../../../../tests/support/google.ts';
import { openAsOwner } from '../../../../tests/support/owner-database.ts';
import type { TestServer } from '../../../../tests/support/server.ts';
import {
  findFirstPage,
  runSync,
  waitForSync,
  startSync as begun,
  listPageTitles as titles,
  type Sync,
} from '../../../../tests/support/syncs.ts';

const ada = 'ada@example.com';

let server: TestServer;
let google: GoogleEmulator;
let close: () => Promise<void>;
/** Ada's changes in her own mailbox. */
let own: ApiClient;

beforeAll(async () => {
  ({ server, google, close } = await startServerWithGoogle());
  google.addAccount({ email: ada, name: 'Ada Lovelace' });
  await linkGoogle(server, google);
  own = createApiClient(google, ada, [
    'https://mail.google.com/',
    'https://www.googleapis.com/auth/calendar',
    'https://www.googleapis.com/auth/drive',
  ]);
});
afterAll(() => close());
beforeEach(() => {
  google.ledger.clear();
  google.failures.clear();
});

type Page = { title: string };
const startSync = (more: object = {}) => begun(server, { source: 'gmail', ...more });
const run = (sync: Sync, more: object = {}) => runSync(server, sync, more);
const listTitles = (sync: Sync) => titles(server, sync);

const countReads = () => google.ledger.all({ method: 'GET', path: /\/threads\/[^/]+$/ }).length;

test('new, changed, binned and deleted mails sync, and nothing is read twice', async () => {
  const [first] = google.seedThread(ada, [
    { from: 'noah@example.com', subject: 'Harbour plan', text: 'The first draft.' },
  ]);
  const [second] = google.seedThread(ada, [{ from: 'noah@example.com', subject: 'Violin lesson', text: 'On Monday.' }]);
  const sync = await startSync();
  expect(sync).toMatchObject({ status: 'waiting', pages_changed: 2, failure: null });
  expect(await listTitles(sync)).toEqual(['Harbour plan', 'Violin lesson']);
  const { connections } = await server.ok('list_connections');
  expect(connections).toMatchObject([{ account: ada, last_sync_at: expect.any(String) }]);

  google.ledger.clear();
  expect(await run(sync)).toMatchObject({ pages_changed: 0, items_done: 0 });
  expect(countReads()).toBe(0);

  const reply = google.seedMail(ada, {
    from: ada,
    to: 'noah@example.com',
    subject: 'Re: Harbour plan',
    text: 'Use the glacier quay.',
    threadId: first!.threadId,
  });
  google.seedMail(ada, { from: 'mia@example.com', subject: 'Saffron', text: 'Arrived.' });
  await own('POST', `/gmail/v1/users/me/threads/${second!.threadId}/trash`);
  expect(await run(sync)).toMatchObject({ pages_changed: 3 });
  expect(await listTitles(sync)).toEqual(['Harbour plan', 'Saffron']);
  const found = await server.ok('search', { q: 'glacier quay', brain_id: sync.brain_id });
  expect((found['pages'] as Page[])[0]?.title).toBe('Harbour plan');

  for (const { id } of [first!, reply]) await own('DELETE', `/gmail/v1/users/me/messages/${id}`);
  await own('POST', `/gmail/v1/users/me/threads/${second!.threadId}/untrash`);
  await run(sync);
  expect(await listTitles(sync)).toEqual(['Saffron', 'Violin lesson']);
});

test('a message that is moved to the bin or to spam leaves the page of its thread, and comes back to it', async () => {
  const [, second] = google.seedThread(ada, [
    { from: 'noah@example.com', subject: 'Boat list', text: 'The skiff is green.' },
    { from: 'mallory@example.com', subject: 'Re: Boat list', text: 'The dinghy is of rosewood.' },
  ]);
  const sync = await startSync();
  const findBody = async (q: string) => String((await findFirstPage(server, sync, q))?.['body'] ?? '');
  const label = (json: object) => own('POST', `/gmail/v1/users/me/messages/${second!.id}/modify`, { json });
  for (const id of ['TRASH', 'SPAM']) {
    await label({ addLabelIds: [id], removeLabelIds: ['INBOX'] });
    expect(await run(sync)).toMatchObject({ pages_changed: 1 });
    expect(await findBody('skiff green')).not.toContain('rosewood');
    await label({ addLabelIds: ['INBOX'], removeLabelIds: [id] });
    expect(await run(sync)).toMatchObject({ pages_changed: 1 });
    expect(await findBody('skiff green')).toContain('rosewood');
  }
});

test('the first sync goes back as far as requested', async () => {
  const old = new Date(Date.now() - 40 * 24 * 3_600_000);
  google.seedMail(ada, { from: 'old@example.com', subject: 'Forty days old', text: 'x', date: old });
  expect(await listTitles(await startSync({ days: 30 }))).not.toContain('Forty days old');
  const sync = await startSync({ days: 50 });
  expect(await listTitles(sync)).toContain('Forty days old');
});

test('a sync whose Gmail history expired reads the whole window again', async () => {
  const sync = await startSync();
  google.seedMail(ada, { from: 'kim@example.com', subject: 'Told too late', text: 'Nobody kept this change.' });
  google.expireHistory(ada);
  expect(await run(sync)).toMatchObject({ status: 'waiting', failure: null, pages_changed: 1 });
  expect(await listTitles(sync)).toContain('Told too late');
});

test('a mail that was deleted without a notice is removed here, and an unreadable mail is not', async () => {
  const mail = (subject: string) => google.seedMail(ada, { from: 'kim@example.com', subject, text: subject });
  const [lost, kept] = [mail('Deleted unnoticed'), mail('Still there')];
  const sync = await startSync();
  await own('DELETE', `/gmail/v1/users/me/messages/${lost.id}`);
  google.expireHistory(ada);
  const notFound = { kind: 'status', status: 404 } as const;
  google.failures.next({ path: `/gmail/v1/users/me/threads/${kept.threadId}` }, notFound, 9);
  const failed = await run(sync);
  expect(failed.errors).toMatchObject([{ item: `thread ${kept.threadId}` }]);
  expect(await listTitles(sync)).toEqual(expect.arrayContaining(['Deleted unnoticed', 'Still there']));
  google.failures.clear();
  google.expireHistory(ada);
  expect(await run(sync)).toMatchObject({ status: 'waiting', failure: null, pages_changed: 1 });
  expect(await listTitles(sync)).not.toContain('Deleted unnoticed');
  expect(await listTitles(sync)).toContain('Still there');
});

test('reading a window again keeps items that are older than the window', async () => {
  const old = new Date(Date.now() - 40 * 24 * 3_600_000);
  google.seedMail(ada, { from: 'old@example.com', subject: 'Older than asked', text: 'x', date: old });
  const sync = await startSync({ days: 30 });
  await server.ok('fetch_from_integration', {
    source: 'gmail',
    input: { query: 'subject:"Older than asked"' },
    brain_id: sync.brain_id,
  });
  expect(await run(sync, { from_start: true })).toMatchObject({ status: 'waiting', pages_changed: 0 });
  expect(await listTitles(sync)).toContain('Older than asked');
});

test('a provider that asks for a pause gets it, and items read before it stay', async () => {
  const seeded = Array.from({ length: 60 }, (_, number) =>
    google.seedMail(ada, { from: 'many@example.com', subject: `Many ${number}`, text: 'One of many.' }),
  );
  const older = seeded.slice(0, 20).map(({ threadId }) => threadId);
  const { brain_id } = await server.ok('create_brain', { name: 'Patience' });
  const busy = { kind: 'status', status: 429, retryAfter: 900 } as const;
  google.failures.next({ path: new RegExp(`/threads/(${older.join('|')})$`) }, busy, 100);
  const started = await server.ok('sync_integration', { source: 'gmail', brain_id, every_minutes: 600 });
  const failing = await waitForSync(server, String(started['sync_id']));
  expect(failing.status).toBe('failing');
  expect(failing['failure']).toContain('429');
  const wait = Date.parse(String(failing['next_at'])) - Date.parse(String(failing['finished_at']));
  expect(wait).toBeGreaterThan(899_000);
  expect((await listTitles(failing)).filter((title) => title.startsWith('Many')).length).toBeGreaterThan(20);
  google.failures.clear();
  const sync = await run(failing);
  expect(sync).toMatchObject({ status: 'waiting', failure: null });
  expect((await listTitles(sync)).filter((title) => title.startsWith('Many'))).toHaveLength(60);
});

test('new, moved and cancelled events sync, also after a sync token expired', async () => {
  const day = (days: number) => ({ dateTime: new Date(Date.now() + days * 86_400_000).toISOString() });
  const event = (summary: string, days: number) => ({ summary, start: day(days), end: day(days + 0.05) });
  const [kept, dropped] = [
    google.seedEvent(ada, event('Walnut tasting', 3)),
    google.seedEvent(ada, event('Kiln visit', 4)),
  ];
  google.seedEvent(ada, event('Long ago', -300));
  const sync = await startSync({ source: 'calendar' });
  expect(await listTitles(sync)).toEqual(['Kiln visit', 'Walnut tasting']);
  const events = '/calendar/v3/calendars/primary/events';
  await own('PATCH', `${events}/${kept.id}`, { json: { summary: 'Walnut harvest' } });
  await own('DELETE', `${events}/${dropped.id}`);
  await own('POST', events, { json: event('Compass repair', 5) });
  google.ledger.clear();
  expect(await run(sync)).toMatchObject({ items_done: 3, pages_changed: 3 });
  expect(await listTitles(sync)).toEqual(['Compass repair', 'Walnut harvest']);
  google.expireSyncTokens(ada);
  await own('DELETE', `${events}/${kept.id}`);
  expect(await run(sync)).toMatchObject({ status: 'waiting', failure: null });
  expect(await listTitles(sync)).toEqual(['Compass repair']);
});

test('a removed calendar removes its own events and no others', async () => {
  const day = (days: number) => ({ dateTime: new Date(Date.now() + days * 86_400_000).toISOString() });
  const event = (summary: string) => ({ summary, start: day(3), end: day(3.1) });
  const club = google.seedCalendar(ada, { summary: 'Club' });
  google.seedEvent(ada, { ...event('Regatta'), calendarId: club.id });
  google.seedEvent(ada, event('Dentist'));
  const sync = await startSync({ source: 'calendar' });
  expect(await listTitles(sync)).toEqual(expect.arrayContaining(['Dentist', 'Regatta']));
  await own('DELETE', `/calendar/v3/calendars/${club.id}`);
  expect(await run(sync)).toMatchObject({ pages_changed: 1, failure: null });
  expect(await listTitles(sync)).toContain('Dentist');
  expect(await listTitles(sync)).not.toContain('Regatta');
});

test('files are found by their words; changed, binned and removed files sync', async () => {
  const document = 'application/vnd.google-apps.document';
  const [plan, notes] = [
    google.seedFile(ada, { name: 'Lantern plan', mimeType: document, content: 'Paper lanterns\nfor the quay.' }),
    google.seedFile(ada, { name: 'notes.md', mimeType: 'text/markdown', content: 'Orchids need shade.' }),
  ];
  google.seedFile(ada, { name: 'photo.png', mimeType: 'image/png', content: 'not a text' });
  const sync = await startSync({ source: 'drive' });
  expect(await listTitles(sync)).toEqual(['Lantern plan', 'notes.md', 'photo.png']);
  const findBest = async (q: string) => {
    const { pages } = await server.ok('search', { q, brain_id: sync.brain_id });
    return (pages as Page[])[0]?.title;
  };
  expect(await findBest('paper lanterns quay')).toBe('Lantern plan');
  expect(await findBest('orchids shade')).toBe('notes.md');
  await own('PATCH', `/upload/drive/v3/files/${notes.id}`, {
    query: { uploadType: 'media' },
    body: 'Turbines need wind.',
    headers: { 'content-type': 'text/markdown' },
  });
  await own('PATCH', `/drive/v3/files/${plan.id}`, { json: { trashed: true } });
  expect(await run(sync)).toMatchObject({ pages_changed: 2 });
  expect(await findBest('turbines wind')).toBe('notes.md');
  expect(await listTitles(sync)).toEqual(['notes.md', 'photo.png']);
  await own('DELETE', `/drive/v3/files/${notes.id}`);
  await run(sync);
  expect(await listTitles(sync)).toEqual(['photo.png']);
});

test('a sync ends when its person stops it, and nobody else sees it', async () => {
  const sync = await startSync();
  const { body } = await server.call('run_sync', { sync_id: '01920000-0000-7000-8000-000000000001' });
  expect(body).toMatchObject({ code: 'not_found' });
  await server.ok('stop_sync', { sync_id: sync.sync_id });
  const { syncs } = await server.ok('list_syncs', { brain_id: sync.brain_id });
  expect(syncs).toEqual([]);
  expect((await listTitles(sync)).length).toBeGreaterThan(0);
});

test('stored text of a sign-in mail does not contain its link', async () => {
  const link = String((await server.ok('create_sign_in_link'))['url']);
  const token = new URL(link).hash.slice(1);
  google.seedMail(ada, {
    from: 'thalamus@example.com',
    subject: `Kingfisher ${token}`,
    text: `Sign in:\n${link}\n\nPass it on to nobody.`,
    attachments: [{ filename: `${token}.txt`, mimeType: 'text/plain', content: `The kingfisher opens ${link}` }],
  });
  google.seedMail(ada, {
    from: `"${token}" <thalamus@example.com>`,
    subject: 'Kingfisher in HTML',
    html: `<p>kingfisher <a href="${link}">${link}</a></p>`,
  });
  const sync = await startSync();
  const into = { brain_id: sync.brain_id };
  const answers: object[] = [
    await server.ok('fetch_from_integration', { source: 'gmail', input: { query: 'kingfisher' }, ...into }),
    await server.ok('search', { q: 'kingfisher', ...into }),
  ];
  const listed = await server.ok('list_pages', into);
  answers.push(listed);
  const { pages } = listed;
  for (const { id, title } of pages.filter((page) => page.title.includes('Kingfisher'))) {
    const page = await server.ok('get_page', { id });
    expect(page['body'], title).toContain('tl_…');
    answers.push(page);
    for (const { attachment_id } of page['attachments'] as { attachment_id: string }[]) {
      const file = await server.ok('get_attachment', { attachment_id });
      expect(file['text']).toContain('tl_…');
      answers.push(file);
    }
  }
  expect(answers).toHaveLength(6);
  const database = await openAsOwner(server.connectionString);
  const rows = await database.rows(
    'select pages.*, text, filename from pages left join attachments on page_id = pages.id',
  );
  await database.close();
  expect(JSON.stringify([answers, rows])).not.toContain(token);
});
