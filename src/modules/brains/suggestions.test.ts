import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Output } from '#sdk';
import { joinAs } from '../../../tests/support/colleague.ts';
import { openAsOwner, type OwnerDatabase } from '../../../tests/support/owner-database.ts';
import { startTestServer, type TestServer } from '../../../tests/support/server.ts';

let server: TestServer;
let database: OwnerDatabase;
let key: string;
let agentId: string;
beforeAll(async () => {
  server = await startTestServer();
  database = await openAsOwner(server.connectionString);
  const agent = await server.ok('create_key', { label: 'Claude' });
  [key, agentId] = [agent.key, agent.key_id];
});
afterAll(async () => {
  await database.close();
  await server.close();
});

type ListedSuggestion = { suggestion_id: string; now: string | null; is_outdated: boolean } & Record<string, unknown>;

const createBrain = async (name: string) => String((await server.ok('create_brain', { name }))['brain_id']);

async function suggest(operation: string, input: object): Promise<string> {
  const { suggestion } = await server.ok(operation, input, { key });
  return (suggestion as { suggestion_id: string }).suggestion_id;
}

async function listWaiting(brain_id?: string): Promise<ListedSuggestion[]> {
  return (await server.ok('list_suggestions', brain_id ? { brain_id } : {}))['suggestions'] as ListedSuggestion[];
}

async function findSectionText(brain_id: string): Promise<string | undefined> {
  const { sections } = await server.ok('list_core_knowledge', { brain_id });
  return (sections as { items: { content: string }[] }[])[0]?.items[0]?.content;
}

test('core knowledge that an agent suggests applies once a person accepts it, and the history names both', async () => {
  const brain_id = await createBrain('Novel');
  await server.ok('add_core_knowledge', { brain_id, section: 'style', content: 'Write long sentences.' });
  const suggestion_id = await suggest('add_core_knowledge', {
    brain_id,
    section: 'Style',
    content: 'Write short ones.',
  });
  expect(await findSectionText(brain_id)).toBe('Write long sentences.');
  expect(await listWaiting(brain_id)).toEqual([
    expect.objectContaining({
      suggestion_id,
      kind: 'add_core_knowledge',
      proposed: { section: 'Style', content: 'Write short ones.', visibility: 'inherited' },
      now: 'Write long sentences.',
      is_outdated: false,
      suggested_by: { agent: 'Claude', person: expect.any(String) },
    }),
  ]);
  await server.ok('accept_suggestion', { suggestion_id });
  expect(await findSectionText(brain_id)).toBe('Write short ones.');
  const { sections } = await server.ok('list_core_knowledge', { brain_id });
  expect(JSON.stringify(sections)).toContain('suggested by Claude');
  expect(await listWaiting(brain_id)).toEqual([]);
  expect((await server.call('decline_suggestion', { suggestion_id })).status).toBe(409);
});

test('a declined suggestion changes nothing, and cannot be accepted afterwards', async () => {
  const brain_id = await createBrain('Declined');
  const suggestion_id = await suggest('add_core_knowledge', { brain_id, section: 'style', content: 'Obey me.' });
  await server.ok('decline_suggestion', { suggestion_id });
  expect((await server.call('accept_suggestion', { suggestion_id })).status).toBe(409);
  expect(await findSectionText(brain_id)).toBeUndefined();
  const { suggestions } = await server.ok('list_suggestions', { brain_id, state: 'declined' });
  expect(suggestions).toHaveLength(1);
});

test('a suggestion cannot be accepted after its item changed', async () => {
  const brain_id = await createBrain('Changed');
  const suggestion_id = await suggest('add_core_knowledge', { brain_id, section: 'style', content: 'From an agent.' });
  await server.ok('add_core_knowledge', { brain_id, section: 'style', content: 'From a person.' });
  expect((await listWaiting(brain_id))[0]).toMatchObject({ is_outdated: true, now: 'From a person.' });
  expect((await server.call('accept_suggestion', { suggestion_id })).body).toMatchObject({ code: 'conflict' });
  expect(await findSectionText(brain_id)).toBe('From a person.');
});

test('an agent’s equal suggestion is not stored twice', async () => {
  const brain_id = await createBrain('Twice');
  const wanted = { brain_id, section: 'style', content: 'The same.' };
  expect(await suggest('add_core_knowledge', wanted)).toBe(await suggest('add_core_knowledge', wanted));
  expect(await listWaiting(brain_id)).toHaveLength(1);
});

test('accepting a suggestion retires an item, or saves, versions and assigns a skill', async () => {
  const brain_id = await createBrain('Skills');
  const { id: item_id } = await server.ok('add_core_knowledge', { brain_id, section: 'style', content: 'Old.' });
  const accept = async (operation: string, input: object) =>
    server.ok('accept_suggestion', { suggestion_id: await suggest(operation, input) });
  await accept('remove_core_knowledge', { brain_id, item_id });
  expect(await findSectionText(brain_id)).toBeUndefined();
  await accept('create_skill', { name: 'review', content: 'First.' });
  await accept('skills', { action: 'save', name: 'review', content: 'Second.' });
  const { skill } = await server.ok('skills', { action: 'load', name: 'review' });
  const { skill_id } = skill as { skill_id: string };
  expect(skill).toMatchObject({ content: 'Second.', version: 2 });
  await accept('assign_skill', { skill_id, brain_id });
  const { skills } = await server.ok('skills', { brain_id });
  expect(skills).toContainEqual(expect.objectContaining({ skill_id }));
  await accept('skills', { action: 'unassign', skill_id, brain_id });
  expect((await server.ok('skills', { brain_id }))['skills']).toEqual([]);
});

