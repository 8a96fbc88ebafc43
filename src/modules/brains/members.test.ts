import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildSessionHeaders, readSession } from '../../../tests/support/google.ts';
import { openAsOwner, type OwnerDatabase } from '../../../tests/support/owner-database.ts';
import { addPerson } from '../../../tests/support/second-person.ts';
import { startTestServer, type Answer, type TestServer } from '../../../tests/support/server.ts';

type ListedMember = { user_id: string; status: string; email: string; access_level: string; inherited_from: unknown };
type Person = Awaited<ReturnType<typeof addPerson>>;

let server: TestServer;
let database: OwnerDatabase;
beforeAll(async () => {
  server = await startTestServer({ THALAMUS_OWNER_EMAIL: 'ada@example.com' });
  database = await openAsOwner(server.connectionString);
});
afterAll(async () => {
  await database.close();
  await server.close();
});

async function createBrain(name: string, parent?: string, key = server.key): Promise<string> {
  const input = { name, ...(parent && { parent_brain_id: parent }) };
  return String((await server.ok('create_brain', input, { key }))['brain_id']);
}

function invite(
  brain_id: string,
  { email }: { email: string },
  access_level: string,
  more: object = {},
  key = server.key,
) {
  return server.call('invite_member', { brain_id, email, access_level, ...more }, { key });
}

async function listMembers(brain_id: string, key = server.key): Promise<ListedMember[]> {
  return (await server.ok('list_members', { brain_id }, { key }))['members'] as ListedMember[];
}

async function findRole({ key }: { key: string }, brain_id: string): Promise<string | undefined> {
  const { brains } = await server.ok('list_brains', {}, { key });
  return (brains as { id: string; access_level: string }[]).find(({ id }) => id === brain_id)?.access_level;
}

const change = (brain_id: string, user_id: string, access_level: string, key = server.key) =>
  server.call('change_member_access', { brain_id, user_id, access_level }, { key });
const remove = (brain_id: string, user_id: string, key = server.key) =>
  server.call('remove_member', { brain_id, user_id }, { key });

/** Opens a link as a browser does. Returns a client with the new session. */
async function open(link: unknown): Promise<{ status: number; ok(operation: string): Promise<Answer['body']> }> {
  const token = new URL(String((link as { url: string }).url)).hash.slice(1);
  const headers = { 'content-type': 'application/json', origin: server.url };
  const response = await server.request('/auth/sign-in', { method: 'POST', headers, body: JSON.stringify({ token }) });
  const session = response.status === 200 ? buildSessionHeaders(await readSession(response)) : {};
  return {
    status: response.status,
    async ok(operation) {
      const answer = await server.request(`/v1/tools/${operation}`, {
        method: 'POST',
        headers: { ...headers, ...session },
        body: '{}',
      });
      return (await answer.json()) as Answer['body']; // an answer or a problem; both are objects
    },
  };
}

