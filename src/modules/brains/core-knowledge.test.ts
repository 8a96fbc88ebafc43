import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openAsOwner, type OwnerDatabase } from '../../../tests/support/owner-database.ts';
import { addPerson } from '../../../tests/support/second-person.ts';
import { startTestServer, type TestServer } from '../../../tests/support/server.ts';

type Item = {
  id: string;
  content: string;
  brain_name: string;
  is_inherited: boolean;
  is_active: boolean;
  version: number;
};
type Section = { section: string; items: Item[] };

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

async function createBrain(name: string, parent?: string): Promise<string> {
  const input = { name, ...(parent && { parent_brain_id: parent }) };
  return String((await server.ok('create_brain', input))['brain_id']);
}

async function add(brain_id: string, section: string, content: string, visibility?: string): Promise<string> {
  return String((await server.ok('add_core_knowledge', { brain_id, section, content, visibility }))['id']);
}

async function listSections(brain_id: string, history = false, key = server.key): Promise<Section[]> {
  return (await server.ok('list_core_knowledge', { brain_id, history }, { key }))['sections'] as Section[];
}

const listContents = (sections: Section[]) =>
  sections.map(({ section, items }) => [section, ...items.map(({ content }) => content)]);

describe('core knowledge', () => {
  test('applies on its brain and below, unless it is local, and is listed by section', async () => {
    const top = await createBrain('House');
    const middle = await createBrain('Floor', top);
    const bottom = await createBrain('Room', middle);
    await add(top, 'tone', 'Be kind');
    await add(top, 'secret', 'For the house alone', 'local');
    await add(middle, 'tone', 'Be brief');
    await add(bottom, 'format', 'Use lists', 'local');
    expect(listContents(await listSections(bottom))).toEqual([
      ['format', 'Use lists'],
      ['tone', 'Be kind', 'Be brief'],
    ]);
    expect(listContents(await listSections(top))).toEqual([
      ['secret', 'For the house alone'],
      ['tone', 'Be kind'],
    ]);
    expect((await listSections(middle))[0]?.items).toMatchObject([
      { brain_name: 'House Brain', is_inherited: true },
      { brain_name: 'Floor Brain', is_inherited: false },
    ]);
  });

  test('added to an occupied section replaces the old item, and the history keeps the old one', async () => {
    const brain_id = await createBrain('Versions');
    const first = await add(brain_id, 'Writing_Style', 'One');
    const answer = await server.ok('add_core_knowledge', { brain_id, section: 'writing_style', content: 'Two' });
    expect(answer).toMatchObject({ version: 2, replaced: first, visibility: 'inherited' });
    expect(listContents(await listSections(brain_id))).toEqual([['writing_style', 'Two']]);
    expect((await listSections(brain_id, true))[0]?.items).toMatchObject([
      { content: 'Two', version: 2, is_active: true },
      { content: 'One', version: 1, is_active: false, deactivated_by: 'Owner key' },
    ]);
  });

  test('added by many concurrent calls leaves one active item, and none is lost', async () => {
    const brain_id = await createBrain('At once');
    const contents = Array.from({ length: 8 }, (_, n) => `Rule ${n}`);
    await Promise.all(contents.map((content) => add(brain_id, 'rule', content)));
    const [section] = await listSections(brain_id, true);
    expect(section?.items.map(({ version }) => version)).toEqual([8, 7, 6, 5, 4, 3, 2, 1]);
    expect(section?.items.map(({ is_active }) => is_active)).toEqual([true, ...Array.from({ length: 7 }, () => false)]);
    expect(section?.items.map(({ content }) => content).toSorted()).toEqual(contents);
  });

  test('that is removed no longer applies, is kept, and cannot be removed twice', async () => {
    const brain_id = await createBrain('Removed');
    const item_id = await add(brain_id, 'rule', 'Gone');
    const path = `/v1/brains/${brain_id}/core-knowledge/${item_id}`;
    const headers = { authorization: `Bearer ${server.key}` };
    expect((await server.request(path, { method: 'DELETE', headers })).status).toBe(200);
    expect(await listSections(brain_id)).toEqual([]);
    expect((await listSections(brain_id, true))[0]?.items).toMatchObject([{ content: 'Gone', is_active: false }]);
    expect((await server.request(path, { method: 'DELETE', headers })).status).toBe(404);
    expect(await server.ok('add_core_knowledge', { brain_id, section: 'rule', content: 'New' })).toMatchObject({
      version: 2,
      replaced: null,
    });
  });

  test('is removed on its own brain only', async () => {
    const parent = await createBrain('Owner of it');
    const child = await createBrain('Heir', parent);
    const item_id = await add(parent, 'rule', 'Stays');
    expect((await server.call('remove_core_knowledge', { brain_id: child, item_id })).status).toBe(404);
    expect(listContents(await listSections(child))).toEqual([['rule', 'Stays']]);
  });

  test('is changed by admins, read by members, and hidden from others', async () => {
    const brain_id = await createBrain('Guarded');
    const [editor, stranger] = [await addPerson(database), await addPerson(database)];
    await server.ok('invite_member', { brain_id, email: editor.email, access_level: 'editor' });
    const item_id = await add(brain_id, 'rule', 'Guarded');
    const attempt = { brain_id, section: 'rule', content: 'Mine' };
    expect((await server.call('add_core_knowledge', attempt, editor)).status).toBe(403);
    expect((await server.call('remove_core_knowledge', { brain_id, item_id }, editor)).status).toBe(403);
    expect((await server.call('add_core_knowledge', attempt, stranger)).status).toBe(404);
    expect((await server.call('list_core_knowledge', { brain_id }, stranger)).status).toBe(404);
    expect(listContents(await listSections(brain_id, false, editor.key))).toEqual([['rule', 'Guarded']]);
  });

  test('on a person’s personal brain does not reach people on a brain below it', async () => {
    const { home_brain_id } = await server.ok('who_am_i');
    await add(String(home_brain_id), 'mine', 'Private to me');
    const project = await createBrain('Project', String(home_brain_id));
    const guest = await addPerson(database);
    await server.ok('invite_member', { brain_id: project, email: guest.email, access_level: 'admin' });
    expect(await listSections(project, true, guest.key)).toEqual([]);
    expect(listContents(await listSections(project))).toEqual([['mine', 'Private to me']]);
  });
});

