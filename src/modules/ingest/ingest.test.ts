import { createHash } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { createLog } from '#platform/log';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openAsOwner } from '../../../tests/support/owner-database.ts';
import { addPerson } from '../../../tests/support/second-person.ts';
import { startTestServer, type TestServer } from '../../../tests/support/server.ts';

let server: TestServer;
const problems: unknown[] = [];
const log = Object.assign(createLog('silent'), { error: (...problem: unknown[]) => void problems.push(problem) });
beforeAll(async () => void (server = await startTestServer({}, { log })));
afterAll(() => server.close());

async function createConnector(input: object = {}) {
  const made = await server.ok('create_connector', { name: 'Company Gmail', source: 'make', ...input });
  const key = String(made.webhook_token);
  return { ...made, key, send: (item: object) => server.ok('ingest', item, { key }) };
}
const createBrain = async (name: string, more: object = {}) =>
  (await server.ok('create_brain', { name, ...more })).brain_id;
const readMemory = async (id: unknown) => (await server.ok('get_memory', { id })).memory;

test('an item is stored with its source, and every level of the source finds it', async () => {
  const { send } = await createConnector();
  const item = {
    content: 'The ferry to Ithaca leaves at noon',
    source_channel: 'gmail',
    source_user: 'ada@example.com',
  };
  const answer = await send({ ...item, source_id: 'm1' });
  expect(answer).toMatchObject({
    source: 'make',
    source_channel: 'gmail',
    source_user: 'ada@example.com',
    source_label: 'make:gmail:ada@example.com',
    auto_routed: true,
    dedup: { action: 'created' },
  });
  for (const source of ['auto_ingested', 'make', 'gmail', 'make:gmail', 'make:gmail:ada@example.com']) {
    const { memories } = await server.ok('search_memory', { q: 'ferry Ithaca', source });
    expect(
      memories.map(({ id }) => id),
      source,
    ).toEqual([answer.id]);
    const listed = await server.ok('list_memories', { source });
    expect(
      listed.memories.map(({ id }) => id),
      source,
    ).toContain(answer.id);
    expect(listed.total).toBe(listed.memories.length);
  }
  for (const source of ['human', 'zapier', 'mail', 'make:slack']) {
    expect((await server.ok('search_memory', { q: 'ferry Ithaca', source })).memories, source).toEqual([]);
    expect((await server.ok('list_memories', { source })).memories.map(({ id }) => id)).not.toContain(answer.id);
  }
});

test('a repeated source_id changes nothing for equal content, and replaces different content', async () => {
  const { send } = await createConnector();
  const first = await send({ content: 'The plan has three steps', source_id: 'plan' });
  expect(await send({ content: 'The plan has three steps', source_id: 'plan' })).toMatchObject({
    id: first.id,
    dedup: { action: 'unchanged' },
  });
  const second = await send({ content: 'The plan has four steps', source_id: 'plan' });
  expect(second.dedup).toEqual({ action: 'superseded', previous_id: first.id });
  const { memories } = await server.ok('search_memory', { q: 'plan steps' });
  expect(memories.map(({ id }) => id)).toEqual([second.id]);
  await server.ok('archive_memory', { id: second.id });
  expect((await send({ content: 'The plan has four steps', source_id: 'plan' })).dedup.action).toBe('unchanged');
});

test('a memory has the author and role that the sender names, else the sender', async () => {
  const { send } = await createConnector();
  const item = { source_channel: 'gmail', source_user: 'ada@example.com' };
  const named = await send({ ...item, content: 'The mast is mended', author: 'Mo', role: 'assistant' });
  const unnamed = await send({ ...item, content: 'The rope is spliced' });
  const database = await openAsOwner(server.connectionString);
  const stored = await database.rows('select author, role from memories where id in ($1, $2) order by id', [
    named.id,
    unnamed.id,
  ]);
  await database.close();
  expect(stored).toEqual([
    { author: 'Mo', role: 'assistant' },
    { author: 'ada@example.com', role: null },
  ]);
});

test('a zwh token is in the answer that creates it, as a hash in the database, and nowhere else', async () => {
  const { key, connector_id, send } = await createConnector();
  await send({ content: 'Sent with the token' });
  const configured = await server.ok('configure_connector', { connector_id, name: 'Renamed' });
  const listed = await server.ok('list_connectors', {});
  const setup = await server.ok('get_connector_setup', { product: 'make' });
  expect(JSON.stringify([configured, listed, setup])).not.toContain(key.slice(4));
  const database = await openAsOwner(server.connectionString);
  try {
    const dump = await database.dump();
    expect(dump).toContain('Sent with the token');
    expect(dump).not.toContain(key.slice(4));
    expect(await database.rows('select token_hash from webhook_tokens where id = $1', [connector_id])).toEqual([
      { token_hash: createHash('sha256').update(key).digest('hex') },
    ]);
  } finally {
    await database.close();
  }
});

