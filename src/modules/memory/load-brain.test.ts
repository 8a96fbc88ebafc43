import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../../tests/support/server.ts';

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

test('every key of the contract is told', async () => {
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

test('a small budget still tells the brain itself and what is critical first', async () => {
  const answer = await server.ok('load_brain', { brain_id: brain, max_tokens: 1_000 });
  expect(answer['brain']).toMatchObject({ id: brain, name: 'Team Brain' });
  expect((answer['critical_memories'] as unknown[]).length).toBeGreaterThan(0);
});

test('a long description of a brain is cut, and that is said', async () => {
  const { parent_brain_id } = (await server.ok('load_brain', { brain_id: brain }))['brain'] as Record<string, unknown>;
  const answer = await server.ok('load_brain', { brain_id: parent_brain_id, max_tokens: 1_000 });
  expect(answer['truncated']).toContain('brain.description');
  expect(JSON.stringify(answer).length / 4).toBeLessThanOrEqual(1_000);
});
