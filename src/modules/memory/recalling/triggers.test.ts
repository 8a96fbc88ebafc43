import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../../../tests/support/server.ts';
import { listStems } from '../rules/topics.ts';
import { parseAlternatives, isAlternativeMet } from '../rules/trigger-words.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

type Body = Record<string, unknown>;
const cardTrigger = { condition: 'working on play card selection or A/B testing', reason: 'It was measured' };
const add = (content: string, condition: string, more: Body = {}) =>
  server.ok('add_memory', { content, triggers: [{ condition, reason: 'Because' }], ...more });
const listTriggered = async (q: string, more: Body = {}) =>
  (await server.ok('search_memory', { q, ...more }))['triggered_memories'] as Body[];

const cases: [condition: string, text: string, isFitting: boolean][] = [
  ['working on play card selection or A/B testing', 'changing the selection of play cards', true],
  ['working on play card selection or A/B testing', 'working on the release notes', false],
  ['discussing pricing', 'What is our pricing?', true],
  ['discussing pricing', 'We are discussing the weather', false],
  ['deploying on Friday; database migrations', 'Run the database migration', true],
  ['new customer in Brazil', 'A customer from Brazil signed', true],
  ['new customer in Brazil', 'A supplier from Chile wrote', false],
];

test.for(cases)('the trigger «%s» for «%s»: %s', ([condition, text, isFitting]) => {
  const here = listStems(text);
  const fitting = parseAlternatives(condition).filter((each) => isAlternativeMet(each, here));
  expect(fitting.length > 0).toBe(isFitting);
  for (const { words } of fitting) expect(words.some((word) => here.has(word))).toBe(true);
});

test('a search returns a memory whose trigger fires, without any of its words in the query', async () => {
  const { id } = await server.ok('add_memory', { content: 'Thompson sampling was chosen', triggers: [cardTrigger] });
  expect(await listTriggered('how are play cards selected')).toEqual([
    expect.objectContaining({ id, fired: { condition: cardTrigger.condition, reason: 'It was measured' } }),
  ]);
  expect(await listTriggered('holiday calendar')).toEqual([]);
});

test('a hit is not repeated, and shows that its trigger fired', async () => {
  const { id } = await add('Invoices to Brazil carry the CNPJ number', 'invoicing a customer in Brazil');
  const { memories, triggered_memories } = await server.ok('search_memory', { q: 'invoices Brazil' });
  expect(memories).toContainEqual(
    expect.objectContaining({ id, fired: expect.objectContaining({ reason: 'Because' }) }),
  );
  expect(triggered_memories).toEqual([]);
});

test('triggers fire on the first page only, and only in the searched brains', async () => {
  const brain = (await server.ok('create_brain', { name: 'Elsewhere' }))['brain_id'];
  await add('Glaciers are measured in August', 'planning an expedition', { target_brain_id: brain });
  expect(await listTriggered('expedition plan')).toHaveLength(1);
  expect(await listTriggered('expedition plan', { offset: 10 })).toEqual([]);
  const other = (await server.ok('create_brain', { name: 'Other' }))['brain_id'];
  expect(await listTriggered('expedition plan', { brain_id: other })).toEqual([]);
});

test('the trigger of an archived memory does not fire, and that of a restored one does', async () => {
  const { id } = await add('The violin is insured', 'travelling with an instrument');
  await server.ok('archive_memory', { id });
  expect(await listTriggered('travelling with an instrument')).toEqual([]);
  await server.ok('restore_memory', { id });
  expect(await listTriggered('travelling with an instrument')).toHaveLength(1);
});

test('corrected triggers replace the former ones', async () => {
  const { id } = await add('The compass is off by two degrees', 'sailing at night');
  await server.ok('update_memory', { id, triggers: [{ condition: 'repairing tools', reason: 'It is broken' }] });
  expect(await listTriggered('sailing at night')).toEqual([]);
  expect(await listTriggered('repairing the tools')).toEqual([expect.objectContaining({ id })]);
});

test('a condition without a specific word never fires, and is stored', async () => {
  const { id } = await add('Silence', 'the of and');
  const { memory } = await server.ok('get_memory', { id });
  expect(memory).toMatchObject({ triggers: [{ condition: 'the of and' }] });
});
