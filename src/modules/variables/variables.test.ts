import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signIn, type Browser } from '../../../tests/support/google.ts';
import { openAsOwner, type OwnerDatabase } from '../../../tests/support/owner-database.ts';
import { addPerson } from '../../../tests/support/second-person.ts';
import { startTestServer, type TestServer } from '../../../tests/support/server.ts';

let server: TestServer;
let database: OwnerDatabase;
let browser: Browser;
let member: Awaited<ReturnType<typeof addPerson>>;
let agent: { id: string; key: string };
let brainId: string;

beforeAll(async () => {
  server = await startTestServer();
  database = await openAsOwner(server.connectionString);
  browser = await signIn(server);
  member = await addPerson(database);
  brainId = String((await server.ok('create_brain', { name: 'Sales' }))['brain_id']);
  agent = await createAgent({ home_brain_id: brainId });
});
afterAll(async () => {
  await database.close();
  await server.close();
});

async function createAgent(input: Record<string, unknown> = {}): Promise<{ id: string; key: string }> {
  const made = await server.ok('create_key', { label: 'Agent', ...input });
  return { id: String(made['key_id']), key: String(made['key']) };
}

type ListedVariable = {
  name: string;
  scope: string;
  handle: string;
  description: string;
  placements: string[];
  hosts: string[];
};
const list = async (key = server.key, input = {}) =>
  (await server.ok('list_variables', input, { key }))['variables'] as ListedVariable[];
const set = (var_scope: string, var_name: string, more: Record<string, unknown> = {}, key = server.key) =>
  server.call('set_variable', { var_scope, var_name, value: `value-of-${var_name}`, ...more }, { key });
const getCode = ({ status, body }: { status: number; body: Record<string, unknown> }) => body['code'] ?? status;

describe('a variable', () => {
  test('is listed with its handle and its hosts, and its value is in no answer and no table', async () => {
    const value = 'canary-5e8c-value';
    const given = { value, description: 'For invoices', placements: ['header', 'query:k'], hosts: ['API.stripe.com'] };
    const answer = await set('org', 'STRIPE', given);
    const [row] = await list(server.key, { var_scope: 'org' });
    expect(row).toMatchObject({ name: 'STRIPE', scope: 'org', description: 'For invoices', hosts: ['api.stripe.com'] });
    expect(row?.handle).toMatch(/^sec_[A-Za-z0-9]{24}$/);
    const allTexts = `${JSON.stringify(answer.body)} ${JSON.stringify(row)} ${await database.dump()}`;
    for (const form of [value, Buffer.from(value).toString('base64').slice(0, -4)])
      expect(allTexts).not.toContain(form);
  });

  test('keeps its handle and all omitted fields when it is set again', async () => {
    const [before] = (await list()).filter(({ name }) => name === 'STRIPE');
    await set('org', 'STRIPE', { value: 'another' });
    const after = (await list()).filter(({ name }) => name === 'STRIPE');
    expect(after).toEqual([{ ...before, updated_at: expect.any(String) }]);
  });

  test('is one variable when many callers set it at once', async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, (_, n) => set('org', 'RACE', { value: `v${n}` })));
    expect(new Set(answers.map(({ body }) => body['handle'])).size).toBe(1);
    expect((await list()).filter(({ name }) => name === 'RACE')).toHaveLength(1);
  });

  test('is not changed by a different case of its name, nor by the same name elsewhere', async () => {
    await set('person', 'TWICE');
    await set('brain', 'TWICE', { scope_id: brainId });
    await set('brain', 'twice', { scope_id: brainId });
    expect((await list()).filter(({ name }) => name.toLowerCase() === 'twice')).toHaveLength(3);
  });

  test('is deleted by name, and then no longer exists', async () => {
    const input = { var_scope: 'org', var_name: 'RACE' };
    expect(await server.ok('delete_variable', input)).toMatchObject({ deleted: true, name: 'RACE' });
    expect(getCode(await server.call('delete_variable', input))).toBe('not_found');
  });

  test('has events with ids only', async () => {
    const rows = await database.rows(`select payload from events where name = 'variable.changed'`);
    expect(rows.length).toBeGreaterThan(4);
    expect(JSON.stringify(rows)).not.toMatch(/STRIPE|TWICE|value-of/);
  });

  const wrong: [string, Record<string, unknown>][] = [
    ['a name with a dash', { var_name: 'A-B' }],
    ['an empty value', { value: '' }],
    ['a value that is too long', { value: 'x'.repeat(8_193) }],
    ['an unknown tier', { var_scope: 'galaxy' }],
    ['an unknown placement', { placements: ['body'] }],
    ['a host that is an address', { hosts: ['https://api.example.com/'] }],
    ['an id where there is none to name', { scope_id: '01920000-0000-7000-8000-000000000000' }],
  ];
  test.for(wrong)('with %s is refused', async ([, more]) => {
    expect(['invalid_input', 'not_found']).toContain(getCode(await set('org', 'WRONG', more)));
    expect((await list()).map(({ name }) => name)).not.toContain('WRONG');
  });
});

