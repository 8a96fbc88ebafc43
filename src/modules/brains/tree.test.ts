import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openAsOwner, type OwnerDatabase } from '../../../tests/support/owner-database.ts';
import { addPerson } from '../../../tests/support/second-person.ts';
import { startTestServer, type TestServer } from '../../../tests/support/server.ts';

let server: TestServer;
let database: OwnerDatabase;

beforeAll(async () => {
  server = await startTestServer();
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

type ListedBrain = {
  id: string;
  name: string;
  parent_brain_id: string | null;
  is_personal: boolean;
  memory_count: number;
};

async function listBrains(key = server.key): Promise<ListedBrain[]> {
  return (await server.ok('list_brains', {}, { key }))['brains'] as ListedBrain[];
}

async function move(brain_id: string, parent_brain_id: string | null, key = server.key) {
  return server.call('update_brain', { brain_id, parent_brain_id }, { key });
}

describe('changing a brain', () => {
  test('changes the named fields and leaves the rest unchanged', async () => {
    const brain_id = await createBrain('Design');
    const response = await server.request(`/v1/brains/${brain_id}`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${server.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ description: 'Shapes and colours', routing_rules: 'Code → Engineering Brain.' }),
    });
    expect(await response.json()).toEqual({
      brain_id,
      name: 'Design Brain',
      description: 'Shapes and colours',
      routing_rules: 'Code → Engineering Brain.',
      language: 'en',
      parent_brain_id: null,
    });
    expect(await server.ok('update_brain', { brain_id, name: 'Look', language: 'de' })).toMatchObject({
      name: 'Look Brain',
      description: 'Shapes and colours',
      language: 'de',
    });
    expect((await listBrains()).find(({ id }) => id === brain_id)).toMatchObject({
      language: 'de',
      name: 'Look Brain',
    });
  });

  test('with nothing to change, or an unknown language, is refused', async () => {
    const brain_id = await createBrain('Refused');
    expect((await server.call('update_brain', { brain_id })).status).toBe(422);
    for (const language of ['English', 'DE', 'e', '']) {
      expect((await server.call('update_brain', { brain_id, language })).status).toBe(422);
      expect((await server.call('create_brain', { name: 'x', language })).status).toBe(422);
    }
  });

  test('is for admins with a person’s authority', async () => {
    const brain_id = await createBrain('Ours');
    const { key } = await addPerson(database);
    expect((await server.call('update_brain', { brain_id, name: 'Mine' }, { key })).status).toBe(404);
    const narrow = String(
      (
        await server.ok('create_key', {
          label: 'Narrow',
          scopes: ['brains:write'],
          home_brain_id: brain_id,
          reach: 'brain',
        })
      )['key'],
    );
    const refused = await server.call('update_brain', { brain_id, name: 'Mine' }, { key: narrow });
    expect(refused).toMatchObject({ status: 403, body: { detail: expect.stringContaining('reach owner') } });
    expect((await server.call('create_brain', { name: 'Mine' }, { key: narrow })).status).toBe(403);
  });
});

describe('moving a brain', () => {
  test('puts it and its lower brains below another brain, and back to the top', async () => {
    const [top, other] = [await createBrain('Top'), await createBrain('Other')];
    const child = await createBrain('Child', other);
    expect((await move(other, top)).body).toMatchObject({ parent_brain_id: top });
    const narrow = String((await server.ok('create_key', { label: 'n', home_brain_id: child, reach: 'brain' }))['key']);
    expect((await listBrains(narrow)).map(({ id }) => id).toSorted()).toEqual([top, other, child].toSorted());
    expect((await move(other, null)).body).toMatchObject({ parent_brain_id: null });
    expect((await listBrains(narrow)).map(({ id }) => id).toSorted()).toEqual([other, child].toSorted());
  });

  test('below itself or its own children is refused', async () => {
    const parent = await createBrain('Ring');
    const grandchild = await createBrain('Ring 3', await createBrain('Ring 2', parent));
    for (const below of [parent, grandchild]) expect((await move(parent, below)).status).toBe(409);
  });

  test('two brains below each other at once leaves one of them in place', async () => {
    for (let round = 0; round < 5; round += 1) {
      const [one, two] = [await createBrain('One'), await createBrain('Two')];
      const statuses = (await Promise.all([move(one, two), move(two, one)])).map(({ status }) => status);
      expect(statuses.toSorted()).toEqual([200, 409]);
    }
  });

  test('a personal brain below another is refused for every caller', async () => {
    const { key, brainId } = await addPerson(database);
    expect((await move(brainId, await createBrain('Hers', undefined, key), key)).status).toBe(409);
    expect((await move(brainId, null)).status).toBe(404);
  });

  test('is for its owner: an admin who put it below their own brain would own it', async () => {
    const { key, email } = await addPerson(database);
    const [team, own] = [await createBrain('Team'), await createBrain('Own', undefined, key)];
    await server.ok('invite_member', { brain_id: team, email, access_level: 'admin' });
    expect((await server.call('update_brain', { brain_id: team, description: 'Ours' }, { key })).status).toBe(200);
    expect((await move(team, own, key)).body).toMatchObject({ code: 'forbidden' });
    expect((await move(team, null, key)).status).toBe(200); // its present place
  });

  test('is refused where the caller is not an admin, and hidden brains seem not to exist', async () => {
    const { key, personId } = await addPerson(database);
    const [shared, hidden, mine] = [
      await createBrain('Shared'),
      await createBrain('Hidden'),
      await createBrain('M', undefined, key),
    ];
    await database.rows(
      `insert into brain_members select $1, $2, workspace_id, 'editor', true, now(), null from brains where id = $1`,
      [shared, personId],
    );
    expect((await move(mine, shared, key)).status).toBe(403);
    expect((await move(mine, hidden, key)).status).toBe(404);
  });
});

test('a brain below a personal brain does not open the personal one to its members', async () => {
  const { key, brainId } = await addPerson(database);
  const project = await createBrain('Project', brainId, key);
  const guest = await addPerson(database);
  await database.rows(
    `insert into brain_members select $1, $2, workspace_id, 'admin', true, now(), null from brains where id = $1`,
    [project, guest.personId],
  );
  expect((await listBrains(guest.key)).map(({ id }) => id)).not.toContain(brainId);
  expect((await listBrains(key)).map(({ id }) => id)).toEqual(expect.arrayContaining([brainId, project]));
});

test('a list has the number of memories of each brain, without archived ones', async () => {
  const target_brain_id = await createBrain('Counted');
  const content = ['Ada likes tea', 'Grace likes coffee', 'Tea is served at four'];
  const stored = [];
  for (const each of content) stored.push(await server.ok('add_memory', { content: each, target_brain_id }));
  await server.ok('archive_memory', { id: stored[0]?.['id'] });
  expect((await listBrains()).find(({ id }) => id === target_brain_id)).toMatchObject({ memory_count: 2 });
});
