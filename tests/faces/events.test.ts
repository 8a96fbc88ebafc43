import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { GoogleEmulator } from '#emulators/google/index';
import { startServerWithGoogle } from '../support/google.ts';
import { openAsOwner, type OwnerDatabase } from '../support/owner-database.ts';
import { joinAs, signInOwner } from '../support/colleague.ts';
import { addPerson } from '../support/second-person.ts';
import { addWorkspace } from '../support/second-workspace.ts';
import { reachServer, type TestServer } from '../support/server.ts';
import { createWorld, type World } from '../support/world.ts';

let server: TestServer;
let google: GoogleEmulator;
let close: () => Promise<void>;
let database: OwnerDatabase;
let world: World;

beforeAll(async () => {
  ({ server, google, close } = await startServerWithGoogle());
  database = await openAsOwner(server.connectionString);
  world = createWorld(server, google);
});
afterAll(async () => {
  await database.close();
  await close();
});

type ReceivedEvent = { id: string; event: string; data: Record<string, unknown> };

/** A listener: the events received so far, and how to disconnect. `ended` resolves when the server ends the stream. */
type Listener = { received: ReceivedEvent[]; leave(): void; ended: Promise<void> };

/** Listens as a browser's EventSource does; `onTold` is asked after each event and ends the listening by true. */
async function listen(
  options: {
    key?: string;
    as?: Record<string, string>;
    lastEventId?: string;
    onReceived?: (received: ReceivedEvent) => boolean;
  } = {},
): Promise<Listener> {
  const { key = server.key, as, lastEventId, onReceived } = options;
  const credential = as ?? { authorization: `Bearer ${key}` };
  const left = new AbortController();
  const headers = { ...credential, ...(lastEventId && { 'last-event-id': lastEventId }) };
  const response = await server.request('/v1/events', { headers, signal: left.signal });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
  const received: ReceivedEvent[] = [];
  const begun = Promise.withResolvers<void>();
  const read = async () => {
    for await (const frame of readFrames(response)) {
      begun.resolve(); // the first sign of life says that the place in the stream is known
      const event = frame.startsWith(':') ? null : parseEvent(frame);
      if (!event) continue;
      received.push(event);
      if (onReceived?.(event)) break;
    }
  };
  const ended = read().catch((error: unknown) => {
    if (!left.signal.aborted) throw error;
  });
  await Promise.race([begun.promise, ended]);
  return { received, leave: () => left.abort(), ended };
}

async function* readFrames(response: Response): AsyncGenerator<string> {
  let rest = '';
  for await (const text of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const frames = (rest + text).split('\n\n');
    rest = frames.pop() ?? '';
    yield* frames;
  }
}

function parseEvent(frame: string): ReceivedEvent {
  const fields = new Map(
    frame.split('\n').map((line): [string, string] => [line.split(': ')[0] ?? '', line.slice(line.indexOf(': ') + 2)]),
  );
  return { id: fields.get('id') ?? '', event: fields.get('event') ?? '', data: JSON.parse(fields.get('data') ?? '{}') };
}

const listMemoryIds = (received: readonly ReceivedEvent[]) =>
  received.filter(({ event }) => event === 'memory.stored').flatMap(({ data }) => data['ids'] as string[]);

async function waitForMemory(listener: Listener, memory: unknown): Promise<void> {
  await expect.poll(() => listMemoryIds(listener.received)).toContain(memory);
}

const store = async (content: string, key = server.key) =>
  String((await server.ok('add_memory', { content }, { key }))['id']);

test('a listener gets later events, and no earlier ones', async () => {
  const earlier = await store('Stored before anybody listened');
  const listener = await listen();
  const id = await store('Stored while somebody listens');
  await waitForMemory(listener, id);
  const brain = (await server.ok('who_am_i'))['home_brain_id'];
  expect(listener.received).toContainEqual({
    id: expect.stringMatching(/^[\w.]+-\d+-[0-9a-f-]{36}$/),
    event: 'memory.stored',
    data: { ids: [id], brain_id: brain },
  });
  expect(listMemoryIds(listener.received)).not.toContain(earlier);
  listener.leave();
});