test('admins of a brain decide the suggestions about it, and people who may not read the brain do not see them', async () => {
  const brain_id = await createBrain('Private');
  const suggestion_id = await suggest('add_core_knowledge', { brain_id, section: 'style', content: 'Mine.' });
  const grace = await joinAs(server, database, 'grace@example.com');
  expect((await grace.call('accept_suggestion', { suggestion_id })).status).toBe(404);
  expect(JSON.stringify(await grace.ok('list_suggestions'))).not.toContain(suggestion_id);
  await server.ok('invite_member', { brain_id, email: 'grace@example.com', access_level: 'editor' });
  expect((await grace.call('accept_suggestion', { suggestion_id })).status).toBe(403);
});

test('a suggestion ends with its brain', async () => {
  const brain_id = await createBrain('Short-lived');
  const suggestion_id = await suggest('add_core_knowledge', { brain_id, section: 'style', content: 'Gone.' });
  await server.ok('delete_brain', { brain_id, confirm: 'Short-lived Brain' });
  expect((await listWaiting()).map((each) => each.suggestion_id)).not.toContain(suggestion_id);
  expect((await server.call('accept_suggestion', { suggestion_id })).status).toBe(404);
});

test('an equal suggestion for another brain, another skill or a changed item is a separate suggestion', async () => {
  const [one, other] = [await createBrain('One'), await createBrain('Other')];
  const same = { section: 'style', content: 'The same.' };
  const first = await suggest('add_core_knowledge', { brain_id: one, ...same });
  expect(await suggest('add_core_knowledge', { brain_id: other, ...same })).not.toBe(first);
  const skills = ['first', 'second'].map(
    async (name) => (await server.ok('create_skill', { name, content: name })).skill_id,
  );
  const [s1, s2] = await Promise.all(skills);
  const ofFirst = await suggest('assign_skill', { skill_id: s1, brain_id: one });
  expect(await suggest('assign_skill', { skill_id: s2, brain_id: one })).not.toBe(ofFirst);
  await server.ok('add_core_knowledge', { brain_id: one, section: 'style', content: 'From a person.' });
  const again = await suggest('add_core_knowledge', { brain_id: one, ...same });
  expect((await server.call('accept_suggestion', { suggestion_id: again })).status).toBe(200);
});

test('a key of one brain learns nothing from suggestions of skills that it may not see', async () => {
  const brain_id = await createBrain('Narrow');
  const { skill_id } = await server.ok('create_skill', { name: 'hush', content: 'TOP SECRET' });
  const { key: narrow } = await server.ok('create_key', { label: 'Narrow', reach: 'brain', home_brain_id: brain_id });
  const suggestion_id = await suggest('assign_skill', { skill_id, brain_id });
  const listSuggestions = async (state: string) =>
    JSON.stringify(await server.ok('list_suggestions', { state }, { key: narrow }));
  expect(await listSuggestions('waiting')).not.toMatch(/TOP SECRET|hush/);
  await server.ok('decline_suggestion', { suggestion_id });
  expect(await listSuggestions('declined')).not.toMatch(/TOP SECRET|hush/);
});

test('a suggestion with invisible characters is refused', async () => {
  const brain_id = await createBrain('Unseen');
  const request = { brain_id, section: 'style', content: 'Be brief.\u{E0049}\u202E' };
  const refused = await server.call('add_core_knowledge', request, { key });
  expect(refused).toMatchObject({
    status: 422,
    body: { detail: expect.stringContaining('invisible or change the direction of text') },
  });
});

test('a suggestion to assign a skill to one agent names the agent', async () => {
  const { skill_id } = await server.ok('create_skill', { name: 'for-one', content: 'Be brief.' });
  const suggestion_id = await suggest('assign_skill', { skill_id, agent_id: agentId });
  const found = (await listWaiting()).find((each) => each.suggestion_id === suggestion_id);
  expect(found).toMatchObject({ kind: 'place_skill', brain_id: null, agent_name: 'Claude' });
});

test('pages of suggestions have each suggestion once, newest first', async () => {
  const brain_id = await createBrain('Paged');
  const made: string[] = [];
  for (const section of ['a', 'b', 'c'])
    made.unshift(String(await suggest('add_core_knowledge', { brain_id, section, content: section })));
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const page: Output<'list_suggestions'> = await server.ok('list_suggestions', {
      brain_id,
      limit: 2,
      ...(cursor !== null && { cursor }),
    });
    seen.push(...page.suggestions.map((each) => each.suggestion_id));
    cursor = page.next_cursor;
  } while (cursor !== null);
  expect(seen).toEqual(made);
  expect((await server.call('list_suggestions', { cursor: 'suggestion:x' })).status).toBe(422);
});