describe('access to variables', () => {
  test('lets a member set their own and see those of the workspace, and change none of them', async () => {
    expect(getCode(await set('person', 'MINE', {}, member.key))).toBe(200);
    expect(getCode(await set('org', 'STRIPE', {}, member.key))).toBe('forbidden');
    expect(getCode(await set('permission_set', 'X', { scope_id: await createSet('Locked') }, member.key))).toBe(
      'forbidden',
    );
    const names = (await list(member.key)).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['MINE', 'STRIPE']));
    expect((await list()).map(({ name }) => name)).not.toContain('MINE');
  });

  test('lets admins of a brain change its variables, shows them on it, and hides them elsewhere', async () => {
    await set('brain', 'OF_SALES', { scope_id: brainId });
    expect(getCode(await set('brain', 'OF_SALES', { scope_id: brainId }, member.key))).toBe('not_found');
    await database.rows(
      `insert into brain_members select $1, $2, workspace_id, 'editor', true, now(), null from brains where id = $1`,
      [brainId, member.personId],
    );
    expect(getCode(await set('brain', 'OF_SALES', { scope_id: brainId }, member.key))).toBe('forbidden');
    expect((await list(member.key)).map(({ name }) => name)).toContain('OF_SALES');
  });

  test('gives a key of one brain the variables of that brain and its own, and none of its person', async () => {
    const narrow = await createAgent({ home_brain_id: brainId, reach: 'brain' });
    await set('person', 'PRIVATE');
    expect(getCode(await set('person', 'PRIVATE', {}, narrow.key))).toBe('forbidden');
    expect(getCode(await set('org', 'STRIPE', {}, narrow.key))).toBe('forbidden');
    expect(getCode(await set('agent', 'OWN', {}, narrow.key))).toBe(200);
    const names = (await list(narrow.key)).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['OWN', 'OF_SALES', 'STRIPE']));
    expect(names).not.toContain('PRIVATE');
  });

  test('hides another person’s agent, and refuses an id of the wrong kind', async () => {
    expect(getCode(await set('agent', 'X', { scope_id: agent.id }, member.key))).toBe('not_found');
    expect(getCode(await set('agent', 'X', { scope_id: brainId }))).toBe('not_found');
    expect(getCode(await set('brain', 'X', { scope_id: agent.id }))).toBe('not_found');
  });
});

async function createSet(name: string, variables: Record<string, unknown>[] = []): Promise<string> {
  return String((await server.ok('create_permission_set', { name, variables }))['permission_set_id']);
}

