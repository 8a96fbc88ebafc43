import type { Output } from '#sdk';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../../../tests/support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  const parent = await server.ok('create_brain', { name: 'Company', description: 'House rules. '.repeat(200) });
  brain = String((await server.ok('create_brain', { name: 'Team', parent_brain_id: parent['brain_id'] }))['brain_id']);
  for (let number = 0; number < 25; number += 1)
    await server.ok('create_brain', { name: `Unit ${number}`, description: 'What this unit does all day. '.repeat(5) });
  const rules = ['Never sell below cost', 'Never share the ledger'].map((content) => ({ content }));
  await server.ok('add_memories_bulk', { target_brain_id: parent['brain_id'], memories: rules });
  const memories = Array.from({ length: 60 }, (_, number) => ({
    content: `Under no circumstances open valve ${number}`,
  }));
  await server.ok('add_memories_bulk', { target_brain_id: brain, memories });
});
let brain: string;
afterAll(() => server.close());

const keys = [
  'session_id',
  'brain',
  'recent_sessions',
  'critical_memories',
  'triggered_memories',
  'inherited_policies',
  'active_context',
  'stats',
  'core_knowledge',
  'core_knowledge_omitted',
  'skills',
  'constellations',
  'accessible_brains',
  'documentation_urls',
  'agent_prompt',
  'agent_variables',
  'truncated',
];

test('the answer has every key of the contract', async () => {
  const answer = await server.ok('load_brain', { brain_id: brain, max_tokens: 50_000 });
  expect(Object.keys(answer).toSorted()).toEqual(keys.toSorted());
  expect(answer).toMatchObject({ agent_prompt: null, agent_variables: [], truncated: [], stats: { memories: 60 } });
  expect(answer['inherited_policies']).toHaveLength(2);
  expect(answer['accessible_brains']).toHaveLength(28);
});

test.for([400, 1_000, 4_000, 8_000])('the answer stays within %i tokens, and says what was cut', async (max_tokens) => {
  const answer = await server.ok('load_brain', { brain_id: brain, max_tokens });
  expect(JSON.stringify(answer).length / 4).toBeLessThanOrEqual(max_tokens);
  expect(answer['truncated']).not.toEqual([]);
});

test('a small budget keeps the brain itself and its critical memories', async () => {
  const answer = await server.ok('load_brain', { brain_id: brain, max_tokens: 1_000 });
  expect(answer['brain']).toMatchObject({ id: brain, name: 'Team Brain' });
  expect((answer['critical_memories'] as unknown[]).length).toBeGreaterThan(0);
});

test('a long description of a brain is cut, with a note', async () => {
  const { parent_brain_id } = (await server.ok('load_brain', { brain_id: brain }))['brain'] as Record<string, unknown>;
  const answer = await server.ok('load_brain', { brain_id: parent_brain_id, max_tokens: 1_000 });
  expect(getTruncated(answer)).toContainEqual(
    expect.stringMatching(/^brain\.description: the first \d+ of 2600 characters; list_brains has the rest$/),
  );
  expect(JSON.stringify(answer).length / 4).toBeLessThanOrEqual(1_000);
});

type ShownMemory = { content: string };
type LoadedBrain = Output<'load_brain'>;
const getSection = (answer: LoadedBrain, section: keyof LoadedBrain) => answer[section] as ShownMemory[]; // each has a text
const getTruncated = ({ truncated }: LoadedBrain) => truncated;

describe('a brain with more critical memories than fit', () => {
  let long: string;
  let parent: string;
  beforeAll(async () => {
    parent = String((await server.ok('create_brain', { name: 'Law' }))['brain_id']);
    long = String((await server.ok('create_brain', { name: 'Court', parent_brain_id: parent }))['brain_id']);
    const critical = (content: string) => ({ content, salience: 'critical', type: 'fact' });
    const triggers = Array.from({ length: 20 }, (_, at) => ({ condition: `case ${at}`, reason: 'z'.repeat(1_000) }));
    const short = Array.from({ length: 40 }, (_, at) => critical(`Critical fact number ${at} stands here.`));
    await server.ok('add_memories_bulk', { target_brain_id: long, memories: short });
    // The newest is the first of the list, and is alone longer than a whole session may be.
    const { id } = await server.ok('add_memory', {
      target_brain_id: long,
      ...critical(`Longest. ${'x'.repeat(20_000)}`),
      triggers,
    });
    longest = String(id);
    const policies = Array.from({ length: 40 }, (_, at) => ({
      content: `Always keep rule ${at}.`,
      type: 'constraint',
    }));
    await server.ok('add_memories_bulk', { target_brain_id: parent, memories: policies });
  });
  let longest: string;

  test('shortens a memory that is too long, and shows those after it', async () => {
    const answer = await server.ok('load_brain', { brain_id: long });
    const [first, ...others] = getSection(answer, 'critical_memories');
    expect(first!.content).toMatch(/^Longest\. x+…$/);
    expect(others.length).toBeGreaterThan(15);
    expect(JSON.stringify(answer).length / 4).toBeLessThanOrEqual(4_000);
    expect((await server.ok('get_memory', { id: longest }))['memory']).toMatchObject({
      content: expect.stringMatching(/x{20000}$/),
    });
  });

  test('states how many of how many are shown, and how to get the rest', async () => {
    const answer = await server.ok('load_brain', { brain_id: long });
    const { length } = getSection(answer, 'critical_memories');
    expect(getTruncated(answer)).toContainEqual(
      expect.stringMatching(new RegExp(`^critical_memories: ${length} of 41, 1 shortened; .*max_tokens`)),
    );
    expect(getTruncated(answer)).toContainEqual(expect.stringMatching(/^inherited_policies: \d+ of 40; list_memories/));
  });

  test('shows all of them when they fit, however many there are', async () => {
    const answer = await server.ok('load_brain', { brain_id: long, max_tokens: 50_000 });
    expect(getSection(answer, 'critical_memories')).toHaveLength(41);
    expect(getSection(answer, 'critical_memories')[0]!.content).toHaveLength(20_009);
    expect(getSection(answer, 'inherited_policies')).toHaveLength(40);
    expect(getTruncated(answer).filter((each) => /critical|policies/.test(each))).toEqual([]);
  });
});

test('core knowledge that exceeds the session is shortened, not hidden', async () => {
  const id = String((await server.ok('create_brain', { name: 'Handbook' }))['brain_id']);
  await server.ok('add_core_knowledge', { brain_id: id, section: 'style', content: `Be brief. ${'y'.repeat(7_990)}` });
  await server.ok('add_core_knowledge', { brain_id: id, section: 'tone', content: 'Be kind.' });
  const answer = await server.ok('load_brain', { brain_id: id });
  const contents = getSection(answer, 'core_knowledge').map(({ content }) => content);
  expect(contents).toContain('Be kind.');
  expect(contents).toContainEqual(expect.stringMatching(/^Be brief\. y{500,}…$/));
  expect(answer['core_knowledge_omitted']).toBe(0);
  expect(getTruncated(answer)).toContain('core_knowledge: 2 of 2, 1 shortened; list_core_knowledge has the rest');
});