test('a new listener gets no old events, even while an older transaction is still open', async () => {
  const running = await openAsOwner(server.connectionString);
  await running.rows('begin');
  await running.rows('select pg_current_xact_id()');
  const earlier = await store('Stored while something ran on');
  const listener = await listen();
  const id = await store('Stored after the listener came');
  await running.rows('commit');
  await running.close();
  await waitForMemory(listener, id);
  expect(listMemoryIds(listener.received)).not.toContain(earlier);
  listener.leave();
});

test('a client that reconnects gets the missed events, and none twice', async () => {
  const first = await listen();
  await waitForMemory(first, await store('Heard by the first'));
  first.leave();
  const missed = [await store('Missed one'), await store('Missed two')];
  const lastEventId = first.received.at(-1)?.id ?? '';
  const second = await listen({ lastEventId });
  await waitForMemory(second, missed[1]);
  expect(listMemoryIds(second.received)).toEqual(missed);
  second.leave();
});

test('no event is lost or repeated while many write and the listener comes and goes', async () => {
  let lastEventId = (await receiveEvent(await listen())).id;
  const writers = Array.from({ length: 4 }, async (_, writer) => {
    const ids: string[] = [];
    for (let each = 0; each < 25; each += 1) ids.push(await store(`Written by ${writer} as number ${each}`));
    return ids;
  });
  const written = Promise.all(writers);
  const received: ReceivedEvent[] = [];
  for (let visit = 0; received.length < 100; visit += 1) {
    let patience = 1 + (visit % 7);
    const listener = await listen({ lastEventId, onReceived: () => (patience -= 1) === 0 });
    await Promise.race([listener.ended, sleep(300)]); // it may have come too late to be told anything
    listener.leave();
    received.push(...listener.received);
    lastEventId = received.at(-1)?.id ?? lastEventId;
    if (visit > 200) throw new Error(`only ${received.length} of 100 were told`);
  }
  expect(listMemoryIds(received).toSorted()).toEqual((await written).flat().toSorted());
  expect(new Set(received.map(({ id }) => id)).size).toBe(received.length);
});

/** Stores something so that a listener learns a place in the stream. */
async function receiveEvent(listener: Listener): Promise<ReceivedEvent> {
  const id = await store('A place in the stream');
  await waitForMemory(listener, id);
  listener.leave();
  const received = listener.received.find((each) => listMemoryIds([each]).includes(String(id)));
  if (!received) throw new Error('the event was not told');
  return received;
}

test('an event that commits late follows all earlier sent ones, and is not skipped', async () => {
  const slow = await openAsOwner(server.connectionString);
  const listener = await listen();
  try {
    await slow.rows('begin');
    await slow.rows(`
      insert into events (id, workspace_id, at, name, payload, brain_id)
      select gen_random_uuid(), workspace_id, now(), 'memory.stored', '{"ids": ["late"]}', brain_id from events
       where name = 'memory.stored' limit 1`);
    const id = await store('Stored meanwhile');
    await slow.rows('commit');
    await waitForMemory(listener, id);
    expect(listMemoryIds(listener.received)).toEqual(['late', id]);
  } finally {
    listener.leave();
    await slow.close();
  }
});

