import { expect, test } from 'vitest';
import { z } from 'zod';
import { defineOperation, type Operation } from './operation.ts';
import { parseInput } from './parse.ts';

const input = z.strictObject({
  config: z.strictObject({ deep: z.array(z.number()).max(5) }).optional(),
  list: z.union([z.array(z.string().max(5)).max(5), z.null()]).optional(),
  text: z.string().max(20).optional(),
});
const operation: Operation = defineOperation({
  name: 'configure',
  summary: 'An operation of this test.',
  toolset: 'memory',
  effect: 'read',
  access: { scope: 'memory:read' },
  input,
  output: z.object({}),
  errors: [],
  examples: [{ title: 'Any', input: {} }],
  run: async () => ({}),
});
const parse = (raw: unknown) => parseInput(operation, raw);

test('an object or a list may come as JSON text, and a text that looks like one stays a text', () => {
  expect(parse({ config: ' {"deep":[1,2]}', list: '["a"]', text: '{"a":1}' })).toEqual({
    config: { deep: [1, 2] },
    list: ['a'],
    text: '{"a":1}',
  });
});

test('what is wrong inside such a text is told by its place, as of an object', () => {
  expect(() => parse({ config: '{"deep":["x"]}' })).toThrow(/config\.deep\.0/);
  expect(() => parse({ config: '{"deep":[1]}', list: 7 })).toThrow(/list/);
  expect(() => parse({ config: '{"deep":' })).toThrow(/config: Invalid input: expected object, received string/);
  expect(() => parse({ config: '"text"' })).toThrow(/config: Invalid input: expected object, received string/);
  expect(() => parse({ config: '{"deep":[1],"\\u0000":2}' })).toThrow(/NUL/);
  expect(() => parse({ text: '{"this one":"is too long for a text"}' })).toThrow(/text: Too big/);
});