describe('permission sets', () => {
  test('have unique names, and the initial variables they are given', async () => {
    const id = await createSet('Readers', [{ name: 'HUBSPOT', value: 'pat-1', hosts: ['api.hubapi.com'] }]);
    expect(getCode(await server.call('create_permission_set', { name: 'readers' }))).toBe('conflict');
    const { permission_sets } = await server.ok('list_permission_sets');
    expect(permission_sets).toContainEqual(
      expect.objectContaining({ permission_set_id: id, variables: ['HUBSPOT'], holders: [] }),
    );
  });

  test('are assigned one at a time, can be removed, and are deleted with their variables', async () => {
    const [one, two] = [await createSet('One', [{ name: 'ROLE', value: '1' }]), await createSet('Two')];
    const assign = (permission_set_id: string | null) =>
      server.ok('assign_permission_set', { permission_set_id, caller: agent.id });
    const seen = async () => (await list(agent.key, { var_scope: 'permission_set' })).length;
    const narrow = await createAgent({ home_brain_id: brainId, reach: 'brain' });
    expect(await list(narrow.key, { var_scope: 'permission_set' })).toEqual([]);
    await assign(one);
    await assign(two);
    const holders = async () => {
      const { permission_sets } = await server.ok('list_permission_sets');
      return (permission_sets as { name: string; holders: unknown[] }[]).filter((each) => each.holders.length);
    };
    expect((await holders()).map(({ name }) => name)).toEqual(['Two']);
    await assign(one);
    const before = await seen();
    expect(await server.ok('delete_permission_set', { permission_set_id: one })).toMatchObject({ variables: 1 });
    expect(await seen()).toBe(before - 1);
    expect(await holders()).toEqual([]);
    await assign(null);
  });

  test('are for administrators of the workspace', async () => {
    expect(getCode(await server.call('create_permission_set', { name: 'Mine' }, { key: member.key }))).toBe(
      'forbidden',
    );
    const input = { permission_set_id: null, caller: agent.id };
    expect(getCode(await server.call('assign_permission_set', input, { key: member.key }))).toBe('not_found');
  });
});

describe('secrets of automations', () => {
  const secret = (name: string, more: Record<string, unknown> = {}, key = server.key) =>
    server.call('automation_secret_set', { name, value: 'v', ...more }, { key });

  test('are a person’s variables with lower-case names', async () => {
    const { body } = await secret('stripe_api_key', { description: 'Of Stripe' });
    expect(body).toEqual({
      id: expect.any(String),
      owner_user_id: expect.any(String),
      name: 'stripe_api_key',
      hosts: [],
      notice: expect.stringContaining('cannot be sent anywhere yet'),
    });
    await set('person', 'UPPER');
    const { secrets } = await server.ok('automation_secret_list');
    expect((secrets as { name: string }[]).map(({ name }) => name)).toEqual(['stripe_api_key']);
    expect(Object.keys((secrets as object[])[0] ?? {}).toSorted()).toEqual(
      ['id', 'name', 'description', 'hosts', 'created_at', 'updated_at'].toSorted(),
    );
    for (const name of ['Upper', '', 'a-b', 'x'.repeat(65)])
      expect(getCode(await secret(name)), name).toBe('invalid_input');
    for (const [length, status] of [
      [500, 200],
      [501, 422],
    ] as const)
      expect((await secret('described', { description: 'd'.repeat(length) })).status, `${length}`).toBe(status);
    await server.ok('automation_secret_delete', { name: 'described' });
  });

  test('are counted when they are deleted', async () => {
    expect(await server.ok('automation_secret_delete', { name: 'stripe_api_key' })).toEqual({ deleted: 1 });
    expect(await server.ok('automation_secret_delete', { name: 'stripe_api_key' })).toEqual({ deleted: 0 });
  });

  test('of another person are for administrators', async () => {
    const owner_user_id = member.personId;
    expect((await secret('theirs', { owner_user_id })).body).toMatchObject({ owner_user_id });
    const { secrets } = await server.ok('automation_secret_list', {}, { key: member.key });
    expect(secrets).toMatchObject([{ name: 'theirs' }]);
    const [owner] = await database.rows(`select id from people where role = 'owner'`);
    expect(getCode(await secret('x', { owner_user_id: owner?.['id'] }, member.key))).toBe('forbidden');
  });
});

test('load_brain lists names and descriptions, and for one name the narrowest variable', async () => {
  const emitEvent = async (key?: string) =>
    (await server.ok('load_brain', { brain_id: brainId }, key ? { key } : {}))['agent_variables'] as ListedVariable[];
  const description = async (key?: string) =>
    (await emitEvent(key)).find(({ name }) => name === 'LAYERED')?.description;
  const layers: [string, Record<string, unknown>][] = [
    ['org', {}],
    ['brain', { scope_id: brainId }],
    ['person', {}],
    ['permission_set', { scope_id: await createSet('Layers') }],
    ['agent', { scope_id: agent.id }],
  ];
  const set_id = layers[3]?.[1]['scope_id'];
  await server.ok('assign_permission_set', { permission_set_id: set_id, caller: agent.id });
  for (const [scope, more] of layers) {
    expect(getCode(await set(scope, 'LAYERED', { ...more, description: scope }))).toBe(200);
    expect(await description(agent.key)).toBe(scope);
  }
  expect(await browser.ok('load_brain', { brain_id: brainId })).toMatchObject({
    agent_variables: expect.arrayContaining([{ name: 'LAYERED', description: 'person' }]),
  });
  expect(JSON.stringify(await emitEvent(agent.key))).not.toContain('value-of');
  expect((await emitEvent(agent.key)).filter(({ name }) => name === 'LAYERED')).toHaveLength(1);
});

