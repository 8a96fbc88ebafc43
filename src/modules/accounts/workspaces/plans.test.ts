import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openAsOwner, type OwnerDatabase } from '../../../../tests/support/owner-database.ts';
import { addPerson } from '../../../../tests/support/second-person.ts';
import { startTestServer, type TestServer } from '../../../../tests/support/server.ts';

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
beforeEach(() => choose('selfhost'));

async function choose(plan: string): Promise<void> {
  await database.rows('update workspaces set plan = $1', [plan]);
}

async function createBrainId(name: string, parent?: string): Promise<string> {
  const input = { name, ...(parent && { parent_brain_id: parent }) };
  return String((await server.ok('create_brain', input))['brain_id']);
}

async function countTableRows(table: string): Promise<number> {
  const [row] = await database.rows(`select count(*)::integer as count from ${table}`);
  return Number(row?.['count']);
}

/** Fills a table up to a number of rows with copies of a statement's rows. */
async function fillSkills(until: number): Promise<void> {
  await database.rows(
    `with made as (
       insert into skills (id, workspace_id, name, version, created_by, created_at, updated_at)
       select gen_random_uuid(), people.workspace_id, 'filler ' || n, 1, people.id, now(), now()
         from (select * from people where role = 'owner' limit 1) people, generate_series(1, $1) n returning *)
     insert into skill_versions (skill_id, version, workspace_id, content, saved_by, saved_by_label, created_at)
     select id, 1, workspace_id, 'x', created_by, 'x', now() from made`,
    [until - (await countTableRows('skills'))],
  );
}

test('a self-hosted workspace has no limits', async () => {
  let parent: string | undefined;
  for (let level = 0; level < 5; level += 1) parent = await createBrainId(`Level ${level}`, parent);
  for (let n = 0; n < 30; n += 1) await createBrainId(`Brain ${n}`);
  await server.ok('invite_member', { brain_id: parent, email: 'one@example.com', access_level: 'viewer' });
});

test('the plan free refuses invitations and new brains, and the error names the limit', async () => {
  const brain_id = await createBrainId('Before');
  await choose('free');
  expect(await server.call('create_brain', { name: 'More' })).toMatchObject({
    status: 402,
    body: { code: 'plan_limit', details: { plan: 'free', limit_of: 'brains', limit: 1 } },
  });
  const invitation = { brain_id, email: 'two@example.com', access_level: 'viewer' };
  expect((await server.call('invite_member', invitation)).body).toMatchObject({
    code: 'plan_limit',
    details: { limit_of: 'people', limit: 1 },
  });
  // People who are already members cost nothing.
  const { email } = await addPerson(database);
  expect((await server.call('invite_member', { ...invitation, email })).status).toBe(200);
});

test('the plan pro has 25 brains on two levels', async () => {
  await database.rows('delete from brains where personal_to is null and parent_brain_id is not null');
  for (let depth = 0; depth < 6; depth += 1)
    await database.rows(
      'delete from brains b where personal_to is null and not exists (select from brains c where c.parent_brain_id = b.id)',
    );
  const [top, other] = [await createBrainId('Top'), await createBrainId('Other')];
  const below = await createBrainId('Below', other);
  await choose('pro');
  const second = await createBrainId('Second', top);
  expect((await server.call('create_brain', { name: 'Third', parent_brain_id: second })).body).toMatchObject({
    code: 'plan_limit',
    details: { limit_of: 'depth', limit: 2 },
  });
  // Moving a brain counts the levels below it.
  expect((await server.call('update_brain', { brain_id: other, parent_brain_id: top })).status).toBe(402);
  expect((await server.call('update_brain', { brain_id: below, parent_brain_id: top })).status).toBe(200);
  const left = 25 - (await countTableRows('brains'));
  const answers = await Promise.all(
    Array.from({ length: left + 3 }, (_, n) => server.call('create_brain', { name: `At once ${n}` })),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(left);
  expect(answers.filter(({ status }) => status === 402)).toHaveLength(3);
  expect(await countTableRows('brains')).toBe(25);
});

test('the plan business has 10 brains and 200 skills for each seat, and never fewer than five seats', async () => {
  expect(await countTableRows('people')).toBeLessThan(5);
  await choose('business');
  const left = 50 - (await countTableRows('brains'));
  for (let n = 0; n < left; n += 1) await createBrainId(`Business ${n}`);
  const more = () => server.call('create_brain', { name: 'One more' });
  expect((await more()).body).toMatchObject({ code: 'plan_limit', details: { limit: 50 } });
  while ((await countTableRows('people')) < 6) await addPerson(database);
  expect((await more()).status).toBe(200);
  await fillSkills(6 * 200);
  expect((await server.call('create_skill', { name: 'One more', content: 'x' })).body).toMatchObject({
    code: 'plan_limit',
    details: { limit_of: 'skills', limit: 1_200 },
  });
});

test('the plan free has 50 skills, and always accepts a new version of one', async () => {
  await database.rows('delete from skills');
  await choose('free');
  await fillSkills(49);
  const { skill_id } = await server.ok('create_skill', { name: 'The fiftieth', content: 'x' });
  expect((await server.call('skills', { action: 'save', name: 'The next', content: 'x' })).status).toBe(402);
  expect((await server.call('skills', { action: 'save', skill_id, content: 'y' })).status).toBe(200);
});
