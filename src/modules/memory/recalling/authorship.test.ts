import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addPerson } from '../../../../tests/support/second-person.ts';
import { openAsOwner, type OwnerDatabase } from '../../../../tests/support/owner-database.ts';
import { startTestServer, type TestServer } from '../../../../tests/support/server.ts';

let server: TestServer;
let database: OwnerDatabase;
let brain_id: string;
beforeAll(async () => {
  server = await startTestServer();
  database = await openAsOwner(server.connectionString);
  brain_id = String((await server.ok('create_brain', { name: 'Shared' }))['brain_id']);
});
afterAll(async () => {
  await database.close();
  await server.close();
});

describe('a session of a viewer', () => {
  const readSummaries = async (key: string) => {
    const { recent_sessions } = await server.ok('load_brain', { brain_id }, { key });
    return (recent_sessions as { summary: string }[]).map(({ summary }) => summary);
  };

  test('is summarised for the viewer, and hidden from everybody else', async () => {
    const viewer = await addPerson(database);
    await server.ok('invite_member', { brain_id, email: viewer.email, access_level: 'viewer' });
    const { session_id } = await server.ok('load_brain', { brain_id }, { key: viewer.key });
    const logged = await server.call('log_session', { session_id, summary: 'Read the plan' }, { key: viewer.key });
    expect(logged.status).toBe(200);
    expect(await readSummaries(viewer.key)).toContain('Read the plan');
    expect(await readSummaries(server.key)).not.toContain('Read the plan');
  });

  test('does not let a viewer store anything else', async () => {
    const viewer = await addPerson(database);
    await server.ok('invite_member', { brain_id, email: viewer.email, access_level: 'viewer' });
    const stored = await server.call('add_memory', { content: 'x', target_brain_id: brain_id }, { key: viewer.key });
    expect(stored.status).toBe(403);
  });
});

test('a session of an editor is visible to everybody who may read the brain', async () => {
  const [editor, viewer] = [await addPerson(database), await addPerson(database)];
  await server.ok('invite_member', { brain_id, email: editor.email, access_level: 'editor' });
  await server.ok('invite_member', { brain_id, email: viewer.email, access_level: 'viewer' });
  const { session_id } = await server.ok('load_brain', { brain_id }, { key: editor.key });
  await server.ok('log_session', { session_id, summary: 'Wrote the plan' }, { key: editor.key });
  const { recent_sessions } = await server.ok('load_brain', { brain_id }, { key: viewer.key });
  expect(recent_sessions).toContainEqual(expect.objectContaining({ summary: 'Wrote the plan' }));
});

test('a memory names the key that stored it and the key’s person', async () => {
  const [person] = await database.rows('select name from people order by created_at limit 1');
  await server.ok('add_memory', { content: 'The anchor is spare', target_brain_id: brain_id });
  const { memories } = await server.ok('list_memories', { brain_id });
  expect(memories).toEqual([expect.objectContaining({ stored_by: 'Owner key', stored_by_person: person!['name'] })]);
});

describe('a brain that is not in English', () => {
  let german: string;
  beforeAll(async () => {
    german = String((await server.ok('create_brain', { name: 'Werft' }))['brain_id']);
    await server.ok('update_brain', { brain_id: german, language: 'de' });
  });
  const add = (more: object) =>
    server.ok('add_memory', { content: 'Wir nehmen Postgres', target_brain_id: german, ...more });

  test('has a notice that the rules for type and salience are for English', async () => {
    expect((await add({}))['notice']).toMatch(/language de.*type and salience come from rules for English/);
    expect((await add({ type: 'decision' }))['notice']).toMatch(/The salience come/);
  });

  test('has a notice that triggers compare words with English rules', async () => {
    const triggers = [{ condition: 'Arbeit am Speicher', reason: 'Beschlossen' }];
    expect((await add({ type: 'decision', salience: 'normal', triggers }))['notice']).toMatch(/Triggers compare/);
  });

  test('has the notice once for a whole batch', async () => {
    const memories = [{ content: 'Der Kran ist rot' }, { content: 'Das Tor ist zu', type: 'fact' }];
    const answer = await server.ok('add_memories_bulk', { target_brain_id: german, memories });
    expect(answer['notice']).toMatch(/language de/);
  });

  test('has no notice when nothing was inferred, nor does an English brain', async () => {
    expect(await add({ type: 'decision', salience: 'normal' })).not.toHaveProperty('notice');
    expect(await server.ok('add_memory', { content: 'The crane is red' })).not.toHaveProperty('notice');
  });

  test('is compared with a text by the rules of its own language', async () => {
    await server.ok('update_brain', { brain_id: german, description: 'Alles über Schiffe und Häfen' });
    const { routing_check } = await server.ok('add_memory', {
      content: 'Ein Schiff liegt im Hafen',
      type: 'fact',
      salience: 'normal',
    });
    expect(routing_check).toMatchObject({ alternatives: [{ brain: 'Werft Brain' }] });
  });
});

test('changes of memories, sessions, core knowledge and skills name the key and its person', async () => {
  const { person } = (await server.ok('who_am_i')) as { person: { name: string } };
  const made = await server.ok('create_key', { label: 'Gardener', scopes: (await server.ok('who_am_i'))['scopes'] });
  const key = { key: String(made['key']) };
  const { id } = await server.ok('add_memory', { content: 'The gate is gren', target_brain_id: brain_id }, key);
  const twin = await server.ok('add_memory', { content: 'The gate is green', target_brain_id: brain_id }, key);
  await server.ok('update_memory', { id, content: 'The gate is green' }, key);
  await server.ok('merge_memories', { keep_id: id, retire_ids: [twin['id']] }, key);
  expect(await server.ok('get_memory', { id })).toMatchObject({
    memory: { stored_by: 'Gardener', stored_by_person: person.name },
    versions: [{ replaced_by: 'Gardener', replaced_by_person: person.name }],
  });
  const { changes } = await server.ok('get_memory', { id: twin['id'] });
  expect(changes).toMatchObject([{ made_by: 'Gardener', made_by_person: person.name }]);
  const { session_id } = await server.ok('load_brain', { brain_id }, key);
  await server.ok('log_session', { session_id, summary: 'Painted the gate' }, key);
  const { recent_sessions } = await server.ok('load_brain', { brain_id });
  expect(recent_sessions).toContainEqual(
    expect.objectContaining({ opened_by: 'Gardener', opened_by_person: person.name }),
  );
  await server.ok('add_core_knowledge', { brain_id, section: 'gate', content: 'Keep it green' }, key);
  const { sections } = await server.ok('list_core_knowledge', { brain_id });
  expect(sections).toMatchObject([{ items: [{ added_by: 'Gardener', added_by_person: person.name }] }]);
  const { skill_id } = await server.ok('create_skill', { name: 'paint', content: 'Two coats' }, key);
  const { versions } = await server.ok('skills', { action: 'versions', skill_id });
  expect(versions).toMatchObject([{ saved_by: 'Gardener', saved_by_person: person.name }]);
});

test('a correction of a memory in another language has a notice about the rules for English', async () => {
  const { brain_id: german } = await server.ok('create_brain', { name: 'Garten', language: 'de' });
  const { id } = await server.ok('add_memory', { content: 'Das Tor ist rot', target_brain_id: german });
  const triggers = [{ condition: 'Arbeit am Tor', reason: 'Farbe' }];
  expect((await server.ok('update_memory', { id, triggers }))['notice']).toMatch(/language de.*Triggers compare/);
  expect(await server.ok('update_memory', { id, content: 'Das Tor ist blau' })).not.toHaveProperty('notice');
});
