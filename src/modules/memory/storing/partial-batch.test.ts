import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../../../tests/support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const tooLong = { content: 'x'.repeat(32_001) };
const listContents = async () => {
  const { memories } = await server.ok('list_memories');
  return (memories as { content: string }[]).map(({ content }) => content);
};

test('a batch with one memory that is too long is refused as a whole, and the error names that memory', async () => {
  const { status, body } = await server.call('add_memories_bulk', { memories: [{ content: 'Short' }, tooLong] });
  expect(status).toBe(422);
  expect(JSON.stringify(body)).toMatch(/memories.{1,3}1.{1,5}content/);
  expect(JSON.stringify(body)).toContain('the maximum is 32000');
  expect(await listContents()).toEqual([]);
});

test('with partial the others are stored in order, and the answer lists the too long ones by position', async () => {
  const memories = [{ content: 'First' }, tooLong, { content: 'Second' }, tooLong];
  const answer = await server.ok('add_memories_bulk', { memories, partial: true });
  expect(answer).toMatchObject({
    stored: 2,
    refused: [{ index: 1, message: expect.stringContaining('32001') }, { index: 3 }],
  });
  expect((await listContents()).toSorted()).toEqual(['First', 'Second']);
  const ids = (answer['memories'] as { id: string }[]).map(({ id }) => id);
  const first = await server.ok('get_memory', { id: ids[0] });
  expect(first['memory']).toMatchObject({ content: 'First' });
});

test('a batch in which every memory is too long is refused, also with partial', async () => {
  expect((await server.call('add_memories_bulk', { memories: [tooLong], partial: true })).status).toBe(422);
});

test('a memory with another error refuses the batch, also with partial', async () => {
  const memories = [{ content: 'Third' }, { content: 'Fourth', colour: 'red' }];
  expect((await server.call('add_memories_bulk', { memories, partial: true })).status).toBe(422);
  expect(await listContents()).not.toContain('Third');
});