describe('inviting a person of the workspace', () => {
  test('grants the role at once, and includes the brains below unless asked otherwise', async () => {
    const [parent, other] = [await createBrain('Sales'), await createBrain('Support')];
    const [child, below] = [await createBrain('Outbound', parent), await createBrain('Below', other)];
    const sarah = await addPerson(database);
    expect((await invite(parent, { email: sarah.email.toUpperCase() }, 'editor')).body).toMatchObject({
      status: 'granted',
      email: sarah.email,
      access_level: 'editor',
      user_id: sarah.personId,
    });
    await invite(other, sarah, 'admin', { cascades: false });
    expect(await findRole(sarah, child)).toBe('editor');
    expect(await findRole(sarah, other)).toBe('admin');
    expect(await findRole(sarah, below)).toBeUndefined();
    const stored = await server.call('add_memory', { content: 'Sarah was here', target_brain_id: child }, sarah);
    expect(stored.status).toBe(200);
  });

  test('again changes nothing, and never changes a role', async () => {
    const brain_id = await createBrain('Again');
    const sarah = await addPerson(database);
    await invite(brain_id, sarah, 'admin');
    expect((await invite(brain_id, sarah, 'admin')).status).toBe(200);
    expect((await invite(brain_id, sarah, 'viewer')).body).toMatchObject({
      code: 'conflict',
      details: { access_level: 'admin' },
    });
    expect(await findRole(sarah, brain_id)).toBe('admin');
  });

  test('to a personal brain, oneself, and as an owner is refused', async () => {
    const brain_id = await createBrain('Refused');
    const sarah = await addPerson(database);
    const { home_brain_id, person } = await server.ok('who_am_i');
    expect((await invite(String(home_brain_id), sarah, 'viewer')).status).toBe(409);
    expect((await invite(brain_id, person as { email: string }, 'admin')).status).toBe(409);
    expect((await invite(brain_id, sarah, 'owner')).status).toBe(422);
    expect((await invite(brain_id, { email: 'no address' }, 'viewer')).status).toBe(422);
  });

  test('is for admins of the brain', async () => {
    const brain_id = await createBrain('Guarded');
    const [editor, stranger, guest] = [await addPerson(database), await addPerson(database), await addPerson(database)];
    await invite(brain_id, editor, 'editor');
    expect((await invite(brain_id, guest, 'viewer', {}, editor.key)).status).toBe(403);
    expect((await invite(brain_id, guest, 'viewer', {}, stranger.key)).status).toBe(404);
    expect((await server.call('list_members', { brain_id }, { key: stranger.key })).status).toBe(404);
  });
});

describe('inviting a person without an account', () => {
  test('waits for them, and admits them once to everything they were invited to', async () => {
    const [parent, other] = [await createBrain('Design'), await createBrain('Research')];
    const child = await createBrain('Icons', parent);
    const mike = { email: 'Mike.Miller@Company.com' };
    const first = await invite(parent, mike, 'editor');
    expect(first.body).toMatchObject({ status: 'invited', email: 'mike.miller@company.com', access_level: 'editor' });
    expect(first.body['message']).toMatch(/auto-join/);
    const second = await invite(other, mike, 'viewer');
    const browser = await open(first.body['join_link']);
    expect(browser.status).toBe(200);
    expect(await browser.ok('who_am_i')).toMatchObject({
      person: { email: 'mike.miller@company.com', name: 'Mike Miller', role: 'member' },
      caller: { is_human_surface: false },
    });
    const { brains } = await browser.ok('list_brains');
    const roles = (brains as { id: string; access_level: string; is_personal: boolean }[])
      .filter(({ is_personal }) => !is_personal)
      .map(({ id, access_level }) => [id, access_level]);
    expect(Object.fromEntries(roles)).toEqual({ [parent]: 'editor', [child]: 'editor', [other]: 'viewer' });
    expect((brains as unknown[]).length).toBe(4);
    for (const link of [first, second]) expect((await open(link.body['join_link'])).status).toBe(401);
  });

  test('is visible to admins only, can be changed, and can be withdrawn', async () => {
    const brain_id = await createBrain('Pending');
    const viewer = await addPerson(database);
    await invite(brain_id, viewer, 'viewer');
    const { user_id, join_link } = (await invite(brain_id, { email: 'zoe@company.com' }, 'viewer')).body;
    expect((await listMembers(brain_id)).find((each) => each.user_id === user_id)).toMatchObject({
      status: 'invited',
      email: 'zoe@company.com',
      access_level: 'viewer',
    });
    expect((await listMembers(brain_id, viewer.key)).map(({ status }) => status)).toEqual(['member', 'member']);
    expect((await change(brain_id, String(user_id), 'admin')).status).toBe(200);
    expect((await listMembers(brain_id)).at(-1)).toMatchObject({ access_level: 'admin' });
    expect((await change(brain_id, String(user_id), 'owner')).status).toBe(409);
    expect((await remove(brain_id, String(user_id))).status).toBe(200);
    expect(await listMembers(brain_id)).toHaveLength(2);
    expect((await open(join_link)).status).toBe(401);
    expect(await database.rows(`select id from people where email = 'zoe@company.com'`)).toEqual([]);
  });

  test('creates one person when two links are opened concurrently', async () => {
    const [one, two] = [await createBrain('One'), await createBrain('Two')];
    const email = 'twice@company.com';
    const links = [await invite(one, { email }, 'viewer'), await invite(two, { email }, 'editor')];
    const opened = await Promise.all(links.map(({ body }) => open(body['join_link'])));
    expect(opened.map(({ status }) => status).toSorted()).toEqual([200, 401]);
    expect(await database.rows(`select id from people where email = $1`, [email])).toHaveLength(1);
  });

  test('twice leaves a person who joined in between with both roles and no invitation', async () => {
    for (let round = 0; round < 4; round += 1) {
      const [one, two] = [await createBrain(`First ${round}`), await createBrain(`Second ${round}`)];
      const email = `meanwhile${round}@company.com`;
      const { body } = await invite(one, { email }, 'viewer');
      await Promise.all([open(body['join_link']), invite(two, { email }, 'editor')]);
      for (const brain_id of [one, two]) {
        const listed = (await listMembers(brain_id)).find((member) => member.email === email);
        expect(listed).toMatchObject({ status: 'member' });
      }
    }
  });

  test('gives a link only to administrators of the workspace, because its holder can join as the invited person', async () => {
    const { key } = await addPerson(database);
    const brain_id = await createBrain('Plain member', undefined, key);
    const { body } = await invite(brain_id, { email: 'boss@company.com' }, 'viewer', {}, key);
    expect(body).toMatchObject({ status: 'invited' });
    expect(body).not.toHaveProperty('join_link');
    const few = await server.ok('create_key', { label: 'Few', scopes: ['members:write', 'brains:read'] });
    const other = await createBrain('Few');
    const answer = await invite(other, { email: 'boss@company.com' }, 'viewer', {}, String(few['key']));
    expect(answer.body).not.toHaveProperty('join_link');
  });
});

