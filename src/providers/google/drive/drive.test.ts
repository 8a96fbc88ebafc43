import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApiClient, type ApiClient } from '#emulators/google/api-client';
import type { GoogleEmulator } from '#emulators/google/index';
import { linkGoogle, startServerWithGoogle } from '../../../../tests/support/google.ts';
import type { TestServer } from '../../../../tests/support/server.ts';
import { findFirstPage, runSync, startSync, listPageTitles } from '../../../../tests/support/syncs.ts';

const ada = 'ada@example.com';
const buildGoogleType = (name: string) => `application/vnd.google-apps.${name}`;

let server: TestServer;
let google: GoogleEmulator;
let close: () => Promise<void>;
let own: ApiClient;
beforeAll(async () => {
  ({ server, google, close } = await startServerWithGoogle());
  google.addAccount({ email: ada, name: 'Ada Lovelace' });
  await linkGoogle(server, google);
  own = createApiClient(google, ada, ['https://www.googleapis.com/auth/drive']);
});
afterAll(() => close());

const upload = (id: string, body: string) =>
  own('PATCH', `/upload/drive/v3/files/${id}`, {
    query: { uploadType: 'media' },
    body,
    headers: { 'content-type': 'text/plain' },
  });

test('every tab of a spreadsheet is read; a document that is too large to export has a note', async () => {
  const tabs = { Spring: 'City,Budget\nTurku,40', Autumn: 'City,Budget\nTromsø,90' };
  google.seedFile(ada, { name: 'Budget', mimeType: buildGoogleType('spreadsheet'), tabs });
  const huge = 'x'.repeat(10_000_001);
  google.seedFile(ada, { name: 'Huge chronicle', mimeType: buildGoogleType('document'), content: huge });
  const wide = { Small: 'Quay,North', Huge: huge };
  google.seedFile(ada, { name: 'Huge sheet', mimeType: buildGoogleType('spreadsheet'), tabs: wide });
  const sync = await startSync(server, { source: 'drive' });
  google.seedFile(ada, { name: 'photo.png', mimeType: 'image/png', content: 'x' });
  expect(sync).toMatchObject({ status: 'waiting', errors: [] });
  expect((sync['left_out'] as { items: number }[]).map(({ items }) => items)).toEqual([1, 1]);
  const { left_out: leftOut } = await runSync(server, sync);
  expect(leftOut).toContainEqual({ why: 'Thalamus reads no text from files of this kind.', items: 1 });
  expect(await findFirstPage(server, sync, 'Tromsø')).toMatchObject({
    title: 'Budget',
    body: expect.stringContaining('Turku'),
  });
  const chronicle = await findFirstPage(server, sync, 'chronicle');
  expect(chronicle?.['body']).toContain('Text: not read. Google Drive exports at most 10 MB of a document.');
  const sheet = String((await findFirstPage(server, sync, 'quay north'))?.['body']);
  expect(sheet).toContain('Only the first tab of this spreadsheet is included.');
});

test('a shortcut has the words of its target, and changes with it', async () => {
  const plan = google.seedFile(ada, { name: 'Plan', mimeType: 'text/plain', content: 'The lantern is of walnut.' });
  const name = 'Shortcut to the plan';
  const shortcut = google.seedFile(ada, { name, mimeType: buildGoogleType('shortcut'), targetId: plan.id });
  google.seedFile(ada, { name: 'Broken', mimeType: buildGoogleType('shortcut'), targetId: 'nowhere' });
  const sync = await startSync(server, { source: 'drive' });
  const readBody = async (title: string) => {
    const { pages } = await server.ok('list_pages', { brain_id: sync.brain_id, limit: 200 });
    const page = (pages as { id: string; title: string }[]).find((each) => each.title === title);
    return page ? String((await server.ok('get_page', { id: page.id }))['body']) : null;
  };
  expect(await readBody(name)).toMatch(/Shortcut to: Plan \(text\/plain\)[\s\S]*of walnut/);
  expect(await readBody('Broken')).toContain('Text: not read. The file that this shortcut points to was deleted');
  await upload(plan.id, 'The lantern is of rosewood.');
  expect(await runSync(server, sync)).toMatchObject({ pages_changed: 2 });
  expect(await readBody(name)).toContain('rosewood');
  await own('PATCH', `/drive/v3/files/${plan.id}`, { json: { trashed: true } });
  await runSync(server, sync);
  expect(await readBody(name)).toContain('points to is in the trash');
  await own('DELETE', `/drive/v3/files/${shortcut.id}`);
  await runSync(server, sync);
  expect(await listPageTitles(server, sync)).not.toContain(name);
  expect(await runSync(server, sync)).toMatchObject({ pages_changed: 0, errors: [] });
});