describe('a listener gets no events', () => {
  test('of another workspace', async () => {
    const { key } = await addWorkspace(server);
    const [mine, theirs] = [await listen(), await listen({ key })];
    const [own, other] = [await store('Ours'), await store('Theirs', key)];
    await Promise.all([waitForMemory(mine, own), waitForMemory(theirs, other)]);
    expect(listMemoryIds(mine.received)).toEqual([own]);
    expect(listMemoryIds(theirs.received)).toEqual([other]);
    for (const listener of [mine, theirs]) listener.leave();
  });

  test('of another person’s brain, drafts and accounts', async () => {
    const { key } = await addPerson(database);
    const [owner, member] = [await listen(), await listen({ key })];
    const ofMember = createWorld(reachServer(server.url, key), google, 'grace@example.com');
    await Promise.all([world.make('draft'), ofMember.make('draft')]);
    const [own, other] = [await store('The owner’s own'), await store('The member’s own', key)];
    await Promise.all([waitForMemory(owner, own), waitForMemory(member, other)]);
    for (const { received } of [owner, member]) {
      expect(received.filter(({ event }) => event === 'draft.created')).toHaveLength(1);
      expect(listMemoryIds(received)).toHaveLength(1);
    }
    for (const listener of [owner, member]) listener.leave();
  });

  test('of brains beyond the reach of its key', async () => {
    const home_brain_id = await world.make('brain');
    const { key } = await server.ok('create_key', { label: 'Narrow', home_brain_id, reach: 'brain' });
    const listener = await listen({ key: String(key) });
    await store('In the personal brain');
    const { id } = await server.ok('add_memory', { content: 'In the narrow brain', target_brain_id: home_brain_id });
    await waitForMemory(listener, id);
    expect(listMemoryIds(listener.received)).toEqual([id]);
    listener.leave();
  });
});

describe('an event stream', () => {
  test('needs a key with the scope for it', async () => {
    expect((await server.request('/v1/events')).status).toBe(401);
    const { key } = await server.ok('create_key', { label: 'Deaf', scopes: ['memory:read'] });
    const response = await server.request('/v1/events', { headers: { authorization: `Bearer ${String(key)}` } });
    expect(response.status).toBe(403);
  });

  test.for(['nonsense', '7', `99999999999999999999-01920000-0000-7000-8000-000000000000`, `7-${'-'.repeat(36)}`])(
    'that continues after «%s», which is not a position, begins with new events',
    async (lastEventId) => {
      const listener = await listen({ lastEventId });
      const id = await store(`Stored after ${lastEventId}`);
      await waitForMemory(listener, id);
      expect(listMemoryIds(listener.received)).toEqual([id]);
      listener.leave();
    },
  );

  test('has the rights of its listener at each batch: a demoted admin, a narrowed key and a member of no brain hear nothing', async () => {
    const admin = await joinAs(server, database, 'demoted@example.com');
    await database.rows(`update people set role = 'admin' where id = $1`, [admin.personId]);
    const brain_id = await world.make('brain');
    const member = await joinAs(server, database, 'removed@example.com');
    await server.ok('invite_member', { brain_id, email: 'removed@example.com', access_level: 'viewer' });
    const { key, key_id } = await server.ok('create_key', {
      label: 'Narrowed',
      scopes: ['brains:read', 'memory:read'],
    });
    await sleep(1_100); // who they are was known for a second
    const listeners = [
      await listen({ as: admin.headers }),
      await listen({ as: member.headers }),
      await listen({ key: String(key) }),
    ];
    const received = await server.ok('add_memory', { content: 'While they may', target_brain_id: brain_id });
    for (const listener of listeners) await waitForMemory(listener, received.id);
    await server.ok('change_person_role', { person_id: admin.personId, role: 'member' });
    await server.ok('remove_member', { brain_id, user_id: member.personId });
    await server.ok('narrow_key', { key_id, scopes: ['brains:read'] });
    await sleep(1_100); // within a second, as for calls
    const { id } = await server.ok('add_memory', { content: 'When they may not', target_brain_id: brain_id });
    await sleep(900); // two batches
    for (const listener of listeners) {
      expect(listMemoryIds(listener.received)).not.toContain(id);
      listener.leave();
    }
  });

  test('ends soon after its key was revoked', async () => {
    const { key, key_id } = await server.ok('create_key', { label: 'Listener' });
    const listener = await listen({ key: String(key) });
    await server.ok('revoke_key', { key_id });
    expect(
      await Promise.race([listener.ended, sleep(2_500, 'still listening') /* known for a second at most */]),
    ).toBeUndefined();
    const id = await store('Stored after the end');
    expect(listMemoryIds(listener.received)).not.toContain(id);
  });
});

