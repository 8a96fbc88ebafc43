import { expect, test } from 'vitest';
import { z } from 'zod';
import { applyGrants, intersectGrants, type Grant } from './grants.ts';
import type { Operation } from './operation.ts';

const input = z.object({ url: z.string(), max_tokens: z.number(), filter: z.unknown() });
const operation = { name: 'http_fetch', input } as unknown as Operation; // the part of an operation that grants read
const tryGrants = (grants: Grant[], given: object) => {
  try {
    return applyGrants(grants, operation, given);
  } catch {
    return 'refused';
  }
};
const grant = (params?: Record<string, unknown>): Grant => ({ tool: 'http_fetch', params });

test.for([
  [{ a: { b: 1 } }, { a: { b: 1, c: 2 }, d: 3 }, true],
  [{ a: { b: 1 } }, { a: { b: 2 } }, false],
  [{ a: { b: 1 } }, { a: 1 }, false],
  [{ list: [1, { a: 1 }] }, { list: [1, { a: 1, b: 2 }] }, true],
  [{ list: [1] }, { list: [1, 2] }, false],
  [{ list: [1] }, { list: { 0: 1 } }, false],
] as const)('a grant of %j against %j: objects may have more fields, lists may not', ([filter, given, isAllowed]) => {
  expect(tryGrants([grant({ filter })], { filter: given }) !== 'refused').toBe(isAllowed);
});

test.for([
  [undefined, { max_tokens: 5 }, { max_tokens: 5 }],
  [{ max_tokens: 9 }, { max_tokens: 5 }, { max_tokens: 5 }],
  [{ hosts: ['a', 'b'] }, { hosts: ['b', 'c'] }, { hosts: ['b'] }],
  [{ filter: { a: 1 } }, { filter: { a: 1, b: 2 } }, { filter: { a: 1, b: 2 } }],
  [{ filter: 1 }, { max_tokens: 5 }, { filter: 1, max_tokens: 5 }],
  [{ filter: 1 }, { filter: 2 }, null],
] as const)('what %j and %j both allow', ([one, other, both]) => {
  const expected = both ? [grant(both)] : [];
  expect(intersectGrants([grant(one)], [grant(other)])).toEqual(expected);
  expect(intersectGrants([grant(other)], [grant(one), { tool: 'search' }])).toEqual(expected);
});
