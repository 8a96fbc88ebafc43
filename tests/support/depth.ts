/** What a run takes in: `check` what a minute or two tell, `test` what every change needs, `deep` everything. */
export const depth = process.env['TEST_DEPTH'] ?? 'test';
export const isDeep = depth === 'deep';

/** All of them in the deep run; otherwise `few`, which prove the same once. */
export function selectByDepth<Item>(all: readonly Item[], few: readonly Item[]): readonly Item[] {
  return isDeep ? all : few;
}
