/** What a run contains: `check` the tests of a minute or two, `test` those that every change needs, `deep` everything. */
export const depth = process.env['TEST_DEPTH'] ?? 'test';
export const isDeep = depth === 'deep';

/** All of them in the deep run; otherwise `few`, which prove the same once. */
export function selectByDepth<Item>(all: readonly Item[], few: readonly Item[]): readonly Item[] {
  return isDeep ? all : few;
}
