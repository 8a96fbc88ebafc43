// Lists a tree level by level, such as folders inside folders.

/** The most items that are read. */
const mostItems = 1_000;

/** All items, the top level first. `isWhole`: there are no more, and no deeper ones. */
export async function listLevels<Item>(
  top: readonly Item[],
  {
    hasBelow,
    listBelow,
    deepest,
  }: {
    hasBelow(item: Item): boolean;
    listBelow(item: Item): Promise<readonly Item[]>;
    deepest: number;
  },
): Promise<{ items: Item[]; isWhole: boolean }> {
  const items: Item[] = [];
  let level = top;
  for (let depth = 0; level.length; depth += 1) {
    items.push(...level);
    const parents = level.filter(hasBelow);
    if (!parents.length) break;
    if (depth >= deepest || items.length > mostItems) return { items, isWhole: false };
    const below: Item[] = [];
    for (const parent of parents) below.push(...(await listBelow(parent)));
    level = below;
  }
  return { items, isWhole: true };
}
