import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startMicrosoftEmulator, type MicrosoftEmulator } from '#emulators/microsoft/index';
import { act } from '../../support/acting.ts';
import { fetchTwice } from '../../support/fetching.ts';
import { linkAccount } from '../../support/linking.ts';
import { findFirstPage, runSync, startSync, listPageTitles, type Sync } from '../../support/syncs.ts';
import { startWatchedServer, type WatchedServer } from '../../support/watched-server.ts';

const ada = 'ada@example.com';

let microsoft: MicrosoftEmulator;
let server: WatchedServer;
beforeAll(async () => {
  microsoft = await startMicrosoftEmulator();
  microsoft.addAccount({ email: ada, name: 'Ada Lovelace' });
  server = await startWatchedServer(microsoft, {
    THALAMUS_MICROSOFT_BASE_URL: microsoft.url,
    THALAMUS_MICROSOFT_CLIENT_ID: microsoft.client.id,
    THALAMUS_MICROSOFT_CLIENT_SECRET: microsoft.client.secret,
  });
});
afterAll(async () => {
  await server.close();
  await microsoft.close();
});

const link = (source: string) =>
  linkAccount(server, { provider: 'microsoft', source }, (url) => microsoft.approve(url, { email: ada }));

test('Outlook mail is linked, synced, searched and changed', async () => {
  const mail = microsoft.seedMessage(ada, {
    from: 'grace@example.net',
    subject: 'Gears',
    text: 'Oil the saffron bearing.',
  });
  for (let number = 0; number < 70; number += 1)
    microsoft.seedMessage(ada, { from: 'many@example.net', subject: `Mail ${number}`, text: 'One of many.' });
  microsoft.seedMessage(ada, { from: 'old@example.net', subject: 'Long ago', at: new Date('2020-06-01') });
  await link('outlook_mail');
  const fetched = await fetchTwice(server, { source: 'outlook_mail', input: { since: '2021-01-01', limit: 250 } });
  expect(fetched).toMatchObject({ first: { ingested_count: 71 }, again: { ingested_count: 0 } });
  expect(fetched.titles).toContain('Gears');
  expect(fetched.titles).not.toContain('Long ago');
  const sync = await startSync(server, { source: 'outlook_mail' });
  expect(sync).toMatchObject({ status: 'waiting', failure: null, pages_changed: 71, errors: [] });
  const page = await findFirstPage(server, sync, 'saffron bearing');
  expect(page).toMatchObject({ type: 'email', title: 'Gears', origin: 'outside' });
  expect(page?.['frontmatter']).toMatchObject({ from: 'grace@example.net', account: ada });

  expect(await runSync(server, sync)).toMatchObject({ pages_changed: 0 });
  const again = microsoft.seedMessage(ada, { from: 'grace@example.net', subject: 'Gears again', text: 'Oiled.' });
  microsoft.touchMessage(ada, mail.id, { folder: 'deleteditems' });
  expect(await runSync(server, sync)).toMatchObject({ pages_changed: 2 });
  const titles = await listPageTitles(server, sync);
  expect(titles).toContain('Gears again');
  expect(titles).not.toContain('Gears');

  microsoft.touchMessage(ada, again.id, { folder: null });
  microsoft.expireDeltaLinks(ada);
  expect(await runSync(server, sync)).toMatchObject({ pages_changed: 1, status: 'waiting', failure: null });
  expect(await listPageTitles(server, sync)).not.toContain('Gears again');
});

