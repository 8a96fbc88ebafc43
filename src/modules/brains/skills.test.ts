import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openAsOwner, type OwnerDatabase } from '../../../tests/support/owner-database.ts';
import { addPerson } from '../../../tests/support/second-person.ts';
import { startTestServer, type TestServer } from '../../../tests/support/server.ts';

type ListedSkill = { skill_id: string; name: string; description: string; version: number; assigned_to: unknown[] };

let server: TestServer;
let database: OwnerDatabase;
let made = 0;
beforeAll(async () => {
  server = await startTestServer();
  database = await openAsOwner(server.connectionString);
});
afterAll(async () => {
  await database.close();
  await server.close();
});

async function createBrain(parent?: string): Promise<string> {
  const input = { name: `Skilled ${(made += 1)}`, ...(parent && { parent_brain_id: parent }) };
  return String((await server.ok('create_brain', input))['brain_id']);
}

async function createSkill(content = '# How we write\n\nShort sentences.', key = server.key) {
  const name = `skill-${(made += 1)}`;
  return { name, skill_id: String((await server.ok('create_skill', { name, content }, { key }))['skill_id']) };
}

const callSkills = (input: object, key = server.key) => server.call('skills', input, { key });

async function listActiveSkills(input: object = {}, key = server.key): Promise<ListedSkill[]> {
  return (await server.ok('skills', { action: 'list', ...input }, { key }))['skills'] as ListedSkill[];
}

const listNames = (listed: ListedSkill[]) => listed.map(({ name }) => name);

async function createKey(input: object): Promise<{ key: string; key_id: string }> {
  return (await server.ok('create_key', { label: 'Agent', ...input })) as { key: string; key_id: string };
}

describe('a skill on a brain', () => {
  test('applies to everybody on it and below, with its origin, and to nobody else', async () => {
    const [parent, elsewhere] = [await createBrain(), await createBrain()];
    const child = await createBrain(parent);
    const { name, skill_id } = await createSkill();
    await server.ok('assign_skill', { skill_id, brain_id: parent });
    const member = await addPerson(database);
    await server.ok('invite_member', { brain_id: child, email: member.email, access_level: 'viewer' });
    expect(await listActiveSkills({ brain_id: child }, member.key)).toEqual([
      {
        skill_id,
        name,
        description: 'How we write',
        version: 1,
        assigned_to: [
          { brain_id: parent, brain_name: expect.stringMatching(/^Skilled/), agent_id: null, is_enabled: true },
        ],
      },
    ]);
    expect(listNames(await listActiveSkills({}, member.key))).toEqual([name]);
    expect(await listActiveSkills({ brain_id: elsewhere })).toEqual([]);
    expect(await listActiveSkills({}, (await addPerson(database)).key)).toEqual([]);
  });

  test('can be turned off, turned on and removed', async () => {
    const brain_id = await createBrain();
    const { name, skill_id } = await createSkill();
    expect((await callSkills({ action: 'enable', skill_id, brain_id })).status).toBe(409);
    await server.ok('skills', { action: 'assign', name, brain_id });
    expect((await callSkills({ action: 'disable', skill_id, brain_id })).body).toMatchObject({
      skill: { assigned_to: [{ brain_id, is_enabled: false }] },
    });
    expect(await listActiveSkills({ brain_id })).toEqual([]);
    await server.ok('skills', { action: 'enable', skill_id, brain_id });
    expect(listNames(await listActiveSkills({ brain_id }))).toEqual([name]);
    await server.ok('skills', { action: 'unassign', skill_id, brain_id });
    expect(await listActiveSkills({ brain_id })).toEqual([]);
    expect((await callSkills({ action: 'unassign', skill_id, brain_id })).status).toBe(409);
  });

  test('is listed when a session opens there', async () => {
    const brain_id = await createBrain();
    const { name, skill_id } = await createSkill();
    await server.ok('assign_skill', { skill_id, brain_id });
    const opened = await server.ok('load_brain', { brain_id });
    expect(opened['skills']).toMatchObject([{ name, description: 'How we write', version: 1 }]);
    expect(JSON.stringify(opened)).not.toContain('Short sentences');
  });

  test('is assigned by admins of the brain, with a person’s authority', async () => {
    const brain_id = await createBrain();
    const { skill_id } = await createSkill();
    const [editor, stranger] = [await addPerson(database), await addPerson(database)];
    await server.ok('invite_member', { brain_id, email: editor.email, access_level: 'editor' });
    for (const [{ key }, status] of [
      [editor, 403],
      [stranger, 404],
    ] as const) {
      expect((await server.call('assign_skill', { skill_id, brain_id }, { key })).status).toBe(status);
      expect((await callSkills({ action: 'assign', skill_id, brain_id }, key)).status).toBe(status);
    }
    await server.ok('assign_skill', { skill_id, brain_id });
    const { key } = await createKey({ home_brain_id: brain_id, reach: 'brain' });
    expect((await server.call('assign_skill', { skill_id, brain_id }, { key })).status).toBe(403);
    expect((await callSkills({ action: 'disable', skill_id, brain_id }, key)).status).toBe(403);
    const few = await createKey({ scopes: ['brains:read'] });
    expect((await callSkills({ action: 'disable', skill_id, brain_id }, few.key)).status).toBe(403);
  });
});

