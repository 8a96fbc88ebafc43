// Further requests about one item: a list, and the children of each of its entries.
import { holds, ProviderFault, type Values } from '#providers/http';
import type { Detail } from './descriptor.ts';
import { listAll, type Ask } from './list.ts';

/** The most child lists that are requested about one item. */
const mostLists = 500;
/** Errors which mean that an item has no list below it, or one that this account may not read. */
const withheld: readonly string[] = ['not_found', 'permission', 'invalid_request'];

/** Whether an item has no such list, or this account may not read it. */
export function isWithheld(error: unknown): boolean {
  return error instanceof ProviderFault && withheld.includes(error.category);
}

/** A detail of an item, each followed by what is below it; the first `most` of all. */
export async function detailOf(ask: Ask, detail: Detail, values: Values): Promise<unknown[]> {
  const { listing, most = Infinity, below } = detail;
  const top = await listAll(ask, listing, values, most);
  if (!below) return top;
  const all: unknown[] = [];
  let asked = 0;
  const add = async (list: readonly unknown[], depth: number) => {
    for (const each of list) {
      if (all.length >= most) return;
      all.push(each);
      const hasMore = depth < below.deepest && below.when.every((condition) => holds(condition, each));
      if (!hasMore || asked >= mostLists) continue;
      asked += 1;
      await add(await listBelow(ask, below, { ...values, [below.as]: each }, most - all.length), depth + 1);
    }
  };
  await add(top, 0);
  return all;
}

/** An unreadable one does not affect the others. */
async function listBelow(
  ask: Ask,
  { listing }: NonNullable<Detail['below']>,
  values: Values,
  most: number,
): Promise<unknown[]> {
  try {
    return await listAll(ask, listing, values, most);
  } catch (error) {
    if (isWithheld(error)) return [];
    throw error;
  }
}
