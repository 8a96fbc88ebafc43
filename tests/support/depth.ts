/** Whether everything is run (`npm run test:deep`), or what every change needs. */
export const isDeep = process.env['TEST_DEPTH'] === 'deep';

/** All of them in the deep run; otherwise `few`, which prove the same once. */
export function inDepth<Item>(all: readonly Item[], few: readonly Item[]): readonly Item[] {
  return isDeep ? all : few;
}
