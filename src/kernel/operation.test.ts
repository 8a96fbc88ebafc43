import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createCatalogue } from './catalogue.ts';
import { createExampleId } from './examples.ts';
import { itemId, readIds, findIdFields, itemIdList } from './ids.ts';
import { defineOperation, type Operation, type Route } from './operation.ts';

const input = z.strictObject({ id: itemId('memory').optional(), name: z.string().max(10).optional() });

const spec = {
  name: 'plain',
  summary: 'An operation of this test.',
  toolset: 'memory',
  effect: 'read',
  access: { scope: 'memory:read' },
  input,
  output: z.object({}),
  errors: [],
  examples: [{ title: 'Any', input: {} }],
  run: async () => ({}),
} as const;

function createOperation(name: string, rest: Route[] = []): Operation {
  return defineOperation({ ...spec, name, rest });
}

describe('an operation', () => {
  test('without an example is refused', () => {
    expect(() => defineOperation({ ...spec, examples: [] })).toThrow('plain: an operation needs an example');
  });

  test('whose access names an unknown field is refused', () => {
    const of = 'brain_id' as 'id'; // The types refuse this, too.
    const access = { ...spec.access, brain: { role: 'editor', of } } as const;
    expect(() => defineOperation({ ...spec, access })).toThrow("access names 'brain_id'");
  });
});

describe('ids', () => {
  test('are found anywhere in an input', () => {
    const deep = z.strictObject({
      one: itemId('brain'),
      maybe: itemId('memory').describe('described').optional(),
      many: z.array(itemId('draft')).min(1).max(3).default([]),
      inside: z.strictObject({ list: z.array(z.strictObject({ page: itemId('page').nullable() })) }),
      either: z.union([itemId('key'), z.literal('none')]),
      plain: z.uuid(),
    });
    const examples = [{ title: 'Any', input: {} as never }]; // Ids are found in the schema, whatever the examples contain.
    const found = defineOperation({ ...spec, input: deep, examples });
    expect(found.idFields).toEqual([
      { path: ['one'], kind: 'brain' },
      { path: ['maybe'], kind: 'memory' },
      { path: ['many', '*'], kind: 'draft' },
      { path: ['inside', 'list', '*', 'page'], kind: 'page' },
      { path: ['either'], kind: 'key' },
    ]);
  });

  test('are read in order, and an absent field has none', () => {
    const value = { many: ['a', 'b'], inside: { list: [{ page: 'c' }, { page: null }] } };
    expect(readIds(value, ['many', '*'])).toEqual(['a', 'b']);
    expect(readIds(value, ['inside', 'list', '*', 'page'])).toEqual(['c']);
    expect(readIds(value, ['nothing'])).toEqual([]);
  });

  test('of a list are found once, whether it is written as a list or as a text with commas', () => {
    const input = z.strictObject({ brains: itemIdList('brain', 2).optional() });
    expect(findIdFields(input)).toEqual([{ path: ['brains', '*'], kind: 'brain' }]);
    const [one, other] = [createExampleId('brain'), createExampleId('page')];
    for (const brains of [[one, other], `${one},${other}`, ` ${one} , ${other} `])
      expect(readIds(input.parse({ brains }), ['brains', '*'])).toEqual([one, other]);
    for (const brains of ['', ',', `${one},`, 'brain', [], [one, other, one], `${one};${other}`])
      expect(input.safeParse({ brains }).success, String(brains)).toBe(false);
  });

  test('of examples differ by kind and stay the same', () => {
    const kinds = ['brain', 'memory', 'other_memory', 'memory_session', 'page', 'draft', 'connection', 'key'] as const;
    expect(new Set(kinds.map(createExampleId)).size).toBe(kinds.length);
    expect(kinds.every((kind) => z.uuid().safeParse(createExampleId(kind)).success)).toBe(true);
    expect(createExampleId('memory')).toBe(createExampleId('memory'));
  });
});

describe('the catalogue', () => {
  test('finds operations by name', () => {
    expect([...createCatalogue([createOperation('one'), createOperation('two')]).keys()]).toEqual(['one', 'two']);
  });

  test('refuses a second operation of the same name', () => {
    expect(() => createCatalogue([createOperation('one'), createOperation('one')])).toThrow(
      'two operations are called one',
    );
  });

  test('refuses a second operation of the same route, whatever its parameters are called', () => {
    const routes = (path: Route['path']): Route[] => [{ method: 'GET', path }];
    const both = [
      createOperation('one', routes('/v1/things/{id}')),
      createOperation('two', routes('/v1/things/{name}')),
    ];
    expect(() => createCatalogue(both)).toThrow('two and one share the route GET /v1/things/{}');
    const other = createOperation('three', [{ method: 'POST', path: '/v1/things/{name}' }]);
    expect(createCatalogue([both[0]!, other]).size).toBe(2);
  });
});
