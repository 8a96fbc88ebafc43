import { afterAll, beforeAll, expect, test } from 'vitest';
import { startPassingOn, type PassingOn } from '../../../../tests/support/passing-on.ts';
import type { FeedPage } from './read-feed.ts';

let world: PassingOn;
let server: PassingOn['server'];

beforeAll(async () => {
  world = await startPassingOn();
  ({ server } = world);
});
afterAll(() => world.close());

async function createFeed(key = server.key) {
  const given = { name: 'Reader', output_destination_kind: 'feed' };
  const made = await server.ok('register_output_destination', given, { key });
  return { id: made.output_destination_id, url: made.output_destination_url, token: made.feed_token ?? '' };
}
const buildRoute = (output_source_id: string, output_destination_id: string) => ({
  output_source_kind: 'webhook_connector',
  output_source_id,
  output_destination_id,
});
const ask = (token: string, query = '') =>
  server.request(`/v1/feed${query}`, { headers: { authorization: `Bearer ${token}` } });
const read = async (token: string, query = '') => (await (await ask(token, query)).json()) as FeedPage;
const listTexts = ({ events }: FeedPage) => events.map(({ body }) => (JSON.parse(body) as { text: string }).text);

test('a reader gets each event once in order, and a cursor marks what it has read', async () => {
  const [feed, other, from] = [await createFeed(), await createFeed(), await world.source()];
  expect(new URL(feed.url).pathname).toBe('/v1/feed');
  await server.ok('attach_output_route', { ...buildRoute(from.id, feed.id), output_payload_format: 'raw_payload' });
  await server.ok('attach_output_route', buildRoute(from.id, other.id));
  const texts = Array.from({ length: 8 }, (_, at) => `Event ${at}`);
  const sent = Promise.all(texts.map((text) => from.send({ text })));
  const got: string[] = [];
  let cursor = '0';
  await expect
    .poll(
      async () => {
        const page = await read(feed.token, `?cursor=${cursor}&limit=3`);
        got.push(...listTexts(page));
        cursor = page.next_cursor;
        return got.length;
      },
      { timeout: 15_000, interval: 5 },
    )
    .toBe(8);
  await sent;
  expect(got.toSorted()).toEqual(texts);
  const first = await read(feed.token, '?limit=6');
  expect(first).toMatchObject({ has_more: true, next_cursor: '6' });
  expect(listTexts(first)).toEqual(got.slice(0, 6));
  const last = await read(feed.token, '?cursor=6');
  expect(last).toMatchObject({ has_more: false, next_cursor: '8' });
  expect(listTexts(last)).toEqual(got.slice(6));
  const { events } = await read(other.token);
  expect(events.map(({ body }) => JSON.parse(body) as object)).toContainEqual(
    expect.objectContaining({ type: 'webhook.documents' }),
  );
  await read(feed.token, '?cursor=7');
  const { deliveries } = await server.ok('list_output_deliveries', { output_destination_id: feed.id });
  expect(deliveries.map(({ status }) => status)).toEqual(['waiting', ...Array<string>(7).fill('delivered')]);
  const [newest] = deliveries;
  expect(last.events[1]?.webhook_id).toBe(newest?.webhook_id);
  const refused = [
    await server.call('replay_output_delivery', { delivery_id: newest?.delivery_id }),
    await server.call('recover_output_deliveries', { output_destination_id: feed.id }),
    await server.call('test_output_destination', { output_destination_id: feed.id }),
    await server.call('update_output_destination', { output_destination_id: feed.id, headers: { 'x-a': 'b' } }),
  ];
  expect(refused.map(({ status }) => status)).toEqual([409, 409, 409, 409]);
  await world.database.rows(`update output_deliveries set created_at = created_at - interval '31 days'`);
  await world.database.rows(`insert into jobs.job (name, retry_limit) values ('outputs.retention', 0)`);
  const readError = async () => (await server.ok('get_output_delivery', { delivery_id: newest?.delivery_id })).error;
  await expect.poll(readError, { timeout: 10_000, interval: 25 }).toBe('Nobody read it in time.');
  expect((await read(feed.token)).events).toEqual([]);
});

test('only the token of a feed reads it, and a detached route or deleted feed ends the reading', async () => {
  const [feed, from] = [await createFeed(), await world.source()];
  const { output_route_id } = await server.ok('attach_output_route', buildRoute(from.id, feed.id));
  await from.send({ text: 'Quiet' });
  expect((await read(feed.token)).events).toHaveLength(1);
  const [row] = await world.database.rows('select * from output_destinations where id = $1', [feed.id]);
  expect(JSON.stringify([row, await server.ok('list_output_destinations')])).not.toContain(feed.token);
  const [, second] = await Promise.all([createFeed(), createFeed()]);
  expect((await read(second.token)).events).toEqual([]);
  for (const token of ['', 'zfeed_unknown', server.key, feed.id]) expect((await ask(token)).status).toBe(401);
  expect((await ask(feed.token, '?cursor=x')).status).toBe(422);
  const rotated = await server.ok('rotate_output_secret', { output_destination_id: feed.id });
  expect((await ask(feed.token)).status).toBe(401);
  const token = String(rotated.feed_token);
  expect((await read(token)).events).toHaveLength(1);
  await server.ok('update_output_destination', { output_destination_id: feed.id, status: 'paused' });
  expect((await ask(token)).status).toBe(403);
  await server.ok('update_output_destination', { output_destination_id: feed.id, status: 'active' });
  await server.ok('detach_output_route', { output_route_id });
  expect((await read(token)).events).toEqual([]);
  await server.ok('delete_output_destination', { output_destination_id: feed.id });
  expect((await ask(token)).status).toBe(401);
});

test('an agent gets no token, and its route to a feed waits for a person', async () => {
  const scopes = ['connectors:read', 'connectors:write', 'actions:draft', 'actions:read'];
  const { key } = await server.ok('create_key', { label: 'Agent', scopes });
  const [feed, from] = [await createFeed(String(key)), await world.source()];
  expect(feed.token).toBe('');
  const { draft } = await server.ok('attach_output_route', buildRoute(from.id, feed.id), { key: String(key) });
  const { feed_token } = await server.ok('rotate_output_secret', { output_destination_id: feed.id });
  await from.send({ text: 'Before the approval' });
  expect((await read(String(feed_token))).events).toEqual([]);
  await server.ok('confirm_action', { draft_id: draft?.draft_id });
  await from.send({ text: 'After the approval' });
  expect((await read(String(feed_token))).events).toHaveLength(1);
});

test('a feed has no address of its own, and a webhook needs one', async () => {
  const wrong = [
    { name: 'x', output_destination_kind: 'feed', output_destination_url: 'https://hooks.example.com/in' },
    { name: 'x', output_destination_kind: 'feed', headers: { 'x-a': 'b' } },
    { name: 'x', output_destination_kind: 'webhook' },
  ];
  for (const given of wrong) expect((await server.call('register_output_destination', given)).status).toBe(422);
});
