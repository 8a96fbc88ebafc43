import { afterAll, beforeAll, expect, test } from 'vitest';
import { startPassingOn, type PassingOn } from '../../../tests/support/passing-on.ts';
import { addPerson } from '../../../tests/support/second-person.ts';
import type { FeedPage } from './feed/read-feed.ts';

let world: PassingOn;
let server: PassingOn['server'];
beforeAll(async () => {
  world = await startPassingOn();
  server = world.server;
});
afterAll(() => world.close());

const attach = (output_source_kind: string, output_destination_id: string, more: object = {}, key?: string) =>
  server.call('attach_output_route', { output_source_kind, output_destination_id, ...more }, key ? { key } : {});
const listMessages = (path: string) =>
  world.gotAt(path).map(({ body }) => JSON.parse(body) as { type: string; data: Record<string, unknown> });
const createBrain = async (name: string) => String((await server.ok('create_brain', { name })).brain_id);
const addMemory = async (brain_id: string, content: string) =>
  String((await server.ok('add_memory', { content, target_brain_id: brain_id })).id);

async function createAgentKey() {
  const scopes = ['connectors:read', 'connectors:write', 'actions:draft', 'actions:read', 'brains:read'];
  return String((await server.ok('create_key', { label: 'Agent', scopes })).key);
}

test('a route from a brain passes on its changes, without content, and nothing of other brains', async () => {
  const [harbour, other] = [await createBrain('Harbour'), await createBrain('Other')];
  const [all, archived] = [await world.destination(), await world.destination()];
  const of = { output_source_brain_id: harbour };
  expect((await attach('brain', all.id, of)).body).toMatchObject({ status: 'active' });
  await attach('brain', archived.id, { ...of, output_type_filter: 'memory.archived' });
  await addMemory(other, 'The ferry is late.');
  const id = await addMemory(harbour, 'The crane is repaired.');
  await server.ok('archive_memory', { id });
  await world.arrived(all.path, 2);
  await world.arrived(archived.path);
  expect(new Set(listMessages(all.path).map(({ type }) => type))).toEqual(
    new Set(['memory.stored', 'memory.archived']),
  );
  expect(listMessages(archived.path)).toMatchObject([{ type: 'memory.archived', data: { id, brain_id: harbour } }]);
  expect(JSON.stringify(world.gotAt(all.path))).not.toContain('crane');
});

test('a route from drafts passes on those of the owner of its destination, and of no other person', async () => {
  const person = await addPerson(world.database);
  const [mine, theirs] = [await world.destination(), await world.destination({}, person.key)];
  expect((await attach('drafts', mine.id)).body).toMatchObject({ status: 'active' });
  expect((await attach('drafts', theirs.id, {}, person.key)).status).toBe(200);
  // An agent's key requests a route, which is a draft of its person.
  const agent = await createAgentKey();
  const brain = { output_source_brain_id: await createBrain('Pier') };
  const { body } = await attach('brain', (await world.destination()).id, brain, agent);
  const draft = body['draft'] as { draft_id: string };
  expect(body).toMatchObject({ status: 'waiting', draft: { kind: 'draft' } });
  expect(JSON.stringify(draft)).toContain('Changes of memories and pages in the brain Pier');
  await world.arrived(mine.path);
  expect(listMessages(mine.path)).toMatchObject([{ type: 'draft.created', data: { draft_id: draft.draft_id } }]);
  await server.ok('discard_action', { draft_id: draft.draft_id });
  await world.arrived(mine.path, 2);
  expect(listMessages(mine.path)[1]).toMatchObject({ type: 'draft.decided', data: { status: 'discarded' } });
  expect(world.gotAt(theirs.path)).toEqual([]);
});

