import { expect, test } from 'vitest';
import { z } from 'zod';
import { convertRefused } from './convert-refused.ts';
import { defineOperation, type Operation } from './operation.ts';
import { parseInput, readFaceInput } from './parse.ts';

const input = z.strictObject({
  q: z.string().trim().min(1).max(100),
  limit: z.number().int().min(1).max(50).default(10),
  ratio: z.number().optional(),
  isDeep: z.boolean().optional(),
  kind: z.enum(['fact', 'decision']).optional(),
  since: z.union([z.iso.date(), z.iso.datetime({ offset: true })]).optional(),
  at: z.iso.datetime({ offset: true }).optional(),
  site: z.url().optional(),
  note: z.string().optional(),
  ids: z.union([z.uuid(), z.array(z.uuid()).min(1)]).optional(),
  tags: z.array(z.string()).max(5).optional(),
  triggers: z.array(z.strictObject({ condition: z.string(), weight: z.number().optional() })).optional(),
  where: z.record(z.string(), z.union([z.number(), z.strictObject({ in: z.array(z.number()) })])).optional(),
  parent: z.uuid().nullable().optional(),
  days: z.number().int().nullable().default(90),
  level: z.literal([1, 2]).optional(),
  any: z.unknown().optional(),
});
const id = '01920000-0000-7000-8000-000000000001';

const same: [what: string, field: string, sent: unknown, read: unknown][] = [
  ['a whole number as text', 'limit', '5', 5],
  ['a number with a decimal point as text', 'limit', '5.0', 5],
  ['a number with spaces', 'limit', ' 7 ', 7],
  ['a negative fraction', 'ratio', '-0.25', -0.25],
  ['a number with an exponent', 'ratio', '1e-3', 0.001],
  ['a boolean as text', 'isDeep', 'true', true],
  ['a boolean as Python writes it', 'isDeep', 'False', false],
  ['a list as text', 'tags', '["a","b"]', ['a', 'b']],
  ['an empty object for a list', 'tags', {}, []],
  ['an empty object as text for a list', 'tags', '{}', []],
  [
    'a list of objects as text with numbers as text',
    'triggers',
    '[{"condition":"x","weight":"2"}]',
    [{ condition: 'x', weight: 2 }],
  ],
  ['objects as text in a list', 'triggers', ['{"condition":"x"}'], [{ condition: 'x' }]],
  ['a list as text within an object as text', 'where', '{"a":"1","b":{"in":"[\\"2\\"]"}}', { a: 1, b: { in: [2] } }],
  ['an empty list for an object', 'where', [], {}],
  ['a list of ids as text where one id is taken too', 'ids', `["${id}"]`, [id]],
  ['a number among literals', 'level', '2', 2],
  ['null that clears', 'parent', null, null],
  ['the word null where null clears', 'parent', 'null', null],
  ['null where it is a value beside a default', 'days', null, null],
  ['a text in a text field that looks like a number', 'q', '2024', '2024'],
  ['an empty text in a text field that takes it', 'note', '', ''],
  ['the word null in a text field', 'note', 'null', 'null'],
  ['JSON in a text field', 'note', '{"a":1}', '{"a":1}'],
  ['anything in a field of any kind', 'any', '[1]', '[1]'],
];
test.each(same)('%s is read as the type of its field', (_what, field, sent, read) => {
  expect(convertRefused(input, { q: 'x', [field]: sent })).toEqual({ q: 'x', [field]: read });
});

test.each([
  ...['limit', 'ratio', 'isDeep', 'kind', 'since', 'ids', 'tags', 'triggers', 'where', 'level'].flatMap((field) =>
    ['', '  ', 'null', null].map((value): [string, unknown] => [field, value]),
  ),
  ['parent', ''],
])('a field that may be absent counts as absent: %s %j', (field, sent) => {
  expect(convertRefused(input, { q: 'x', [field]: sent })).toEqual({ q: 'x' });
});