describe('the members of a brain', () => {
  test('are listed with the origin of their role', async () => {
    const parent = await createBrain('Above');
    const child = await createBrain('Here', parent);
    const [both, high, apart] = [await addPerson(database), await addPerson(database), await addPerson(database)];
    await invite(parent, both, 'viewer');
    await invite(child, both, 'editor');
    await invite(parent, high, 'admin');
    await invite(child, high, 'viewer');
    await invite(parent, apart, 'admin', { cascades: false });
    const inherited_from = { brain_id: parent, brain_name: 'Above Brain' };
    const listed = await listMembers(child);
    expect(listed.map(({ user_id }) => user_id)).not.toContain(apart.personId);
    const found = (person: Person) => listed.find(({ user_id }) => user_id === person.personId);
    expect(found(both)).toMatchObject({ access_level: 'editor', inherited_from: null });
    expect(found(high)).toMatchObject({ access_level: 'admin', inherited_from });
    expect(listed).toHaveLength(3);
    expect((await remove(child, apart.personId)).status).toBe(404);
    expect((await remove(parent, high.personId)).status).toBe(200);
    expect((await remove(child, both.personId)).body['message']).toMatch(/brain above still gives/);
    expect((await change(child, both.personId, 'admin')).body).toMatchObject({
      code: 'conflict',
      details: { inherited_from: parent },
    });
  });

  test('lose access when removed, their memories keep their name, and they can return', async () => {
    const brain_id = await createBrain('Leaving');
    const sarah = await addPerson(database);
    await invite(brain_id, sarah, 'editor');
    const { id } = (
      await server.call('add_memory', { content: 'The vault code is blue', target_brain_id: brain_id }, sarah)
    ).body;
    const path = `/v1/brains/${brain_id}/members/${sarah.personId}`;
    const headers = { authorization: `Bearer ${server.key}` };
    expect((await server.request(path, { method: 'DELETE', headers })).status).toBe(200);
    expect(await findRole(sarah, brain_id)).toBeUndefined();
    const { memories } = await server.ok('list_memories', { brain_id });
    expect(memories).toEqual([expect.objectContaining({ id, stored_by: 'Grace' })]);
    expect((await remove(brain_id, sarah.personId)).status).toBe(404);
    expect((await invite(brain_id, sarah, 'viewer')).body).toMatchObject({ status: 'granted' });
    expect(await findRole(sarah, brain_id)).toBe('viewer');
  });

  test('may leave, whatever their role', async () => {
    const brain_id = await createBrain('Left');
    const [viewer, other] = [await addPerson(database), await addPerson(database)];
    for (const each of [viewer, other]) await invite(brain_id, each, 'viewer');
    expect((await remove(brain_id, other.personId, viewer.key)).status).toBe(403);
    expect((await remove(brain_id, viewer.personId, viewer.key)).status).toBe(200);
    expect(await findRole(viewer, brain_id)).toBeUndefined();
  });
});