test('a feed gets the events of runs, of a brain and of drafts, as a webhook does', async () => {
  const [hook, brain] = [await world.destination(), await createBrain('Mole')];
  const asked = { name: 'Reader', output_destination_kind: 'feed' };
  const feed = await server.ok('register_output_destination', asked);
  for (const id of [hook.id, feed.output_destination_id]) {
    await attach('brain', id, { output_source_brain_id: brain });
    for (const kind of ['drafts', 'runs']) await attach(kind, id);
  }
  await addMemory(brain, 'The bollard is painted.');
  const agent = await createAgentKey();
  const { body } = await attach('brain', (await world.destination()).id, { output_source_brain_id: brain }, agent);
  const { draft_id } = body['draft'] as { draft_id: string };
  const tool_grants = [{ tool: 'search_memory' }];
  const automation = { name: 'Nothing', source: 'return 1', triggers: [{ kind: 'manual' }], tool_grants };
  const { automation_id } = await server.ok('save_automation_draft', automation);
  const { run_id } = await server.ok('run_automation_once', { automation_id });
  const run = { type: 'automation_run.changed', data: { run_id, automation_id } };
  const expected = [
    { type: 'memory.stored', data: { brain_id: brain } },
    { type: 'draft.created', data: { draft_id, action: 'open_output_route' } },
    { ...run, data: { ...run.data, status: 'running' } },
    { ...run, data: { ...run.data, status: 'succeeded' } },
  ].map((each) => expect.objectContaining({ ...each, data: expect.objectContaining(each.data) }));
  await world.arrived(hook.path, expected.length);
  const headers = { authorization: `Bearer ${feed.feed_token}` };
  const { events } = (await (await server.request('/v1/feed', { headers })).json()) as FeedPage;
  for (const got of [listMessages(hook.path), events.map((each) => JSON.parse(each.body) as object)]) {
    expect(got).toHaveLength(expected.length);
    expect(got).toEqual(expect.arrayContaining(expected));
  }
});

test('runs that end while they wait are passed on, when one is stopped and when their automation is deleted', async () => {
  const hook = await world.destination();
  const tool_grants = [{ tool: 'search_memory' }];
  const automation = { name: 'Waits', source: 'return 1', triggers: [{ kind: 'manual' }], tool_grants };
  const { automation_id } = await server.ok('save_automation_draft', automation);
  await server.ok('run_automation_once', { automation_id });
  const waiting = await world.database.rows(
    `insert into automation_runs select (jsonb_populate_record(model, jsonb_build_object('id', gen_random_uuid(),
       'slot', 'copy ' || n, 'status', 'queued', 'due_at', now() + interval '1 hour', 'started_at', null, 'finished_at', null))).*
       from automation_runs model, generate_series(1, 2) n where automation_id = $1 returning id`,
    [automation_id],
  );
  const [stopped, other] = waiting.map(({ id }) => String(id));
  await attach('runs', hook.id);
  await server.ok('stop_automation_run', { run_id: stopped });
  await server.ok('delete_automation', { automation_id });
  await world.arrived(hook.path, 2);
  const ended = (run_id?: string) => ({
    type: 'automation_run.changed',
    data: { run_id, automation_id, status: 'killed' },
  });
  const got = listMessages(hook.path).map(({ type, data: { run_id, automation_id: of, status } }) => ({
    type,
    data: { run_id, automation_id: of, status },
  }));
  expect(got).toEqual(expect.arrayContaining([ended(stopped), ended(other)]));
});

test('a source that does not fit its kind is refused, and a brain that its reader left sends nothing more', async () => {
  const { id, path } = await world.destination();
  for (const [kind, more] of [
    ['brain', {}],
    ['drafts', { output_source_brain_id: await createBrain('Quay') }],
    ['runs', { output_payload_format: 'raw_payload' }],
    ['runs', { output_tag_filter: ['urgent'] }],
    ['webhook_connector', {}],
  ] as const)
    expect((await attach(kind, id, more)).body, kind).toMatchObject({ code: 'invalid_input' });
  expect(world.gotAt(path)).toEqual([]);

  const person = await addPerson(world.database);
  const brain = await createBrain('Shared');
  const of = { output_source_brain_id: brain };
  const theirs = await world.destination({}, person.key);
  expect((await attach('brain', theirs.id, of, person.key)).status).toBe(404);
  await server.ok('invite_member', { brain_id: brain, email: person.email, access_level: 'viewer' });
  expect((await attach('brain', theirs.id, of, person.key)).status).toBe(200);
  await addMemory(brain, 'Before.');
  await world.arrived(theirs.path);
  await server.ok('remove_member', { brain_id: brain, user_id: person.personId });
  const mine = await world.destination();
  await attach('brain', mine.id, of);
  await addMemory(brain, 'After.');
  await world.arrived(mine.path);
  expect(world.gotAt(theirs.path)).toHaveLength(1);
});

test('a destination has at most a hundred routes, so that one event cannot become any number of deliveries', async () => {
  const { id } = await world.destination();
  expect((await attach('runs', id)).status).toBe(200);
  await world.database.rows(
    `insert into output_routes select (jsonb_populate_record(route, jsonb_build_object('id', gen_random_uuid()))).*
       from output_routes as route cross join generate_series(1, 99) where destination_id = $1`,
    [id],
  );
  expect((await attach('runs', id)).status).toBe(409);
});