test('fifty concurrent equal requests store one memory', async () => {
  const { send } = await createConnector();
  const item = { content: 'Sent by an impatient sender', source_id: 'impatient' };
  const answers = await Promise.all(Array.from({ length: 50 }, () => send(item)));
  expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
  expect(answers.filter(({ dedup }) => dedup.action === 'created')).toHaveLength(1);
});

test('a mail thread is one memory that each reply updates, and a repeated or late mail does not undo that', async () => {
  const { send } = await createConnector();
  const mail = (content: string, hour: string) => ({
    content,
    source_channel: 'gmail',
    thread_id: 't-17',
    source_id: `message-${hour}`,
    occurred_at: `2026-05-01T${hour}:00:00Z`,
  });
  const first = await send(mail('Shall we meet on Monday?', '09'));
  const reply = await send(mail('Tuesday is better', '11'));
  expect(reply.dedup).toEqual({ action: 'superseded', previous_id: first.id });
  expect(await send(mail('Shall we meet on Monday?', '09'))).toMatchObject({
    id: reply.id,
    dedup: { action: 'unchanged' },
  });
  const late = await send(mail('Monday at ten?', '10'));
  expect(late.dedup).toEqual({ action: 'earlier', previous_id: reply.id });
  const { memories } = await server.ok('search_memory', { q: 'Monday Tuesday meet' });
  expect(memories.map(({ id }) => id)).toEqual([reply.id]);
  const slack = { source_channel: '#team', thread_id: 't-18' };
  const said = await send({ ...slack, content: 'First words of a thread' });
  expect((await send({ ...slack, content: 'Second words of a thread' })).dedup).toEqual({
    action: 'created',
    previous_id: null,
  });
  expect((await readMemory(said.id)).thread_id).toBe('t-18');
});

test('a zwh token gets 403 everywhere except at ingest, and works nowhere once its connector is deleted', async () => {
  const { key, connector_id } = await createConnector();
  for (const [name, input] of [
    ['search_memory', { q: 'x' }],
    ['who_am_i', {}],
    ['list_connectors', {}],
    ['add_memory', {}],
  ] as const)
    expect((await server.call(name, input, { key })).status, name).toBe(403);
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  const initialize = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
  };
  expect((await server.request('/mcp', { method: 'POST', headers, body: JSON.stringify(initialize) })).status).toBe(
    403,
  );
  expect((await server.request('/v1/events', { headers })).status).toBe(403);
  expect((await server.request('/v1/memory/list', { headers })).status).toBe(403);
  await server.ok('delete_connector', { connector_id });
  const readStatus = async () => (await server.call('ingest', { content: 'late' }, { key })).status;
  await expect.poll(readStatus, { timeout: 3_000 }).toBe(401);
});

test('a connector of an MCP server has no token, and deleting a connector deletes its routes', async () => {
  const target_brain_id = await createBrain('Of routes');
  const made = await createConnector({
    brain_id: target_brain_id,
    connector_type: 'mcp_server',
    connector_config: { server_url: 'https://mcp.example.com/mcp' },
  });
  expect([made.webhook_token, made.auth_header]).toEqual([null, null]);
  const listed = async () =>
    (await server.ok('list_connectors')).connectors.find((each) => each.connector_id === made.connector_id);
  expect(await listed()).toMatchObject({
    connector_type: 'mcp_server',
    server_url: 'https://mcp.example.com/mcp',
    token_prefix: null,
  });
  const { connector_id } = made;
  const route = { connector_id, signal_type: 'sender', signal_value: 'a@b.example', target_brain_id };
  await server.ok('add_connector_route', route);
  await server.ok('delete_connector', { connector_id });
  expect(await listed()).toBeUndefined();
  expect(await server.call('list_connector_routes', { connector_id })).toMatchObject({ status: 404 });
  const database = await openAsOwner(server.connectionString);
  const left = await database.rows('select 1 from connector_routes where connector_id = $1', [connector_id]);
  await database.close();
  expect(left).toEqual([]);
});

test('a connector writes only to its allowed brains', async () => {
  const [own, other] = [await createBrain('Allowed'), await createBrain('Forbidden')];
  const { key, send, connector_id } = await createConnector({ brain_id: own });
  expect((await send({ content: 'Into its own', target_brain_id: own })).routing).toEqual({
    method: 'target',
    confidence: 1,
  });
  expect((await server.call('ingest', { content: 'Into another', target_brain_id: other }, { key })).status).toBe(404);
  await server.ok('configure_connector', {
    connector_id,
    connector_config: JSON.stringify({ allowed_brain_ids: [own, other] }),
  });
  expect((await send({ content: 'Into another', target_brain_id: other })).brain_name).toContain('Forbidden');
});

