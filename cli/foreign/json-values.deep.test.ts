import { constants } from 'node:buffer';
import { expect, test } from 'vitest';
import { readJsonItems } from './json-values.ts';

test('a file longer than the longest JavaScript string is read item by item', { timeout: 600_000 }, async () => {
  const item = Buffer.from(
    `${JSON.stringify({ mapping: { n: { message: { content: { parts: ['x'.repeat(1_000_000)] } } } } })},`,
  );
  let bytes = 0;
  async function* chunks() {
    yield Buffer.from('[');
    for (; bytes < constants.MAX_STRING_LENGTH + item.length; bytes += item.length) yield item;
    yield Buffer.from('{}]');
  }
  let count = 0;
  for await (const value of readJsonItems(chunks())) count += Number('mapping' in (value as object));
  expect(count).toBe(bytes / item.length);
});
