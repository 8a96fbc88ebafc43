// Limits of fetching: the length of requests, the target brain, the number of items (BI-023, BI-024).
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { GoogleEmulator } from '#emulators/google/index';
import { linkGoogle, startServerWithGoogle } from '../../../tests/support/google.ts';
import type { TestServer } from '../../../tests/support/server.ts';

let server: TestServer;
let google: GoogleEmulator;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ server, google, close } = await startServerWithGoogle());
  google.addAccount({ email: 'ada@example.com', name: 'Ada' });
  google.seedMail('ada@example.com', { from: 'noah@x.example', subject: 'Rope', text: 'Forty metres.' });
  await linkGoogle(server, google);
});
afterAll(() => close());

const fetchFromGmail = (input: object) => server.call('fetch_from_integration', { source: 'gmail', ...input });

test('a request has 1 to 1000 characters', async () => {
  for (const request of ['', '   ', 'x'.repeat(1_001)]) expect((await fetchFromGmail({ request })).status).toBe(422);
  for (const request of ['x', 'x'.repeat(1_000)]) expect((await fetchFromGmail({ request })).status).toBe(200);
  expect((await fetchFromGmail({})).status).toBe(422);
});

test('pages go to the named brain, and by default to the caller’s home brain', async () => {
  const { home_brain_id } = await server.ok('who_am_i');
  const { brain_id } = await server.ok('create_brain', { name: 'Ropes' });
  expect((await fetchFromGmail({ request: 'subject:Rope' })).body).toMatchObject({ brain_id: home_brain_id });
  expect(await server.ok('list_pages', { brain_id: home_brain_id })).toMatchObject({ total: 1 });
  expect(await server.ok('list_pages', { brain_id })).toMatchObject({ total: 0 });
  expect((await fetchFromGmail({ request: 'subject:Rope', brain_id })).body).toMatchObject({ brain_id });
  expect(await server.ok('list_pages', { brain_id })).toMatchObject({ total: 1 });
  const { key } = await server.ok('create_key', { label: 'Of ropes', home_brain_id: brain_id });
  const asked = { source: 'gmail', request: 'subject:Rope' };
  expect(await server.ok('fetch_from_integration', asked, { key: String(key) })).toMatchObject({ brain_id });
});

test.for(['gmail', 'drive'])('a call reads at most 250 items of %s', async (source) => {
  const at = (limit: number) => server.call('fetch_from_integration', { source, input: { query: 'Rope', limit } });
  expect((await at(251)).body).toMatchObject({ code: 'invalid_input', detail: expect.stringContaining('limit') });
  expect((await at(250)).status).toBe(200);
});