test('a personal connector stores in its owner’s name and ranks first for them; a shared one stores in nobody’s name', async () => {
  const team = await createBrain('Team of two');
  const database = await openAsOwner(server.connectionString);
  const colleague = await addPerson(database).finally(() => database.close());
  await server.ok('invite_member', { brain_id: team, email: colleague.email, access_level: 'editor' });
  const content = 'The harbour crane is repaired in June';
  const shared = await createConnector({ brain_id: team, connector_type: 'shared', source: 'fathom' });
  const personal = await createConnector({ brain_id: team, connector_type: 'personal', source: 'gmail' });
  const { id: ofShared } = await shared.send({ content: `${content}.` });
  const { id: ofPersonal } = await personal.send({ content: `${content}!` });
  const { person } = await server.ok('who_am_i');
  expect(await readMemory(ofPersonal)).toMatchObject({ stored_by: person.name });
  expect(await readMemory(ofShared)).toMatchObject({ stored_by: null, stored_by_person: null });
  const scores = async (key?: string) => {
    const { memories } = await server.ok(
      'search_memory',
      { q: 'harbour crane June', brain_id: team },
      key ? { key } : {},
    );
    const of = (id: unknown) => memories.find((each) => each.id === id)?.relevance_score ?? 0;
    return of(ofPersonal) / of(ofShared);
  };
  expect(await scores()).toBeGreaterThan(1.1);
  expect(await scores(colleague.key)).toBeCloseTo(1, 1);
});

test('empty fields count as absent and numbers as ids, as automation products send them', async () => {
  const { send } = await createConnector();
  const item = {
    content: 'Filled in by half',
    source_channel: '',
    source_user: '',
    target_brain_id: '',
    source_id: 4711,
  };
  expect(await send(item)).toMatchObject({ source_label: 'make', dedup: { action: 'created' } });
  expect((await send({ ...item, source_id: '4711' })).dedup.action).toBe('unchanged');
});

test('a text of nearly 4 MB is stored whole as pages, shorter versions replace them, and more is refused', async () => {
  const { key, send } = await createConnector();
  const long = `The annals of the lighthouse\n\n${'A quiet watch on the northern rock. '.repeat(110_000)}\n\nAnd at last a whale.`;
  const answer = await send({ content: long, source_id: 'annals' });
  expect(answer.pages.length).toBeGreaterThan(30);
  const bodies: string[] = [];
  for (const slug of answer.pages) bodies.push((await server.ok('get_page', { slug })).body);
  expect(bodies.join('').replaceAll(/\s+/g, ' ')).toBe(long.trim().replaceAll(/\s+/g, ' '));
  expect((await server.ok('search', { q: 'whale at last' })).pages.map(({ type }) => type)).toContain('ingested_text');
  expect((await send({ content: 'The annals are short now', source_id: 'annals' })).pages).toEqual([]);
  expect((await server.ok('list_pages', { type: 'ingested_text' })).pages).toEqual([]);
  expect((await server.call('ingest', { content: 'x'.repeat(4_000_001) }, { key })).status).toBe(413);
});

/** Sends the head and the beginning of an item, and nothing more. */
function sendHalf(key: string): Promise<Socket> {
  const { port, host } = new URL(server.url);
  const head = `POST /v1/ingest HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\n`;
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), '127.0.0.1', () =>
      socket.write(`${head}content-length: 3000000\r\n\r\n{"content":"Half of`, () => resolve(socket)),
    );
    socket.on('error', reject);
  });
}

test('senders that stop half-way, and senders of too much, delay no other sender', async () => {
  const [slow, huge, other] = [await createConnector(), await createConnector(), await createConnector()];
  const halves = await Promise.all(Array.from({ length: 150 }, () => sendHalf(slow.key)));
  const tooMuch = { content: 'a'.repeat(5_000_000) };
  const refused = Promise.all(Array.from({ length: 8 }, () => server.call('ingest', tooMuch, { key: huge.key })));
  for (let at = 0; at < 5; at += 1)
    expect(await other.send({ content: `The pilot boards ship ${at}`, source_id: `p${at}` })).toMatchObject({
      dedup: { action: 'created' },
    });
  expect(new Set((await refused).map(({ status }) => status))).toEqual(new Set([413]));
  // The slow sender itself is not blocked.
  expect(await slow.send({ content: 'The pilot leaves' })).toMatchObject({ dedup: { action: 'created' } });
  for (const half of halves) half.destroy();
  expect(await other.send({ content: 'The pilot is ashore' })).toMatchObject({ dedup: { action: 'created' } });
  expect(problems, 'a sender that disconnects is not a bug of the server').toEqual([]);
});