describe('events of an owner’s drafts', () => {
  const listDrafts = ({ received }: Listener) =>
    received.flatMap(({ event, data }) => (event.startsWith('draft.') ? [`${event} ${String(data['draft_id'])}`] : []));
  const countChanges = ({ received }: Listener) => received.filter(({ event }) => event === 'approver.changed').length;

  test('reach the approver’s screen during the delegation, and no key of the approver', async () => {
    const grace = await joinAs(server, database, 'grace.events@example.com');
    const ada = await signInOwner(server, database);
    const { key } = await grace.ok('create_key', { label: 'Agent' });
    const screen = await listen({ as: grace.headers });
    const agent = await listen({ key: String(key) });
    const before = await world.make('draft');
    const named = { email: 'grace.events@example.com', sources: ['gmail'] };
    const { approver_id } = await ada.ok('name_approver', named);
    await expect.poll(() => countChanges(screen)).toBe(1);
    const mail = await world.make('draft');
    await server.ok('discard_action', { draft_id: mail });
    const event = await world.make('sent_draft'); // of another source
    await expect.poll(() => listDrafts(screen)).toContain(`draft.decided ${mail}`);
    expect(listDrafts(screen).filter((received) => received.endsWith(event))).toEqual([]);

    await ada.ok('withdraw_approver', { approver_id });
    const after = await world.make('draft');
    await expect.poll(() => countChanges(screen)).toBe(2);
    await sleep(600); // each event is told within a few milliseconds
    // The one before may be told late, and is theirs to see by then.
    const since = listDrafts(screen).filter((received) => !received.endsWith(before));
    expect(since).toEqual([`draft.created ${mail}`, `draft.decided ${mail}`]);
    expect(listDrafts(agent)).toEqual([]);

    const until = new Date(Date.now() + 2_000).toISOString();
    await ada.ok('name_approver', { ...named, until });
    const last = await world.make('draft');
    await expect.poll(() => listDrafts(screen)).toContain(`draft.created ${last}`);
    // That it is over by its time is told as well.
    await expect.poll(() => countChanges(screen)).toBe(4);
    await server.ok('discard_actions', { draft_ids: [before, after, last] });
    await sleep(600); // each event is told within a few milliseconds
    expect(listDrafts(screen)).not.toContain(`draft.decided ${last}`);
    screen.leave();
    agent.leave();
  }, 90_000);
});

test('a draft that nobody decided in time has an event when it expires', async () => {
  const listener = await listen();
  const id = await world.make('draft');
  await database.rows(`update drafts set expires_at = now() - interval '1 second' where id = '${id}'`);
  await world.make('draft');
  const decided = () => listener.received.filter(({ event }) => event === 'draft.decided').map(({ data }) => data);
  await expect.poll(decided).toEqual([{ draft_id: id, status: 'expired' }]);
  listener.leave();
});

test('a plain member gets the events that concern them', async () => {
  const member = await joinAs(server, database, 'hears@example.com');
  const listener = await listen({ as: member.headers });
  const names = ['integration', 'telegram', 'variable', 'sync', 'policy', 'notifications'].map(
    (each) => `${each}.changed`,
  );
  for (const name of names) {
    await database.rows(
      `insert into events (id, workspace_id, person_id, brain_id, name, payload, at)
       select gen_random_uuid(), workspace_id, id, null, $2, '{}', now() from people where id = $1`,
      [member.personId, name],
    );
  }
  await expect.poll(() => listener.received.map(({ event }) => event)).toEqual(names);
  listener.leave();
});
