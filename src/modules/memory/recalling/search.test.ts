import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../../../tests/support/server.ts';

let server: TestServer;
const stored = new Map<string, string>();

const memories = {
  march: { content: 'The zeppelin got a new hull', author: 'Ada Lovelace', occurred_at: '2026-03-10T09:00:00Z' },
  may: { content: 'The zeppelin got a new engine', author: 'Grace Hopper', occurred_at: '2026-05-10T09:00:00Z' },
  rule: { content: 'Never moor the zeppelin at night', occurred_at: '2026-05-20T09:00:00Z' },
  asked: { content: 'Which harbour did we choose?', thread_id: 'talk', occurred_at: '2026-06-01T09:00:00Z' },
  answered: { content: 'Rotterdam.', thread_id: 'talk', occurred_at: '2026-06-01T09:01:00Z' },
  long: { content: `The archive begins here. ${'And it goes on and on. '.repeat(200)}` },
};

beforeAll(async () => {
  server = await startTestServer();
  for (const [name, memory] of Object.entries(memories)) {
    stored.set(String((await server.ok('add_memory', memory))['id']), name);
  }
});
afterAll(() => server.close());

type Hit = {
  id: string;
  content: string;
  why: { fields: string[]; context: string[]; links: { memory_id: string }[] };
};

async function search(input: Record<string, unknown>) {
  const answer = await server.ok('search_memory', input);
  const hits = answer['memories'] as Hit[];
  return { ...answer, hits, names: hits.map(({ id }) => stored.get(id)) } as Record<string, unknown> & {
    hits: Hit[];
    names: string[];
    confidence: number;
    pagination: { has_more: boolean; next_offset: number | null; total_available: number };
  };
}

describe('filters', () => {
  test.each([
    [{ author: 'lovelace' }, ['march']],
    [{ salience: 'critical' }, ['rule']],
    [{ type: 'constraint' }, ['rule']],
    [{ since: '2026-05' }, ['may', 'rule']],
    [{ until: '2026-05-10' }, ['march', 'may']],
    [{ since: 'May 2026', until: '2026-05-15T00:00:00Z' }, ['may']],
    [{ since: 'March 2026', until: 'March 2026' }, ['march']],
  ])('the filter %j selects its memories', async (filter, names) => {
    expect((await search({ q: 'zeppelin', ...filter })).names.toSorted()).toEqual(names);
  });

  test('an unreadable time is refused with readable ones', async () => {
    const { status, body } = await server.call('search_memory', { q: 'zeppelin', since: 'some day' });
    expect(status).toBe(422);
    expect(body['detail']).toContain('last March');
  });
});

test('a hit names the neighbouring turn that led to it, and other hits that it is linked to', async () => {
  const { hits, names } = await search({ q: 'harbour' });
  expect(names).toEqual(['asked', 'answered']);
  expect(hits[1]?.why).toMatchObject({ fields: ['thread'], context: [hits[0]?.id] });
  const [march, may] = [...stored].filter(([, name]) => name === 'march' || name === 'may').map(([id]) => id);
  const link = { source_memory_id: march, target_memory_id: may, relationship_type: 'refines' };
  await server.ok('link_memories', link);
  const found = await search({ q: 'zeppelin hull engine' });
  expect(found.hits.find(({ id }) => id === march)?.why.links).toContainEqual({
    memory_id: may,
    relationship_type: 'refines',
  });
});

test('confidence separates a hit from a text that only shares a word', async () => {
  expect((await search({ q: 'zeppelin engine' })).confidence).toBeGreaterThan(0.8);
  expect((await search({ q: 'zeppelin tax declaration invoice deadline' })).confidence).toBeLessThan(0.4);
  expect((await search({ q: 'quarterly invoice' })).confidence).toBe(0);
});

describe('a budget of tokens', () => {
  test('omits hits that do not fit, and returns where to continue', async () => {
    const first = await search({ q: 'zeppelin', max_tokens: 200 });
    expect(first.hits.length).toBeLessThan(3);
    expect(first.pagination).toMatchObject({ has_more: true, next_offset: first.hits.length, total_available: 3 });
    const rest = await search({ q: 'zeppelin', offset: first.pagination.next_offset });
    expect([...first.names, ...rest.names].toSorted()).toEqual(['march', 'may', 'rule']);
  });

  test('cuts the first hit when it alone is too long', async () => {
    const { hits } = await search({ q: 'archive', max_tokens: 300 });
    expect(hits).toHaveLength(1);
    expect(hits[0]?.content.endsWith('…')).toBe(true);
    expect(JSON.stringify(hits).length).toBeLessThan(4 * 300 + 10);
  });
});