describe('Outlook mail that is moved among folders', () => {
  const breakOffAt = (folder: string) =>
    microsoft.failures.next({ path: new RegExp(`${folder}/messages/delta`) }, { kind: 'status', status: 500 }, 4);
  let sync: Sync;
  beforeAll(async () => {
    await link('outlook_mail');
    sync = await startSync(server, { source: 'outlook_mail' });
  });
  afterEach(() => microsoft.failures.clear());

  test.each([
    ['to a folder that is read later', 'inbox', 'archive'],
    ['to a folder that was read before', 'archive', 'inbox'],
  ])('%s stays, and is deleted when it is deleted there', async (where, from, to) => {
    const subject = `Moved ${where}`;
    const text = 'The files stay as well.';
    const attachments = [{ name: 'offer.txt', contentType: 'text/plain', content: 'Holds.' }];
    const mail = microsoft.seedMessage(ada, { from: 'grace@example.net', subject, text, folder: from, attachments });
    await runSync(server, sync);
    microsoft.touchMessage(ada, mail.immutableId, { folder: to });
    microsoft.ledger.clear();
    expect(await runSync(server, sync)).toMatchObject({ status: 'waiting', errors: [] });
    expect(await listPageTitles(server, sync)).toContain(subject);
    expect(microsoft.ledger.all({ path: /\$value$/ })).toEqual([]); // moved mails are not fetched again

    expect(await runSync(server, sync)).toMatchObject({ pages_changed: 0 });
    microsoft.touchMessage(ada, mail.immutableId, { folder: 'deleteditems' });
    expect(await runSync(server, sync)).toMatchObject({ pages_changed: 1 });
    expect(await listPageTitles(server, sync)).not.toContain(subject);
  });

  test.each([
    ['where it went was read, where it was only later', 'archive', 'inbox'],
    ['where it was was read, where it went only later', 'inbox', 'archive'],
  ])('stays when a sync breaks off: %s', async (when, from, to) => {
    const subject = `Broken: ${when}`;
    const mail = microsoft.seedMessage(ada, { from: 'grace@example.net', subject, folder: from });
    await runSync(server, sync);
    microsoft.touchMessage(ada, mail.immutableId, { folder: to });
    breakOffAt('archive');
    expect(await runSync(server, sync)).toMatchObject({ status: 'failing' });
    expect(await listPageTitles(server, sync)).toContain(subject);
    expect(await runSync(server, sync)).toMatchObject({ status: 'waiting', failure: null });
    expect(await listPageTitles(server, sync)).toContain(subject);

    microsoft.touchMessage(ada, mail.immutableId, { folder: null });
    await runSync(server, sync);
    expect(await listPageTitles(server, sync)).not.toContain(subject);
  });

  test.each([
    ['what has changed is read', () => {}],
    ['everything is read anew', () => microsoft.expireDeltaLinks(ada)],
  ])('stays when it moves to a folder that was read a moment before, while %s', async (when, prepare) => {
    const subject = `Moved while ${when}`;
    const mail = microsoft.seedMessage(ada, { from: 'grace@example.net', subject, folder: 'archive' });
    await runSync(server, sync);
    prepare();
    const pausedRequest = microsoft.failures.pause({ path: /archive\/messages\/delta/ }); // the inbox has been read by then
    const reading = runSync(server, sync);
    await pausedRequest.reached;
    microsoft.touchMessage(ada, mail.immutableId, { folder: 'inbox' });
    pausedRequest.release();
    expect(await reading).toMatchObject({ status: 'waiting', errors: [] });
    expect(await listPageTitles(server, sync)).toContain(subject);

    microsoft.touchMessage(ada, mail.immutableId, { folder: null });
    expect(await runSync(server, sync)).toMatchObject({ pages_changed: 1 });
    expect(await listPageTitles(server, sync)).not.toContain(subject);
  });

  test('stays when it cannot be read in its new folder', async () => {
    const attachments = [{ name: 'offer.txt', contentType: 'text/plain', content: 'Holds.' }];
    const mail = microsoft.seedMessage(ada, { from: 'grace@example.net', subject: 'Torn', attachments });
    await runSync(server, sync);
    microsoft.touchMessage(ada, mail.immutableId, { folder: 'archive' });
    const unreadable = { kind: 'status', status: 404, reason: 'ErrorItemNotFound' } as const;
    microsoft.failures.next({ path: /attachments$/ }, unreadable);
    expect(await runSync(server, sync)).toMatchObject({
      errors: [{ item: expect.stringContaining(mail.immutableId) }],
    });
    expect(await listPageTitles(server, sync)).toContain('Torn');
  });

  test('stays during archiving and its undo', async () => {
    const { immutableId } = microsoft.seedMessage(ada, { from: 'grace@example.net', subject: 'Back again' });
    await runSync(server, sync);
    const input = { message_id: immutableId };
    const archived = await act(server, { source: 'outlook_mail', action_name: 'archive_email', input });
    expect(archived).toMatchObject({ status: 'confirmed' });
    await runSync(server, sync);
    expect(await listPageTitles(server, sync)).toContain('Back again');
    expect(await server.ok('undo_action', { draft_id: archived['draft_id'] })).toMatchObject({ status: 'undone' });
    expect(microsoft.messages(ada, 'inbox')).toContainEqual(expect.objectContaining({ immutableId }));
    await runSync(server, sync);
    expect(await listPageTitles(server, sync)).toContain('Back again');
  });
});