describe('a role', () => {
  async function team() {
    const owner = await addPerson(database);
    const admin = await addPerson(database);
    const editor = await addPerson(database);
    const brain_id = await createBrain('Team', undefined, owner.key);
    await invite(brain_id, admin, 'admin', {}, owner.key);
    await invite(brain_id, editor, 'editor', {}, owner.key);
    return { brain_id, owner, admin, editor };
  }

  test('is changed by admins, who can neither make an owner nor change the owner', async () => {
    const { brain_id, owner, admin, editor } = await team();
    expect((await change(brain_id, editor.personId, 'admin', admin.key)).status).toBe(200);
    expect((await change(brain_id, editor.personId, 'owner', admin.key)).status).toBe(403);
    expect((await change(brain_id, admin.personId, 'owner', admin.key)).status).toBe(403);
    expect((await change(brain_id, owner.personId, 'viewer', admin.key)).status).toBe(409);
    expect((await remove(brain_id, owner.personId, admin.key)).status).toBe(409);
    // An administrator of the workspace is an admin of every brain, but not its owner.
    expect((await change(brain_id, editor.personId, 'owner')).status).toBe(403);
    expect((await remove(brain_id, owner.personId)).status).toBe(409);
    expect((await change(brain_id, admin.personId, 'viewer')).status).toBe(200);
  });

  test('cannot be raised by its holder, and can always be lowered', async () => {
    const { brain_id, owner, admin, editor } = await team();
    expect((await change(brain_id, editor.personId, 'admin', editor.key)).status).toBe(403);
    expect((await change(brain_id, admin.personId, 'editor', admin.key)).body).toMatchObject({ your_role: 'editor' });
    expect((await change(brain_id, admin.personId, 'admin', admin.key)).status).toBe(403);
    expect((await change(brain_id, owner.personId, 'admin', owner.key)).status).toBe(409);
    expect((await remove(brain_id, owner.personId, owner.key)).status).toBe(409);
  });

  test('of an owner can be transferred; the former owner is an admin from then on', async () => {
    const { brain_id, owner, editor } = await team();
    expect((await change(brain_id, editor.personId, 'owner', owner.key)).body).toMatchObject({ your_role: 'admin' });
    expect(await findRole(editor, brain_id)).toBe('owner');
    expect((await change(brain_id, owner.personId, 'owner', owner.key)).status).toBe(403);
    expect((await change(brain_id, owner.personId, 'viewer', editor.key)).status).toBe(200);
  });

  test('of an owner that is transferred to two people concurrently leaves one owner', async () => {
    const { brain_id, owner, admin, editor } = await team();
    const answers = await Promise.all(
      [admin, editor].map(({ personId }) => change(brain_id, personId, 'owner', owner.key)),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 403]);
    const owners = (await listMembers(brain_id)).filter(({ access_level }) => access_level === 'owner');
    expect(owners).toHaveLength(1);
  });

  test('of an admin cannot be removed mutually: of two admins who remove each other concurrently only one succeeds', async () => {
    const { brain_id, owner, admin, editor } = await team();
    await change(brain_id, editor.personId, 'admin', owner.key);
    const answers = await Promise.all([
      remove(brain_id, admin.personId, editor.key),
      remove(brain_id, editor.personId, admin.key),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404]);
  });
});
