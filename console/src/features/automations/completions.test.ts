import { automationSdk } from '../../../../src/faces/reference/automation-sdk.ts';
import { expect, test } from 'vitest';
import { findCompletions } from './completions.ts';
import { readSdk } from './sdk.ts';

const sdk = readSdk(automationSdk);
const variables = [{ name: 'SHOP_TOKEN', type: 'string', info: 'Of the shop.' }];
const listOffered = (before: string, language: 'typescript' | 'python' = 'typescript') =>
  findCompletions(before, { sdk, variables, language, isExplicit: true })?.options ?? [];
const listLabels = (...given: Parameters<typeof listOffered>) => listOffered(...given).map(({ label }) => label);

test('the editor offers the tools of the SDK, and the fields of a call with their types', () => {
  expect(listOffered('await brains.search_m')).toContainEqual(
    expect.objectContaining({ label: 'search_memory', apply: 'search_memory({  })' }),
  );
  const fields = listOffered('await brains.search_memory({ q: "a { b", li');
  expect(fields).toContainEqual(
    expect.objectContaining({ label: 'limit', detail: 'number, optional', apply: 'limit: ' }),
  );
  expect(fields).toContainEqual(
    expect.objectContaining({ label: 'q', detail: 'string', info: expect.stringContaining('Words') }),
  );
  expect(listLabels('await brains.append_board_rows({ rows: [{ x: 1 }], '), 'none of a nested object').toEqual(
    expect.arrayContaining(['board_id', 'rows', 'dataset', 'dedupe_key_field']),
  );
});

test.for([
  ['await brains.search_memory({ q: ', 'the value of a field'],
  ['await brains.append_board_rows({ rows: [{ ', 'a field of a row'],
  ['await brains.search_memory({ q: "x" }); const { ', 'after a call'],
  ['const ', 'no call at all'],
] as const)('the editor offers no fields in %j: %s', ([before]) => {
  expect(listLabels(before)).toEqual([]);
});

test('the editor offers variables and helpers of env, and writes fields of Python as keywords', () => {
  expect(listLabels('env.')).toEqual(['SHOP_TOKEN', 'helpers']);
  expect(listLabels('env.helpers.h')).toContain('hmacSha256Hex');
  expect(listOffered('await brains.search_memory(', 'python')).toContainEqual(
    expect.objectContaining({ label: 'q', apply: 'q=' }),
  );
});
