import { afterAll, beforeAll, expect, test } from 'vitest';
import { openAsOwner } from '../../../tests/support/owner-database.ts';
import { addPerson } from '../../../tests/support/second-person.ts';
import { startTestServer, type TestServer } from '../../../tests/support/server.ts';

let server: TestServer;
let key: string;
beforeAll(async () => {
  server = await startTestServer();
  ({ key } = await server.ok('create_key', {
    label: 'Claude Code',
    scopes: ['brains:read', 'memory:read', 'pages:read', 'actions:read', 'actions:draft', 'sessions:capture'],
  }));
});
afterAll(() => server.close());

/** Sends a request as the plugin's hooks do with curl: same URLs, headers, query strings and bodies. */
async function callHook(path: string, body?: object, as = key) {
  const headers = { authorization: `Bearer ${as}`, 'user-agent': 'curl/8.5.0', accept: '*/*' };
  const response = await server.request(
    path,
    body
      ? { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) }
      : { headers },
  );
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}
const turn = (session_id: string, role: string, content: string, as = key) =>
  callHook('/ingest/claude', { session_id, role, content }, as);

test('additional fields of a newer plugin cause no loss, at any depth', async () => {
  const more = { surprise: { deep: [1] }, hook_event_name: 'Stop', transcript_path: null };
  const turned = await callHook('/ingest/claude', { session_id: 's-newer', role: 'user', content: 'Noon', ...more });
  expect(turned).toMatchObject({ status: 200, body: { stored: true } });
  const device = await callHook('/inbox/claude/devices', {
    hostname: 'laptop',
    sections: [{ name: 'core', version: 4, hash: 'x' }],
    ...more,
  });
  expect(device).toMatchObject({ status: 200, body: { reported: 1 } });
  const received = [{ kind: 'core_knowledge', key: 'tone', bytes: 9 }];
  const ack = { session_id: 's-newer', applied: [], context_received: received, ...more };
  expect(await callHook('/inbox/claude/ack', ack)).toEqual({ status: 200, body: { acked: 0 } });
  expect((await callHook('/inbox/claude?session_id=s-newer&mode=prompt&cwd=/x')).status).toBe(200);
  expect((await callHook('/ingest/claude', { session_id: 's-newer', role: 'nobody', ...more })).status).toBe(422);
  expect((await callHook('/v1/memory', { content: 'x', ...more })).status).not.toBe(200);
});

test('a whole session of the public Claude Code plugin works: device, inbox, turns, acknowledgements', async () => {
  const { home_brain_id } = await server.ok('who_am_i');
  await server.ok('add_core_knowledge', { brain_id: home_brain_id, section: 'tone', content: 'Be terse.' });
  const device = await callHook('/inbox/claude/devices', {
    hostname: 'laptop',
    sections: [{ name: 'core', version: 4 }],
    client: 'claude',
    client_type: 'cli',
    plugin_version: '2.2.2',
    auto_update: false,
  });
  expect(device).toMatchObject({ status: 200, body: { device_id: expect.any(String), reported: 1, drift: [] } });
  const at = (mode: string) =>
    `/inbox/claude?session_id=s-1&source=${mode}&mode=${mode}&tz=Europe/Berlin&device_id=${device.body['device_id']}`;
  const started = await callHook(at('startup'));
  expect(started).toMatchObject({
    status: 200,
    body: { actions: [], context_items: [{ kind: 'core_knowledge', key: 'tone' }] },
  });
  expect(started.body['context']).toContain('Be terse.');
  expect((await callHook(at('prompt'))).body).toMatchObject({ actions: [], context: '', context_items: [] });
  expect((await callHook(at('stop'))).body).toMatchObject({ actions: [], context: '' });
  const ack = {
    session_id: 's-1',
    mode: 'startup',
    applied: [],
    context_received: [{ kind: 'core_knowledge', key: 'tone' }],
  };
  expect(await callHook('/inbox/claude/ack', { ...ack, device_id: device.body['device_id'] })).toEqual({
    status: 200,
    body: { acked: 0 },
  });
  expect((await turn('s-1', 'user', 'When does the **Ithaca ferry** leave? I need to book.')).body).toMatchObject({
    stored: true,
    turns: 1,
  });
  const newer = { role: 'assistant', content: 'At noon, from pier four.', client: 'claude', client_type: 'cli' };
  expect((await callHook('/ingest/claude', { session_id: 's-1', ...newer })).body).toMatchObject({
    stored: true,
    turns: 2,
  });
  const again = await callHook('/inbox/claude/devices', {
    hostname: 'laptop',
    sections: [],
    client: 'claude',
    client_type: 'cli',
  });
  expect(again.body['device_id']).toBe(device.body['device_id']);
  expect((await server.ok('list_devices')).devices).toHaveLength(1);
});

test('the turns of a session become one page with the speaker of each turn, and search finds it at once', async () => {
  await turn('s-2', 'user', 'Which sail did we choose for the Argo? The old one is torn.');
  await turn('s-2', 'assistant', 'The crimson mainsail from the loft in Corinth.');
  await turn('s-2', 'user', 'Order it.');
  const { pages } = await server.ok('search', { q: 'crimson mainsail Corinth', type: 'chat_session' });
  expect(pages).toHaveLength(1);
  expect(pages[0]?.title).toBe('Which sail did we choose for the Argo?');
  const page = await server.ok('get_page', { id: pages[0]?.id });
  expect(page.frontmatter).toMatchObject({ session_id: 's-2', turns: 3, client: 'claude' });
  expect(page.body).toMatch(
    /\(user, .*\):\n\nWhich sail[\s\S]*\*\*Claude\*\* \(assistant, .*\):\n\nThe crimson[\s\S]*\(user, .*\):\n\nOrder it\./,
  );
  expect(page.versions).toHaveLength(1);
});