test('Outlook mail in own folders of any depth syncs; the bin, junk and drafts do not', async () => {
  const seed = (subject: string, folder?: string) =>
    microsoft.seedMessage(ada, { from: 'grace@example.net', subject, ...(folder && { folder }) });
  const projects = microsoft.addFolder(ada, { name: 'Projects' });
  const engine = microsoft.addFolder(ada, { name: 'Engine', in: projects });
  const gears = microsoft.addFolder(ada, { name: 'Gears', in: engine });
  const binned = microsoft.addFolder(ada, { name: 'Old', in: 'deleteditems' });
  for (let number = 0; number < 12; number += 1) microsoft.addFolder(ada, { name: `Client ${number}`, in: projects });
  seed('At the top', projects);
  const deep = seed('Deep down', gears);
  for (const folder of ['deleteditems', 'junkemail', 'drafts', 'outbox', binned]) seed(`Unwanted in ${folder}`, folder);
  await link('outlook_mail');
  const sync = await startSync(server, { source: 'outlook_mail' });
  expect(sync).toMatchObject({ status: 'waiting', failure: null, errors: [] });
  const titles = async () =>
    (await listPageTitles(server, sync)).filter((title) => /top|down|Unwanted|Filed|New/.test(title));
  expect(await titles()).toEqual(['At the top', 'Deep down']);
  expect((await findFirstPage(server, sync, 'deep down'))?.['frontmatter']).toMatchObject({ folder: 'Gears' });

  // A mail that was moved to a new folder stays.
  const filed = seed('Filed away');
  await runSync(server, sync);
  const letters = microsoft.addFolder(ada, { name: 'Letters', in: gears });
  microsoft.touchMessage(ada, filed.immutableId, { folder: letters });
  seed('New in letters', letters);
  expect(await runSync(server, sync)).toMatchObject({ status: 'waiting', errors: [] });
  expect(await titles()).toEqual(['At the top', 'Deep down', 'Filed away', 'New in letters']);

  // A folder that is deleted goes below the bin, with all that is in it.
  microsoft.touchMessage(ada, deep.immutableId, { folder: 'inbox' });
  microsoft.touchFolder(ada, gears, { in: 'deleteditems' });
  expect(await runSync(server, sync)).toMatchObject({ status: 'waiting', errors: [] });
  expect(await titles()).toEqual(['At the top', 'Deep down']);
  microsoft.touchFolder(ada, gears, { in: projects });
  await runSync(server, sync);
  expect(await titles()).toEqual(['At the top', 'Deep down', 'Filed away', 'New in letters']);
  microsoft.touchFolder(ada, projects, { in: null });
  await runSync(server, sync);
  expect(await titles()).toEqual(['Deep down']);
});

