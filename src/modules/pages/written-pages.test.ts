import { afterAll, beforeAll, expect, test } from 'vitest';
import { openAsOwner, type OwnerDatabase } from '../../../tests/support/owner-database.ts';
import { startTestServer, type TestServer } from '../../../tests/support/server.ts';

let server: TestServer;
let database: OwnerDatabase;
beforeAll(async () => {
  server = await startTestServer();
  database = await openAsOwner(server.connectionString);
});
afterAll(async () => {
  await database.close();
  await server.close();
});

test('a written page is found, changed with its version kept, and names its author', async () => {
  const { id, slug } = await server.ok('create_page', {
    title: 'Planning of May',
    body: 'We ship on the 12th.',
    type: 'meeting_note',
  });
  const found = await server.ok('search', { q: 'planning ship' });
  expect(found.pages.map((page) => page.id)).toContain(id);
  expect(await server.ok('update_page', { id, body: 'We ship on the 19th.' })).toEqual({ id, slug, changed: true });
  expect(await server.ok('update_page', { id, body: 'We ship on the 19th.' })).toMatchObject({ changed: false });
  const page = await server.ok('get_page', { id });
  expect(page).toMatchObject({
    title: 'Planning of May',
    body: 'We ship on the 19th.',
    type: 'meeting_note',
    source: null,
  });
  expect(page.versions.length).toBeGreaterThan(0);
});

test('a page of an integration cannot be changed here', async () => {
  const { id } = await server.ok('create_page', { title: 'A', body: 'b' });
  await database.rows(`update pages set source = 'gmail:ada@example.com' where id = '${id}'`);
  expect((await server.call('update_page', { id, body: 'c' })).body).toMatchObject({ code: 'conflict' });
});

test('events are listed by when they take place, and those outside the period are omitted', async () => {
  for (const [title, day] of [
    ['Late', '2026-06-03'],
    ['Early', '2026-06-01'],
    ['Outside', '2026-06-08'],
  ] as const)
    await server.ok('create_page', {
      title,
      body: `Attendees: ana@x.com (declined)`,
      type: 'calendar_event',
      occurred_at: `${day}T09:00:00Z`,
      frontmatter: { start: `${day}T09:00:00Z`, location: 'Room 1', attendees: ['ana@x.com'] },
    });
  const { events, has_more } = await server.ok('list_calendar_events', { start: '2026-06-01', end: '2026-06-08' });
  expect(events.map(({ title }) => title)).toEqual(['Early', 'Late']);
  expect(events[0]).toMatchObject({ location: 'Room 1', attendees: [{ email: 'ana@x.com', rsvp: 'declined' }] });
  expect(has_more).toBe(false);
  expect(await server.ok('list_calendar_events', { start: '2026-06-01', end: '2026-06-08', limit: 1 })).toMatchObject({
    has_more: true,
  });
});