test('turns that arrive at once are all kept, and a repeated last turn is not', async () => {
  await Promise.all(
    Array.from({ length: 12 }, (_none, at) => turn('s-3', at % 2 ? 'assistant' : 'user', `Turn number ${at}`)),
  );
  expect((await turn('s-3', 'user', 'The last word')).body).toMatchObject({ turns: 13 });
  expect((await turn('s-3', 'user', 'The last word')).body).toMatchObject({ stored: false, turns: 13 });
});

test('a key without the scope stores nothing, and an agent’s key lacks it by default', async () => {
  const { key: usual } = await server.ok('create_key', { label: 'Usual' });
  expect((await turn('s-4', 'user', 'Do not keep this', usual)).status).toBe(403);
  expect((await server.ok('search', { q: 'Do not keep this' })).pages).toEqual([]);
});

test('a person sees, deletes and switches off their captured conversations; nobody else sees them', async () => {
  await turn('s-5', 'user', 'A secret plan for the regatta');
  const { chat_sessions, capture } = await server.ok('list_chat_sessions');
  const chat = chat_sessions.find(({ session_id }) => session_id === 's-5');
  expect(capture).toBe('on');
  const database = await openAsOwner(server.connectionString);
  try {
    const other = await addPerson(database);
    expect((await server.ok('list_chat_sessions', {}, { key: other.key })).chat_sessions).toEqual([]);
    expect((await server.call('delete_chat_session', { chat_id: chat?.chat_id }, { key: other.key })).status).toBe(404);
    await server.ok('delete_chat_session', { chat_id: chat?.chat_id });
    expect((await server.ok('search', { q: 'secret plan regatta' })).pages).toEqual([]);
    expect(await database.dump()).not.toContain('secret plan for the regatta');
  } finally {
    await database.close();
  }
  await server.ok('set_chat_capture', { enabled: false });
  expect((await turn('s-6', 'user', 'Not kept any more')).body).toMatchObject({ stored: false, capture: 'off' });
  await server.ok('set_chat_capture', { enabled: true });
  expect((await turn('s-6', 'user', 'Kept again')).body).toMatchObject({ stored: true, capture: 'on' });
});

test('a conversation can be saved completely, and get a better title', async () => {
  const turns = [
    { role: 'user', content: 'Compare lanterns' },
    { role: 'assistant', content: 'The brass one is brighter.' },
  ];
  const saved = await server.ok('save_chat_session', { session_id: 's-7', turns }, { key });
  expect(saved).toMatchObject({ stored: true, turns: 2, slug: expect.stringContaining('chat-session') });
  await server.ok(
    'save_chat_session',
    { session_id: 's-7', title: 'Lanterns compared', summary: 'Brass wins.' },
    { key },
  );
  await turn('s-7', 'user', 'Thanks');
  expect(await server.ok('get_page', { id: saved.page_id })).toMatchObject({
    title: 'Lanterns compared',
    frontmatter: { summary: 'Brass wins.', turns: 3 },
  });
});

test('a very long conversation continues in further pages, and search finds every word of it', async () => {
  const filler = 'The tide rises and falls along the quay. '.repeat(2_400);
  for (let at = 0; at < 4; at += 1)
    await turn('s-8', at % 2 ? 'assistant' : 'user', `${filler} marker${'abcd'[at]}word`);
  const { pages } = await server.ok('query', { type: 'chat_session', where: { session_id: 's-8' } });
  expect(pages.length).toBe(2);
  for (const letter of 'abcd')
    expect((await server.ok('search', { q: `marker${letter}word` })).pages, letter).toHaveLength(1);
});

test('the overnight digest is the newest page of its type, and found is false without one', async () => {
  expect(await server.ok('get_overnight_digest', {}, { key })).toEqual({ found: false });
  const page = {
    type: 'overnight_digest',
    title: 'Night of May 2',
    body: 'All calm.',
    frontmatter: { lenses: { tomorrow: 'Sail' } },
  };
  await server.ok('create_page', { ...page, occurred_at: '2026-05-02T04:00:00Z' });
  expect(await server.ok('get_overnight_digest', {}, { key })).toMatchObject({
    found: true,
    day: '2026-05-02',
    body: 'All calm.',
    lenses: { tomorrow: 'Sail' },
  });
  expect(await server.ok('get_overnight_digest', { day: '2026-05-03' }, { key })).toEqual({ found: false });
});

test('names that the plugin uses work: whoami, query {text}, and files of Drive by the type gdrive_file', async () => {
  expect(await server.ok('whoami', {}, { key })).toEqual(await server.ok('who_am_i', {}, { key }));
  await server.ok('create_page', { title: 'A chart', body: 'Depths of the bay', type: 'file' });
  const { pages } = await server.ok('query', { text: 'depths bay', type: 'gdrive_file' }, { key });
  expect(pages.map(({ title }) => title)).toEqual(['A chart']);
  expect((await server.ok('list_calendar_events', { start: '2026-06-01', end: '2026-06-08' }, { key })).events).toEqual(
    [],
  );
});
