import { expect, test } from 'vitest';
import { z } from 'zod';
import type { JsonSchema } from '#faces/reference';
import { shortenSchema, shortenTool } from './short-schema.ts';

const toInputSchema = (input: z.ZodType) => z.toJSONSchema(input, { io: 'input' }) as JsonSchema; // of an object
const createDateSchema = () => z.union([z.iso.date(), z.iso.datetime({ offset: true })]);
const states = ['pending', 'confirming', 'ambiguous', 'failed', 'confirmed', 'discarded', 'expired', 'stale', 'undone'];

test('patterns beside a format, and bounds that every number meets, are removed', () => {
  const { properties } = shortenSchema(toInputSchema(z.strictObject({ id: z.uuid(), count: z.int() })));
  expect(properties).toEqual({ id: { type: 'string', format: 'uuid' }, count: { type: 'integer' } });
});

test('a field named like a keyword of JSON Schema stays', () => {
  const { properties } = shortenSchema(
    toInputSchema(z.strictObject({ pattern: z.string(), maximum: z.int(), default: createDateSchema() })),
  );
  expect(Object.keys(properties ?? {})).toEqual(['pattern', 'maximum', 'default']);
});

test('a long description ends with a whole sentence, or with a whole word', () => {
  const sentences = 'What is sent goes to the person who is asked. It waits there. '.repeat(3);
  const words = 'word '.repeat(60);
  const { properties } = shortenSchema(
    toInputSchema(z.strictObject({ a: z.string().describe(sentences), b: z.string().describe(words) })),
  );
  expect(properties?.['a']?.['description']).toBe('What is sent goes to the person who is asked. It waits there.');
  expect(properties?.['b']?.['description']).toMatch(/^(word ){10,}word…$/);
});

test('a repeated schema is written once, and each use keeps its description and default', () => {
  const status = z.enum(states);
  const short = shortenSchema(
    toInputSchema(
      z.strictObject({
        status: status.describe('One.').default('stale'),
        statuses: z.array(status).describe('Several.'),
      }),
    ),
  );
  expect(short['$defs']).toEqual({ status: { type: 'string', enum: states } });
  expect(short.properties).toMatchObject({
    status: { $ref: '#/$defs/status', description: 'One.', default: 'stale' },
    statuses: { type: 'array', items: { $ref: '#/$defs/status' }, description: 'Several.' },
  });
});

test('the short schema accepts what the full one accepts, and refuses unknown fields', () => {
  const input = z.strictObject({
    since: createDateSchema().optional(),
    until: createDateSchema().optional(),
    state: z.enum(states),
    n: z.int().max(9),
  });
  const short = z.fromJSONSchema(shortenSchema(toInputSchema(input)) as z.core.JSONSchema.JSONSchema);
  const fitting = { since: '2026-01-01', until: '2026-01-01T10:00:00Z', state: 'stale', n: 9 };
  expect(short.safeParse(fitting).success).toBe(true);
  for (const wrong of [{ more: 1 }, { state: 'other' }, { n: 10 }])
    expect(short.safeParse({ ...fitting, ...wrong }).success).toBe(false);
});

test('a tool is shortened once, without its output schema', () => {
  const tool = { name: 'a', inputSchema: { type: 'object' as const }, outputSchema: { type: 'object' as const } };
  expect(shortenTool(tool)).toEqual({ name: 'a', inputSchema: { type: 'object' } });
  expect(shortenTool(tool)).toBe(shortenTool(tool));
});