describe('a skill of one agent', () => {
  test('applies to that agent only', async () => {
    const { name, skill_id } = await createSkill();
    const [mine, other] = [await createKey({}), await createKey({})];
    await server.ok('assign_skill', { skill_id, agent_id: mine.key_id });
    expect(listNames(await listActiveSkills({}, mine.key))).toContain(name);
    expect(listNames(await listActiveSkills({}, other.key))).not.toContain(name);
    expect(listNames(await listActiveSkills())).not.toContain(name);
  });

  test('is assigned by the agent’s person, and needs exactly one place', async () => {
    const { skill_id } = await createSkill();
    const { key_id } = await createKey({});
    const { key } = await addPerson(database);
    expect((await server.call('assign_skill', { skill_id, agent_id: key_id }, { key })).status).toBe(404);
    expect((await server.call('assign_skill', { skill_id })).status).toBe(422);
    expect(
      (await server.call('assign_skill', { skill_id, agent_id: key_id, brain_id: await createBrain() })).status,
    ).toBe(422);
  });
});

describe('the library', () => {
  test('keeps every version, and returns the text of each', async () => {
    const { name, skill_id } = await createSkill('First');
    await server.ok('skills', { action: 'save', skill_id, content: 'Second' });
    expect((await callSkills({ action: 'save', name: name.toUpperCase(), content: 'Third' })).body).toMatchObject({
      skill: { skill_id, version: 3, content: 'Third' },
    });
    await server.ok('skills', { action: 'save', skill_id, content: 'Third' }); // nothing new
    expect(
      ((await callSkills({ action: 'versions', skill_id })).body['versions'] as ListedSkill[]).map(
        ({ version }) => version,
      ),
    ).toEqual([3, 2, 1]);
    expect((await callSkills({ action: 'load', skill_id })).body).toMatchObject({ skill: { content: 'Third' } });
    expect((await callSkills({ action: 'load', name, version: 1 })).body).toMatchObject({
      skill: { content: 'First', version: 1 },
    });
    expect((await callSkills({ action: 'load', skill_id, version: 9 })).status).toBe(404);
    expect((await callSkills({ action: 'load', name: 'no such skill' })).status).toBe(404);
    expect((await callSkills({ action: 'load' })).status).toBe(422);
  });

  test('loses no version when many save at once', async () => {
    const { skill_id } = await createSkill();
    const contents = Array.from({ length: 8 }, (_, n) => `Text ${n}`);
    await Promise.all(contents.map((content) => server.ok('skills', { action: 'save', skill_id, content })));
    expect((await callSkills({ action: 'versions', skill_id })).body['versions']).toHaveLength(9);
  });

  test('has one skill per name, also when two are made at once', async () => {
    const [name, { skill_id, name: other }] = ['The one', await createSkill()];
    const answers = await Promise.all(
      [name, 'THE ONE', name].map((each) => server.call('create_skill', { name: each, content: 'x' })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
    expect((await callSkills({ action: 'save', skill_id, name })).status).toBe(409);
    expect((await callSkills({ action: 'save', skill_id, name: `${other} renamed` })).body).toMatchObject({
      skill: { skill_id, version: 1, name: `${other} renamed` },
    });
  });

  test('lets the author of a skill and administrators of the workspace change it', async () => {
    const [maker, other] = [await addPerson(database), await addPerson(database)];
    const { skill_id } = await createSkill('Mine', maker.key);
    expect((await callSkills({ action: 'save', skill_id, content: 'Theirs' }, other.key)).status).toBe(403);
    expect((await callSkills({ action: 'save', skill_id, content: 'Better' }, maker.key)).status).toBe(200);
    expect((await callSkills({ action: 'save', skill_id, content: 'Best' })).status).toBe(200);
  });

  test('is complete for people, and for a key of one brain only has the assigned skills', async () => {
    const brain_id = await createBrain();
    const [shown, hidden] = [await createSkill(), await createSkill()];
    await server.ok('assign_skill', { skill_id: shown.skill_id, brain_id });
    const { key } = await createKey({ home_brain_id: brain_id, reach: 'brain' });
    expect(listNames(await listActiveSkills({ library: true }))).toEqual(
      expect.arrayContaining([shown.name, hidden.name]),
    );
    expect(listNames(await listActiveSkills({ library: true }, key))).toEqual([shown.name]);
    expect((await callSkills({ action: 'load', skill_id: shown.skill_id }, key)).status).toBe(200);
    for (const which of [{ skill_id: hidden.skill_id }, { name: hidden.name }])
      expect((await callSkills({ action: 'load', ...which }, key)).status).toBe(404);
  });
});
