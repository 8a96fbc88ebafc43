import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { visitAsciiChunks, visitChunks } from './chunks.ts';

function listChunks(text: string, each: typeof visitChunks): string[] {
  const chunks: string[] = [];
  each(text, (start, end) => chunks.push(text.slice(start, end)) > 0);
  return chunks;
}

test.each([
  ['text without spaces stays together', 'see src/a.ts, user_id -> x', ['see', 'src/a.ts', 'user_id', 'x']],
  ['names with signs', 'C++ and C# but not a+b#', ['C++', 'and', 'C#', 'but', 'not', 'a+b']],
  ['numbers with commas', '1,000 is 1, 2', ['1,000', 'is', '1', '2']],
  ['addresses', 'std::vector http://a.b/c?d=e', ['std::vector', 'http://a.b/c?d=e']],
])('text is cut into chunks: %s', (_, text, chunks) => {
  expect(listChunks(text, visitChunks)).toEqual(chunks);
  expect(listChunks(text, visitAsciiChunks)).toEqual(chunks);
});

test('the fast way cuts ASCII text exactly like the general way', () => {
  const piece = fc.constantFrom(...`aZ9 .,_-/\\:@+=?&%#~'>"(\n`, '::', '://', '->', '++', 'C#', '1,2');
  const text = fc.oneof(
    fc.array(piece, { maxLength: 24 }).map((pieces) => pieces.join('')),
    fc.string(),
  );
  fc.assert(
    fc.property(text, (any) => {
      expect(listChunks(any, visitAsciiChunks)).toEqual(listChunks(any, visitChunks));
    }),
    { numRuns: 2_000 },
  );
});