test('files of Outlook mail are stored, found by their words and downloaded', async () => {
  microsoft.seedMessage(ada, {
    from: 'grace@example.net',
    subject: 'Bearing offer',
    text: 'See attached.',
    attachments: [
      { name: 'offer.txt', contentType: 'text/plain', content: 'Holds until Candlemas.' },
      { name: 'drawing.bin', contentType: 'application/octet-stream', content: new Uint8Array([0, 1, 2, 255]) },
    ],
  });
  await link('outlook_mail');
  const sync = await startSync(server, { source: 'outlook_mail' });
  expect(sync).toMatchObject({ status: 'waiting', failure: null, errors: [] });
  const page = await findFirstPage(server, sync, 'candlemas');
  expect(page).toMatchObject({
    title: 'Bearing offer',
    body: expect.stringContaining('Attachments: offer.txt, drawing.bin'),
    attachments: [
      { filename: 'offer.txt', state: 'stored', has_text: true },
      { filename: 'drawing.bin', state: 'stored', has_text: false },
    ],
  });
  const [, drawing] = (page?.['attachments'] ?? []) as { url: string }[];
  const headers = { authorization: `Bearer ${server.key}` };
  const file = await server.request(new URL(drawing?.url ?? '').pathname, { headers });
  expect([...new Uint8Array(await file.arrayBuffer())]).toEqual([0, 1, 2, 255]);
});

test('new, moved and deleted Outlook events sync', async () => {
  const at = (days: number) => ({
    dateTime: new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 19),
    timeZone: 'UTC',
  });
  const event = microsoft.seedEvent(ada, { subject: 'Walnut tasting', start: at(2), end: at(2.1) });
  await link('outlook_calendar');
  const since = new Date().toISOString();
  const fetched = await fetchTwice(server, { source: 'outlook_calendar', input: { since } });
  expect(fetched).toMatchObject({
    first: { ingested_count: 1 },
    again: { ingested_count: 0 },
    titles: ['Walnut tasting'],
  });
  const sync = await startSync(server, { source: 'outlook_calendar' });
  expect(sync).toMatchObject({ status: 'waiting', failure: null, errors: [] });
  expect(await listPageTitles(server, sync)).toEqual(['Walnut tasting']);
  microsoft.touchEvent(ada, event.id, { subject: 'Walnut harvest' });
  microsoft.seedEvent(ada, { subject: 'Kiln visit', start: at(3), end: at(3.1) });
  await runSync(server, sync);
  expect(await listPageTitles(server, sync)).toEqual(['Kiln visit', 'Walnut harvest']);
  microsoft.deleteEvent(ada, event.id);
  await runSync(server, sync);
  expect(await listPageTitles(server, sync)).toEqual(['Kiln visit']);

  microsoft.expireDeltaLinks(ada);
  microsoft.seedEvent(ada, { subject: 'Compass repair', start: at(4), end: at(4.1) });
  expect(await runSync(server, sync)).toMatchObject({ status: 'waiting', failure: null });
  expect(await listPageTitles(server, sync)).toEqual(['Compass repair', 'Kiln visit']);
});

test('an unlinked Outlook account is deleted here, with the place to revoke it, since Microsoft has no call for that', async () => {
  const connectionId = await link('outlook_mail');
  const sync = await startSync(server, { source: 'outlook_mail' });
  expect(sync).toMatchObject({ status: 'waiting', failure: null });
  const ended = await server.ok('revoke_connected_account', { connection_id: connectionId });
  const { own_page: page, message } = ended as { own_page: { label: string; url: string }; message: string };
  expect(ended).toMatchObject({ revoked: true, revoked_at_provider: false });
  expect(page.url).toMatch(/^https:\/\/[^/]*(microsoft|live)\.com/);
  expect(message).toContain(page.url);
  expect(message).toContain('deleted here');

  microsoft.ledger.clear();
  for (const source of ['outlook_mail', 'outlook_calendar']) {
    const input = { since: '2026-01-01' };
    const { status, body } = await server.call('fetch_from_integration', { source, input });
    expect(status).toBe(409);
    expect(body['detail']).toContain(`/integrations/${source}`);
  }
  expect(await runSync(server, sync)).toMatchObject({
    status: 'failing',
    failure: expect.stringContaining('unlinked'),
  });
  expect(microsoft.ledger.all()).toEqual([]);
});

test('the server shows no secret, and no table contains one', async () => {
  expect(await server.leaks()).toEqual([]);
});
