import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { errorStatus } from '#kernel/errors';
import type { Operation } from '#kernel/operation';
import { parseInput } from '#kernel/parse';
import { scopes } from '#kernel/scopes';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { describeProduct } from '../../src/server.ts';

const operations = [...(await describeProduct()).values()];
const cases = operations.map((operation): [string, Operation] => [operation.name, operation]);

type Schema = {
  type?: string;
  enum?: unknown[];
  const?: unknown;
  format?: string;
  maxLength?: number;
  maxItems?: number;
  additionalProperties?: unknown;
  properties?: Record<string, Schema>;
  propertyNames?: Schema;
  items?: Schema;
  anyOf?: Schema[];
};

/** Formats whose own rule bounds what can be written. */
const boundedFormats = ['uuid', 'date-time'];

/** Every schema that an input holds, with the path to it. */
function listSchemas(schema: Schema, path = ''): [path: string, schema: Schema][] {
  const { properties = {}, items, anyOf = [], additionalProperties, propertyNames } = schema;
  const named = Object.entries(properties).map(([name, field]): [string, Schema] => [`${path}.${name}`, field]);
  const others = [items, ...anyOf, additionalProperties, propertyNames].filter(isSchema);
  const inner = [...named, ...others.map((other): [string, Schema] => [`${path}[]`, other])];
  return [[path, schema], ...inner.flatMap(([at, each]) => listSchemas(each, at))];
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null;
}

function toInputSchema(operation: Operation): Schema {
  return z.toJSONSchema(operation.input, { io: 'input' }) as Schema; // JSON Schema is what zod makes of it
}

/** The names that the guide and clients use. A new one is a decision, and a removed one breaks addresses. */
const toolsets = [
  'accounts',
  'actions',
  'automations',
  'boards',
  'brains',
  'curation',
  'documents',
  'ingest',
  'integrations',
  'memory',
  'recipes',
  'variables',
  'webhooks',
  'workflows',
];

test('the operations are in these toolsets', () => {
  expect([...new Set(operations.map(({ toolset }) => toolset))].toSorted()).toEqual(toolsets);
});

test.for(cases)('the operation %s has a one-sentence summary, its access, and an example', ([, operation]) => {
  expect(operation.name).toMatch(/^[a-z]+(_[a-z]+)*$/);
  expect(operation.summary).toMatch(/^[A-Z][^\n]{10,298}\.$/);
  expect(scopes).toContain(operation.access.scope);
  expect(operation.errors.every((code) => code in errorStatus)).toBe(true);
  expect(operation.examples.length).toBeGreaterThan(0);
  for (const { title } of operation.examples) expect(title.length).toBeGreaterThan(2);
});

test.for(cases)(
  'the operation %s limits every text and list of its input, and accepts no unknown field',
  ([, operation]) => {
    for (const [path, schema] of listSchemas(toInputSchema(operation))) {
      const where = `${operation.name}${path}`;
      if (schema.properties) expect(schema.additionalProperties, where).toBe(false);
      if (schema.type === 'array') expect(schema.maxItems, where).toBeLessThanOrEqual(1_000);
      const isBounded = schema.enum || schema.const !== undefined || boundedFormats.includes(schema.format ?? '');
      // A file as text is bounded by what the body may have.
      // A script has the length that the contract gives it.
      const isScript =
        (path === '.source' && operation.toolset === 'automations') ||
        (path.startsWith('.automations') && path.endsWith('.source'));
      const usual = isScript ? 200_000 : 100_000;
      // Fields of other systems have no length limit of their own. The body limit applies.
      const isSent = operation.toolset === 'ingest' && path.endsWith('.content');
      const isWholeFile =
        operation.name === 'add_import_lines' ||
        path.endsWith('_base64') ||
        path.endsWith('.preview_image') ||
        isSent ||
        path === '.fixture_raw_body' ||
        (path === '.content' && operation.toolset === 'documents');
      const most = isWholeFile ? (operation.maxBodyBytes ?? (isSent ? 200_000 : 0)) : usual;
      if (schema.type === 'string' && !isBounded) expect(schema.maxLength, where).toBeLessThanOrEqual(most);
    }
  },
);

test.for(cases)(
  'the error of %s names an unknown field and the known ones, unless it is for hooks of other products',
  ([, operation]) => {
    const known = Object.keys(operation.input.shape).join(', ') || 'none';
    const parse = () => parseInput(operation, { ...operation.examples[0]?.input, colour: 'red' });
    if (operation.ignoresUnknownFields) {
      expect(operation.rest?.map(({ path }) => path)).toEqual([expect.stringMatching(/^\/(inbox|ingest)\/claude/)]);
      return void expect(parse).not.toThrow();
    }
    expect(parse).toThrow(`unknown field 'colour'. Known fields: ${known}.`);
    expect(parse).toThrow(expect.objectContaining({ code: 'invalid_input' }));
  },
);

/** Answers a bare list by REST, as the reference has it; by MCP the list is in `items`. */
const returnsList = ['list_uninstalled'];

test.for(cases)('the operation %s accepts its own examples, and returns an object', ([name, operation]) => {
  for (const { input, output } of operation.examples) {
    expect(() => parseInput(operation, input)).not.toThrow();
    if (output !== undefined) expect(operation.output.safeParse(output).success).toBe(true);
  }
  expect(z.toJSONSchema(operation.output, { io: 'output' })).toMatchObject({
    type: returnsList.includes(name) ? 'array' : 'object',
  });
});

test.for(cases)('the operation %s publishes formats that fit every answer it may give', ([, operation]) => {
  const formatted = new Map<z.core.$ZodType, string>();
  z.toJSONSchema(operation.output, {
    io: 'output',
    override: ({ zodSchema, jsonSchema: { format } }) => format !== undefined && formatted.set(zodSchema, format),
  });
  // What `describe` and the like began with is published, too; only the schema that they made counts.
  for (const made of formatted.keys())
    for (let { parent } = made._zod; parent; { parent } = parent._zod) formatted.delete(parent);
  for (const [schema, format] of formatted) {
    // `uri()` of the kernel makes an address fit; `z.url()` lets others pass than the format allows.
    if (format === 'uri') expect(z.parse(schema, 'https://a.example/{b}')).toBe('https://a.example/%7Bb%7D');
    else expect(['uuid', 'date-time', 'date']).toContain(format);
  }
});

test.for(cases)('the operation %s documents routes whose parameters are its fields', ([, operation]) => {
  for (const { method, path } of operation.rest ?? []) {
    expect(path).toMatch(
      /^\/((v1|api\/workspaces\/\{workspace_id\})\/[a-z/_{}-]+|inbox\/claude(\/[a-z]+)?|ingest\/claude)$/,
    );
    const parts = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect(Object.keys(operation.input.shape)).toEqual(expect.arrayContaining(parts));
    if (method === 'GET') expect(operation.effect, path).toBe('read');
  }
});

test('catalogue.json is current', () => {
  const script = join(import.meta.dirname, '../../scripts/write-catalogue.ts');
  const run = () => execFileSync(process.execPath, [script, '--check'], { encoding: 'utf8', stdio: 'pipe' });
  expect(run).not.toThrow();
});
