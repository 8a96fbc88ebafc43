// Lists nested items, such as blocks inside blocks.
import { isWithheld } from '#providers/http';

/** The most lists that are requested below one list. */
const mostLists = 500;

/** How items are nested. `listBelow` returns at most `most` items below one. */
export type Nesting = {
  hasBelow(item: unknown): boolean;
  listBelow(item: unknown, most: number): Promise<readonly unknown[]>;
  /** The most items in all. */
  most: number;
  /** Deeper items are omitted. */
  deepest: number;
};

/** Every item, each followed by the items below it. A list that cannot be read does not affect the others. */
export async function listNested(top: readonly unknown[], nesting: Nesting): Promise<unknown[]> {
  const { hasBelow, listBelow, most, deepest } = nesting;
  const all: unknown[] = [];
  let asked = 0;
  const add = async (list: readonly unknown[], depth: number) => {
    for (const each of list) {
      if (all.length >= most) return;
      all.push(each);
      if (depth >= deepest || asked >= mostLists || !hasBelow(each)) continue;
      asked += 1;
      await add(await readOrNothing(listBelow(each, most - all.length)), depth + 1);
    }
  };
  await add(top, 0);
  return all;
}

async function readOrNothing(list: Promise<readonly unknown[]>): Promise<readonly unknown[]> {
  try {
    return await list;
  } catch (error) {
    if (isWithheld(error)) return [];
    throw error;
  }
}
