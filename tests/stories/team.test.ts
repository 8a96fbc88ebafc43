// A team from its first brain to the everyday: every step by the documented requests, over HTTP.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildSessionHeaders, readSession } from '../support/google.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

type Body = Record<string, unknown>;
type Credential = { key: string } | { headers: Record<string, string> };
type Hit = { content: string; brain_name: string };

let server: TestServer;
/** The owner, with the authority of a person; and the agent of theirs that has an ordinary key. */
let owner: Credential;
let agent: Credential;
let sarah: Credential;
let mike: Credential;
const brains = { sales: '', outbound: '', deals: '' };
const decision =
  'We chose Thompson Sampling over UCB for play card selection because it naturally balances exploration vs exploitation without manual tuning';

beforeAll(async () => {
  server = await startTestServer();
  owner = await openSession(String((await server.ok('create_sign_in_link'))['url']));
  agent = { key: String((await request(owner, 'POST', '/v1/keys', { label: 'Agent' }))['key']) };
});
afterAll(() => server.close());

async function send(as: Credential, method: string, path: string, body?: Body) {
  const credential = 'key' in as ? { authorization: `Bearer ${as.key}` } : { ...as.headers, origin: server.url };
  const headers = { ...credential, 'content-type': 'application/json' };
  const response = await server.request(path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  return { status: response.status, body: (await response.json()) as Body }; // an answer or a problem; both are objects
}

async function request(as: Credential, method: string, path: string, body?: Body): Promise<Body> {
  const answer = await send(as, method, path, body);
  if (answer.status !== 200)
    throw new Error(`${method} ${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** Opens a one-time link in a browser of its own. */
async function openSession(url: string): Promise<Credential> {
  const headers = { 'content-type': 'application/json', origin: server.url };
  const body = JSON.stringify({ token: new URL(url).hash.slice(1) });
  const response = await server.request('/auth/sign-in', { method: 'POST', headers, body });
  expect(response.status).toBe(200);
  return { headers: buildSessionHeaders(await readSession(response)) };
}

async function search(as: Credential, q: string): Promise<Hit[]> {
  return (await request(as, 'GET', `/v1/memory/search?q=${q}`))['memories'] as Hit[];
}

test('step 1: the hierarchy is created', async () => {
  const sales = await request(owner, 'POST', '/v1/brains', {
    name: 'Sales Division',
    description: 'Cross-team sales strategy, pipeline metrics, territory planning',
  });
  expect(sales).toMatchObject({ name: 'Sales Division Brain', your_role: 'owner' });
  brains.sales = String(sales['brain_id']);
  const outbound = await request(owner, 'POST', '/v1/brains', {
    name: 'Outbound',
    description: 'Cold outbound email pipeline, targeting, templates, A/B testing',
    parent_brain_id: brains.sales,
  });
  expect(outbound).toMatchObject({ name: 'Outbound Brain' });
  const deals = await request(owner, 'POST', '/v1/brains', {
    name: 'Deal Support',
    description: 'Call scripts, objection handling, competitive intel, deal qualification',
    parent_brain_id: brains.sales,
  });
  expect(deals).toMatchObject({
    name: 'Deal Support Brain',
    message: expect.stringContaining(`/v1/brains/${String(deals['brain_id'])}/members`),
  });
  brains.outbound = String(outbound['brain_id']);
  brains.deals = String(deals['brain_id']);
});

test('step 2: routing rules say what belongs where, and are in the list', async () => {
  const routing_rules =
    'Email pipeline and targeting decisions → Outbound Brain. Call scripts and objection handling → Deal Support Brain. Only cross-team sales strategy stays here.';
  await request(owner, 'PATCH', `/v1/brains/${brains.sales}`, { routing_rules });
  const listed = await request(agent, 'GET', '/v1/brains');
  expect(listed['brains']).toContainEqual(
    expect.objectContaining({
      id: brains.sales,
      routing_rules,
      parent_brain_id: null,
      access_level: 'owner',
      memory_count: 0,
      member_count: 1,
    }),
  );
  expect(listed['brains']).toContainEqual(
    expect.objectContaining({ id: brains.outbound, parent_brain_id: brains.sales }),
  );
});

test('step 3: one person is invited to the parent, one to a child, and both join at their first sign-in', async () => {
  const invitedSarah = await request(owner, 'POST', `/v1/brains/${brains.sales}/members`, {
    email: 'sarah@company.com',
    access_level: 'editor',
  });
  expect(invitedSarah).toMatchObject({
    status: 'invited',
    email: 'sarah@company.com',
    message: expect.stringMatching(/auto-join/),
  });
  const invitedMike = await request(owner, 'POST', `/v1/brains/${brains.outbound}/members`, {
    email: 'mike@company.com',
    access_level: 'viewer',
  });
  const readJoinLink = (body: Body) => (body['join_link'] as { url: string }).url;
  sarah = await openSession(readJoinLink(invitedSarah));
  mike = await openSession(readJoinLink(invitedMike));
  expect(await request(sarah, 'GET', '/v1/me')).toMatchObject({
    person: { email: 'sarah@company.com', role: 'member' },
  });
  const { members } = await request(sarah, 'GET', `/v1/brains/${brains.outbound}/members`);
  expect(members).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ email: 'mike@company.com', access_level: 'viewer', inherited_from: null }),
      expect.objectContaining({
        email: 'sarah@company.com',
        access_level: 'editor',
        inherited_from: { brain_id: brains.sales, brain_name: 'Sales Division Brain' },
      }),
    ]),
  );
});

test('the role on the parent reaches the children; the role on one child is an island', async () => {
  const listRoles = async (as: Credential) => {
    const { brains: listed } = await request(as, 'GET', '/v1/brains');
    const rows = listed as { id: string; access_level: string; is_personal: boolean }[];
    return Object.fromEntries(rows.filter((row) => !row.is_personal).map((row) => [row.id, row.access_level]));
  };
  expect(await listRoles(sarah)).toEqual({
    [brains.sales]: 'editor',
    [brains.outbound]: 'editor',
    [brains.deals]: 'editor',
  });
  // Knowledge is inherited, so who is on a child reads what is above it, and nothing beside it.
  expect(await listRoles(mike)).toEqual({ [brains.outbound]: 'viewer', [brains.sales]: 'viewer' });
  const store = (as: Credential, target_brain_id: string) =>
    send(as, 'POST', '/v1/memory/add', { content: 'Objections are answered with a question', target_brain_id });
  expect((await store(sarah, brains.deals)).status).toBe(200);
  expect((await store(mike, brains.outbound)).status).toBe(403);
  expect((await store(mike, brains.deals)).status).toBe(404);
});

test('step 4: a memory is stored in a brain, and the answer rates its fit there and elsewhere', async () => {
  const stored = await request(agent, 'POST', '/v1/memory/add', {
    content: decision,
    type: 'decision',
    salience: 'elevated',
    target_brain_id: brains.outbound,
  });
  expect(stored).toMatchObject({
    type: 'decision',
    salience: 'elevated',
    routing_check: { stored_in: { brain: 'Outbound Brain', confidence: expect.any(Number) } },
  });
  const astray = await request(agent, 'POST', '/v1/memory/add', {
    content: 'The cold email pipeline gets new templates for A/B testing',
    target_brain_id: brains.deals,
  });
  const { stored_in, alternatives } = astray['routing_check'] as {
    stored_in: { brain: string; confidence: number };
    alternatives: { brain: string; confidence: number }[];
  };
  expect(stored_in.brain).toBe('Deal Support Brain');
  expect(alternatives[0]?.brain).toBe('Outbound Brain');
  expect(alternatives[0]?.confidence).toBeGreaterThan(stored_in.confidence);
});

test('step 5: a search covers every brain the caller may read, and each hit names its brain', async () => {
  await request(agent, 'POST', '/v1/memory/add', {
    content: 'Sales strategy requires data-driven selection of play cards',
    target_brain_id: brains.sales,
  });
  const found = [
    { content: decision, brain_name: 'Outbound Brain' },
    { content: 'Sales strategy requires data-driven selection of play cards', brain_name: 'Sales Division Brain' },
  ].map((hit) => expect.objectContaining(hit));
  for (const each of [agent, sarah, mike]) {
    expect(await search(each, 'play+card+selection')).toEqual(expect.arrayContaining(found));
  }
  const listBrainNames = (hits: Hit[]) => hits.map(({ brain_name }) => brain_name);
  expect(listBrainNames(await search(sarah, 'objections'))).toEqual(['Deal Support Brain']);
  expect(await search(mike, 'objections')).toEqual([]);
});

test('a division and its brains can be viewed as one, or one alone', async () => {
  const overview = (query: string) => request(agent, 'GET', `/v1/brain/overview?days=7&${query}`);
  const family = await overview(`brain_id=${brains.sales}&include_children=true`);
  const island = await overview(`brain_id=${brains.sales}`);
  const several = await overview(`brain_id=${brains.outbound},${brains.deals}`);
  const created = [family, island, several].map((answer) => answer['memories_created'] as number);
  expect(created[0]).toBe(created[1]! + created[2]!);
  expect(created[1]).toBe(1);
  expect(JSON.stringify(family['decisions'])).toContain(decision);
  expect(JSON.stringify(island['decisions'])).not.toContain(decision);
  expect((await send(mike, 'GET', `/v1/brain/overview?brain_id=${brains.outbound},${brains.deals}`)).status).toBe(404);
});

test('core knowledge and skills of a division apply to everybody in it', async () => {
  await request(owner, 'POST', `/v1/brains/${brains.sales}/core-knowledge`, {
    section: 'pricing',
    content: 'Discounts above ten per cent need a second pair of eyes',
  });
  const skill = await request(owner, 'POST', '/v1/skills', {
    name: 'cold-mail',
    content: 'How to write a first mail\n\nThree sentences.',
  });
  await request(owner, 'POST', `/v1/skills/${String(skill['skill_id'])}/assignments`, { brain_id: brains.sales });
  expect(await request(mike, 'POST', '/v1/brain/load', { brain_id: brains.outbound })).toMatchObject({
    core_knowledge: [{ section: 'pricing', brain_name: 'Sales Division Brain', is_inherited: true }],
    skills: [{ name: 'cold-mail', description: 'How to write a first mail' }],
  });
});

test('a person who leaves loses access at once, and their memories stay with their name', async () => {
  const { members } = await request(owner, 'GET', `/v1/brains/${brains.sales}/members`);
  const { user_id } =
    (members as { email: string; user_id: string }[]).find(({ email }) => email === 'sarah@company.com') ?? {};
  await request(owner, 'PATCH', `/v1/brains/${brains.sales}/members/${user_id}`, { access_level: 'viewer' });
  const store = { content: 'One more thing', target_brain_id: brains.deals };
  expect((await send(sarah, 'POST', '/v1/memory/add', store)).status).toBe(403);
  await request(owner, 'DELETE', `/v1/brains/${brains.sales}/members/${user_id}`);
  expect((await send(sarah, 'POST', '/v1/memory/add', store)).status).toBe(404);
  expect(await search(sarah, 'objections')).toEqual([]);
  expect(await search(agent, 'objections')).toEqual([expect.objectContaining({ stored_by: 'Sarah' })]);
});

test('the team closes: a brain is exported, then deleted by its name', async () => {
  const exported = await request(owner, 'GET', `/v1/brains/${brains.deals}/export`);
  expect(exported).toMatchObject({ next_cursor: null });
  expect(JSON.stringify(exported['lines'])).toContain('Objections are answered with a question');
  expect((await send(owner, 'DELETE', `/v1/brains/${brains.sales}?confirm=Sales%20Division%20Brain`)).status).toBe(409);
  for (const [id, name] of [
    [brains.deals, 'Deal Support'],
    [brains.outbound, 'Outbound'],
    [brains.sales, 'Sales Division'],
  ] as const) {
    const confirm = encodeURIComponent(`${name} Brain`);
    expect(await request(owner, 'DELETE', `/v1/brains/${id}?confirm=${confirm}`)).toMatchObject({ deleted: true });
  }
  expect(await search(agent, 'play+card+selection')).toEqual([]);
});
