// Finds the items that an action names, and reports missing and ambiguous ones.
import { AppError } from '#kernel/errors';
import { allowMissing } from '#providers/http';

/** A list, already read or read page by page. */
type Items<Item> = AsyncIterable<Item> | Iterable<Item>;

/** The found item. Without one, throws `not_found` with the message. */
export function assertFound<Found>(found: Found | null | undefined, message: string): Found {
  if (found === undefined || found === null) throw new AppError('not_found', message);
  return found;
}

/** The first matching item of a list. */
export async function findFirst<Item>(items: Items<Item>, fits: (item: Item) => boolean): Promise<Item | undefined> {
  for await (const item of items) if (fits(item)) return item;
  return undefined;
}

/** All matching items of a list. */
export async function filterAll<Item>(items: Items<Item>, fits: (item: Item) => boolean = () => true) {
  const all: Item[] = [];
  for await (const item of items) if (fits(item)) all.push(item);
  return all;
}

/**
 * The only matching item of a list. Throws `missing` when nothing matches, or when the list does not exist, and
 * `several` when more than one item does. Without `several`, the first match is taken.
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
