import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSearch, type Search } from '#platform/search';
import { startTestServer, type TestServer } from '../../../../tests/support/server.ts';

const topics = ['harbour', 'bakery', 'museum', 'garage', 'library', 'clinic', 'theatre', 'vineyard', 'school', 'farm'];
const colours = ['amber', 'blue', 'crimson', 'green', 'indigo', 'ochre', 'purple', 'silver', 'teal', 'white'];

/** The texts of one brain: frequent words that every brain has, some words of its own, and one answer to a question. */
function buildTurns(topic: string, number: number): string[] {
  const talk = Array.from({ length: 24 }, (_, at) => {
    const about = (at + number) % 3 === 0 ? `the name of the ${topic}` : `the ${topic} and its office`;
    return `We talked about ${about}, number ${(at * 7 + number) % 13}, and the door is ${colours[at % 10]}.`;
  });
  return talk.with(11, `The dog of the ${topic} is called ${topic.toUpperCase()}-${number}.`);
}

const conversations = topics.map((topic, number) => ({ name: topic, turns: buildTurns(topic, number) }));
const small = [
  ['Our office dog is called Biscuit.', 'Lunch is at noon.', 'The printer is upstairs.', 'Ask Ada.', 'Friday is free.'],
  ['The kayak hangs in the shed.', 'Paddles are yellow.', 'Bring a towel.', 'The river is cold.', 'Rain is likely.'],
  ['Grandmother bakes plum cake.', 'The oven is old.', 'Use butter.', 'Sugar last.', 'Serve warm.'],
  ['The choir sings on Monday.', 'Tenors stand left.', 'Bring scores.', 'The hall is cold.', 'Doors close at eight.'],
  ['Chess club meets weekly.', 'White begins.', 'Clocks are set.', 'No phones.', 'Tea is served.'],
].map((turns, at) => ({ name: `small ${at}`, turns }));

/** Each question, and the turn that answers it. */
const questions = [
  ...conversations.map(({ name, turns }) => ({ q: `What is the dog of the ${name} called?`, answer: turns[11]! })),
  { q: 'What is the name of the office dog?', answer: small[0]!.turns[0]! },
  { q: 'Where is the kayak?', answer: small[1]!.turns[0]! },
  { q: 'Which cake does grandmother bake?', answer: small[2]!.turns[0]! },
  { q: 'On which day does the choir sing?', answer: small[3]!.turns[0]! },
  { q: 'How often does the chess club meet?', answer: small[4]!.turns[0]! },
];

let server: TestServer;
let search: Search;
let workspaceId: string;
let pooled: string;
const brains = new Map<string, string>();
const contents = new Map<string, string>();

beforeAll(async () => {
  server = await startTestServer();
  search = createSearch({
    connection: { connectionString: server.connectionString, options: '-c role=thalamus_app' },
  });
  workspaceId = await readSoleWorkspace();
  pooled = await createBrain('everything');
  for (const { name, turns } of [...conversations, ...small]) {
    brains.set(name, await createBrain(name));
    for (const brain of [brains.get(name)!, pooled]) await store(brain, name, turns);
  }
});
afterAll(async () => {
  await search.close();
  await server.close();
});

async function readSoleWorkspace(): Promise<string> {
  const client = new Client({ connectionString: server.connectionString });
  await client.connect();
  try {
    return (await client.query<{ id: string }>('select id from workspaces')).rows[0]!.id;
  } finally {
    await client.end();
  }
}

async function createBrain(name: string): Promise<string> {
  return String((await server.ok('create_brain', { name }))['brain_id']);
}

async function store(brain: string, thread_id: string, turns: readonly string[]): Promise<void> {
  const occurred_at = '2026-05-10T09:00:00Z';
  const memories = turns.map((content) => ({ content, thread_id, occurred_at }));
  const { memories: stored } = await server.ok('add_memories_bulk', { target_brain_id: brain, memories });
  for (const [at, { id }] of (stored as { id: string }[]).entries()) contents.set(id, turns[at]!);
}

async function find(brainIds: readonly string[], text: string, limit = 10) {
  const { hits, ...answer } = await search.find({ workspaceId, brainIds, text, limit, offset: 0 });
  return { ...answer, hits: hits.map(({ id, score, why }) => ({ said: contents.get(id)!, score, terms: why.terms })) };
}

describe('a search over fifteen brains, of which five are small', () => {
  const all = () => [...brains.values()];

  test.for(questions)('finds the answer to “$q” in first place, as in its own brain', async ({ q, answer }) => {
    expect((await find(all(), q)).hits[0]?.said).toBe(answer);
  });

  test('scores every memory like one brain with all of them', async () => {
    for (const { q } of questions) {
      const [across, together] = await Promise.all([find(all(), q), find([pooled], q)]);
      expect(across).toEqual(together);
    }
  });

  test('corrects a spelling only when none of the brains has the word', async () => {
    const brain = await createBrain('spelling');
    await store(brain, 'spelling', ['Marianna wrote the plan.', 'The zeppelin landed.']);
    const other = await createBrain('other');
    await store(other, 'other', ['Marianne drew the map.']);
    expect((await find([brain, other], 'Marianne')).hits.map(({ said }) => said)).toEqual(['Marianne drew the map.']);
    expect((await find([brain, other], 'zepelin')).hits.map(({ said }) => said)).toContain('The zeppelin landed.');
  });
});
