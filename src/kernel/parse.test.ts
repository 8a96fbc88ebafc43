import { expect, test } from 'vitest';
import { z } from 'zod';
import type { AppError } from './errors.ts';
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

test('an error inside JSON text names its place, as in an object', () => {
  expect(() => parse({ config: '{"deep":["x"]}' })).toThrow(/config\.deep\.0/);
  expect(() => parse({ config: '{"deep":[1]}', list: 7 })).toThrow(/list/);
  expect(() => parse({ config: '{"deep":' })).toThrow(/config: Invalid input: expected object, received string/);
  expect(() => parse({ config: '"text"' })).toThrow(/config: Invalid input: expected object, received string/);
  expect(() => parse({ config: '{"deep":[1],"\\u0000":2}' })).toThrow(/NUL/);
  expect(() => parse({ text: '{"this one":"is too long for a text"}' })).toThrow(/text: takes at most \d+ characters/);
});

const readErrorMessage = (raw: unknown): string => {
  const { message, details } = captureError(() => parse(raw));
  return message + JSON.stringify(details);
};

const long = 'k'.repeat(100_000);
const repeatItem = <Item>(count: number, item: Item) => Array.from({ length: count }, () => item);
test.each<[what: string, raw: unknown, told: RegExp]>([
  ['a long name above many texts with NUL', { [long]: repeatItem(10_000, '\0') }, /NUL/],
  ['long names in each other', { [long]: { [long]: { [long]: repeatItem(5_000, '\ud83d') } } }, /incomplete Unicode/],
  ['many unknown fields', Object.fromEntries(repeatItem(15_000, 0).map((_, at) => [`field${at}`, 1])), /14990 more/],
  ['many wrong items of an alternative', { list: repeatItem(15_000, 7) }, /list/],
  ['more values than any input has', { list: repeatItem(20_001, 'a') }, /more than 20000 values/],
  ['a list within a list 50,000 times', { list: JSON.parse('['.repeat(50_000) + ']'.repeat(50_000)) }, /too deeply/],
])('the error about %s is short', (_what, raw, expectedMessage) => {
  const message = readErrorMessage(raw);
  expect(message).toMatch(expectedMessage);
  expect(message.length).toBeLessThan(20_000);
});

test('an error tells the first 20 issues and how many more there are', () => {
  const fields = Object.fromEntries(repeatItem(30, 0).map((_, at) => [`f${at}`, z.string()]));
  const wide = { ...operation, input: z.strictObject(fields) };
  const error = captureError(() => parseInput(wide, {}));
  expect(error.message).toMatch(/f19: required but missing; and 10 more\./);
  expect(error.details['issues']).toHaveLength(20);
});

function captureError(work: () => unknown): AppError {
  try {
    work();
  } catch (error) {
    return error as AppError; // parseInput throws only AppErrors
  }
  throw new Error('nothing was thrown');
}