test.each<[field: string, sent: unknown]>([
  ['q', null],
  ['q', ''],
  ['q', 5],
  ['limit', 'five'],
  ['limit', '5 or 6'],
  ['limit', '0x10'],
  ['limit', '1,5'],
  ['limit', '99999999999999999999'],
  ['limit', true],
  ['isDeep', 'yes'],
  ['isDeep', 1],
  ['tags', 'a,b'],
  ['tags', 'soon'],
  ['tags', { a: 1 }],
  ['tags', ['a', null]],
  ['tags', "['a']"],
  ['where', 'a'],
  ['kind', 'Fact'],
  ['constructor', 'x'],
])('a value without a matching form stays refused: %s %j', (field, sent) => {
  expect(input.safeParse(convertRefused(input, { q: 'x', [field]: sent })).success).toBe(false);
});

test('thousands of refused values are converted in bounded time', () => {
  const begun = performance.now();
  const values = Array.from({ length: 4_000 }, () => ({ in: ['x'] }));
  convertRefused(input, { q: 'x', where: Object.fromEntries(values.map((each, at) => [`field${at}`, each])) });
  expect(performance.now() - begun).toBeLessThan(4_000);
});

const operation: Operation = defineOperation({
  name: 'find_it',
  summary: 'An operation of this test.',
  toolset: 'memory',
  effect: 'read',
  access: { scope: 'memory:read' },
  input,
  aliases: { query: 'q' },
  output: z.object({}),
  errors: [],
  examples: [{ title: 'Any', input: { q: 'x' } }],
  run: async () => ({}),
});

test('only MCP converts values: every other face uses them unchanged', () => {
  const sent = { query: 'x', limit: '5', q: null };
  for (const face of ['rest', 'cli', 'console', 'server', 'telegram'] as const)
    expect(readFaceInput(face, operation, sent)).toBe(sent);
  expect(readFaceInput('mcp', operation, { query: 'x', limit: '5' })).toEqual({ q: 'x', limit: 5 });
  expect(readFaceInput('mcp', operation, { q: 'x', query: null })).toEqual({ q: 'x' });
});

test('JSON inside a text has the same limits as JSON that is sent directly', () => {
  const many = JSON.stringify(Array.from({ length: 20_001 }, () => 'a'));
  expect(() => parseInput(operation, readFaceInput('mcp', operation, { q: 'x', tags: many }))).toThrow(/20000 values/);
  const deep = { q: 'x', tags: '['.repeat(60_000) };
  expect(() => parseInput(operation, readFaceInput('mcp', operation, deep))).toThrow();
});

test.each<[sent: Record<string, unknown>, told: string]>([
  [{ q: 'x', limit: 'five' }, 'limit: Invalid input: expected number, received string; give a number, such as 10'],
  [{ q: 'x', triggers: 'soon' }, 'give a list, such as [{"condition":"…"}]'],
  [{ q: 'x', tags: [1] }, 'tags.0: Invalid input: expected string, received number; give a text, such as "…"'],
  [{ q: 'x', isDeep: 'yes' }, 'give true or false, such as true'],
  [{ q: 'x', where: 'a' }, 'give an object, such as {"name":1}'],
  [{ q: 'x', where: { a: 'b' } }, 'where.a: Invalid input; give a number or an object, such as 1'],
  [{ q: ' ' }, 'q: is empty'],
  [{ q: 'x'.repeat(101) }, 'q: takes at most 100 characters'],
  [{ q: 'x', limit: 0 }, 'limit: must be at least 1'],
  [{ q: 'x', limit: 51 }, 'limit: must be at most 50'],
  [{ q: null }, 'q: Invalid input: expected string, received null; give a text'],
  [
    { q: 'x', at: '2026-02-30T10:00:00Z' },
    'at: Invalid ISO datetime; give a time with its zone, such as "2026-03-01T10:00:00Z"',
  ],
  [{ q: 'x', since: '2026-02-30' }, 'since: Invalid input; give a date or a time with its zone, such as "2026-03-01"'],
  [{ q: 'x', site: 'example' }, 'site: Invalid URL; give an address, such as "https://example.com"'],
])('the error about %j shows the right form', (sent, expectedMessage) => {
  expect(() => parseInput(operation, sent)).toThrow(expectedMessage);
});