test('a person sets the hosts of a variable: its value and handle stay, and no agent can', async () => {
  await set('person', 'ROUTED', { description: 'Of Acme' });
  const before = await server.ok('set_variable', { var_scope: 'person', var_name: 'ROUTED', value: 'kept', hosts: [] });
  const [sealed] = await database.rows(`select value from variables where name = 'ROUTED'`);
  const change = { var_scope: 'person', var_name: 'ROUTED', hosts: ['API.acme.example'] };
  expect(getCode(await server.call('update_variable', change, { key: agent.key }))).toBe('forbidden');
  expect(await server.ok('update_variable', change)).toMatchObject({
    handle: before['handle'],
    hosts: ['api.acme.example'],
    description: 'Of Acme',
    placements: ['header'],
  });
  expect(await database.rows(`select value from variables where name = 'ROUTED'`)).toEqual([sealed]);
  for (const hosts of [['https://acme.example'], ['*']])
    expect(getCode(await server.call('update_variable', { ...change, hosts }))).toBe('invalid_input');
  expect(getCode(await server.call('update_variable', { ...change, var_name: 'NOT_THERE' }))).toBe('not_found');
  expect(getCode(await server.call('update_variable', { var_scope: 'person', var_name: 'ROUTED' }))).toBe(
    'invalid_input',
  );
  const orgs = { ...change, var_scope: 'org' };
  expect(getCode(await server.call('update_variable', orgs, { key: member.key }))).toBe('forbidden');
});

test('an admin of a brain can remove hosts from others’ variables but not add any, and set any for their own', async () => {
  const admin = await addPerson(database);
  await database.rows(
    `insert into brain_members (brain_id, person_id, workspace_id, access_level, created_at)
      select id, $2, workspace_id, 'admin', now() from brains where id = $1`,
    [brainId, admin.personId],
  );
  const theirs = { var_scope: 'brain', scope_id: brainId, var_name: 'GUARDED' };
  await server.ok('set_variable', { ...theirs, value: 'canary', hosts: ['a.acme.example', 'b.acme.example'] });
  const change = (more: object) => server.call('update_variable', { ...theirs, ...more }, { key: admin.key });
  for (const more of [{ hosts: ['a.acme.example', 'evil.example'] }, { placements: ['header', 'query:leak'] }]) {
    const { status, body } = await change(more);
    expect(status).toBe(403);
    expect(body['detail']).toMatch(/(evil\.example|query:leak) would let a value go where .+ did not allow/);
  }
  expect(await change({ hosts: ['a.acme.example'] })).toMatchObject({
    status: 200,
    body: { hosts: ['a.acme.example'] },
  });
  await server.ok('set_variable', { ...theirs, value: 'of the administrator' }, { key: admin.key });
  expect(await change({ hosts: ['api.other.example'] })).toMatchObject({ status: 200 });
  const [audited] = await database.rows(
    `select subject from audit_log where operation = 'update_variable' order by at desc limit 1`,
  );
  expect(audited).toMatchObject({ subject: { variable: { name: 'GUARDED', hosts: ['api.other.example'] } } });
});

test('an agent cannot replace a person’s variable, neither the value nor the hosts', async () => {
  const { key } = await server.ok('create_key', { label: 'Planter' });
  const mine = { var_scope: 'person', var_name: 'PLANTED' };
  await server.ok('set_variable', { ...mine, value: 'real', hosts: ['api.stripe.com'] });
  const planted = { ...mine, value: 'junk', hosts: ['api.stripe.com', 'evil.example'] };
  const refused = await server.call('set_variable', planted, { key });
  expect(refused).toMatchObject({ status: 403, body: { detail: expect.stringContaining('/set-variable/') } });
  const { variables } = await server.ok('list_variables', { var_scope: 'person' });
  expect(variables.find(({ name }) => name === 'PLANTED')?.hosts).toEqual(['api.stripe.com']);
});
