// Finds the items that an action names, and reports missing and ambiguous ones.
import { AppError } from '#kernel/errors';
import { allowMissing } from '#providers/http';

/** A list, read already or page by page. */
type Items<Item> = AsyncIterable<Item> | Iterable<Item>;

/** The found item. Throws `not_found` with the message without one. */
export function assertFound<Found>(found: Found | null | undefined, message: string): Found {
  if (found === undefined || found === null) throw new AppError('not_found', message);
  return found;
}

/** The first of a list that fits. */
export async function findFirst<Item>(items: Items<Item>, fits: (item: Item) => boolean): Promise<Item | undefined> {
  for await (const item of items) if (fits(item)) return item;
  return undefined;
}

/** All of a list that fit. */
export async function filterAll<Item>(items: Items<Item>, fits: (item: Item) => boolean = () => true) {
  const all: Item[] = [];
  for await (const item of items) if (fits(item)) all.push(item);
  return all;
}

/**
 * The one of a list that is meant. Throws `missing` when nothing fits, or the list is not there, and `several` when more than one
 * does; without `several` the first one is taken.
 */
export async function pick<Item>(
  items: Items<Item>,
  fits: (item: Item) => boolean,
  { missing, several }: { missing: string; several?: string },
): Promise<Item> {
  const found = await allowMissing(several === undefined ? findFirstOnly(items, fits) : filterAll(items, fits));
  const [item, another] = found ?? [];
  if (another !== undefined && several !== undefined) throw new AppError('invalid_input', several);
  return assertFound(item, missing);
}

async function findFirstOnly<Item>(items: Items<Item>, fits: (item: Item) => boolean): Promise<Item[]> {
  const item = await findFirst(items, fits);
  return item === undefined ? [] : [item];
}
