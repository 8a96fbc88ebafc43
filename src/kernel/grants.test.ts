import { expect, test } from 'vitest';
import { z } from 'zod';
import { applyGrants, intersectGrants, listGrantedReads, type Grant } from './grants.ts';
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

const line = { method: 'POST', url: 'https://a/search' };
const other = { method: 'POST', url: 'https://a/other' };

test.for([
  [{ reads: [line, other] }, { reads: [line] }, { reads: [line] }],
  [{ reads: [line], max_tokens: 5 }, undefined, { max_tokens: 5 }],
  [{ reads: [line] }, { reads: [{ ...line, graphql: '{ a }' }] }, {}],
] as const)('endpoints that are read by POST are those of both %j and %j', ([one, also, both]) => {
  expect(intersectGrants([grant(one)], [grant(also)])).toEqual([grant(both)]);
  expect(intersectGrants([grant(also)], [grant(one)])).toEqual([grant(both)]);
});

test('an endpoint of a grant counts for the calls alone that this grant allows', () => {
  const grants = [grant({ reads: [line], max_tokens: 5 }), grant({ reads: 'all', filter: 1 }), grant()];
  expect(listGrantedReads(grants, operation, { max_tokens: 5 })).toEqual([line]);
  expect(listGrantedReads(grants, operation, { max_tokens: 6, filter: 1 })).toEqual([]);
  expect(tryGrants([grant({ reads: [line] })], { url: 'https://elsewhere' })).toEqual({ url: 'https://elsewhere' });
  expect(listGrantedReads([{ tool: 'search', params: { reads: [line] } }], operation, {})).toEqual([]);
});