describe('opening a session', () => {
  test('returns the active core knowledge, including inherited items', async () => {
    const parent = await createBrain('Sessions');
    const brain_id = await createBrain('Session child', parent);
    await add(parent, 'tone', 'Be kind');
    await add(brain_id, 'form', 'Be brief');
    expect(await server.ok('load_brain', { brain_id })).toMatchObject({
      core_knowledge: [
        { section: 'tone', content: 'Be kind', brain_name: 'Sessions Brain', is_inherited: true },
        { section: 'form', content: 'Be brief', brain_name: 'Session child Brain', is_inherited: false },
      ],
      core_knowledge_omitted: 0,
    });
  });

  test('uses at most half of its tokens, keeps the nearest items, and names the omitted ones', async () => {
    const parent = await createBrain('Long');
    const brain_id = await createBrain('Short', parent);
    for (let number = 0; number < 12; number += 1) await add(parent, `long ${number}`, 'x'.repeat(3_000));
    await add(brain_id, 'near', 'Near');
    const opened = await server.ok('load_brain', { brain_id, max_tokens: 1_000 });
    const shownItems = opened['core_knowledge'] as { content: string }[];
    expect(shownItems.at(-1)).toMatchObject({ content: 'Near' });
    expect(opened['core_knowledge_omitted']).toBe(13 - shownItems.length);
    expect(shownItems.length).toBeLessThan(13);
    expect(JSON.stringify(shownItems).length).toBeLessThanOrEqual(2_000);
  });
});
