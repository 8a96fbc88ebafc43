import { expect, test } from 'vitest';
import { isShallow, parseJson } from './parse-json.ts';

const buildNestedLists = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

test('JSON of 64 levels is read, and deeper JSON is refused, however deep it is', () => {
  expect(isShallow(parseJson(buildNestedLists(64)))).toBe(true);
  expect(parseJson('{"a":[1,"b",null]}')).toEqual({ a: [1, 'b', null] });
  for (const text of [buildNestedLists(65), buildNestedLists(400_000), '{"a":'.repeat(65) + 1 + '}'.repeat(65)])
    expect(() => parseJson(text)).toThrow(expect.objectContaining({ code: 'invalid_input' }));
  expect(() => parseJson('{')).toThrow(SyntaxError);
  for (const text of ['[', '\\\\', '\\"[', '"'.repeat(3)])
    expect(parseJson(JSON.stringify([`${text.repeat(100)}`, '{'.repeat(100)]))).toEqual([
      text.repeat(100),
      '{'.repeat(100),
    ]);
});
