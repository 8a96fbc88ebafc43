// Lists the parents (such as channels) that a stream is read for, with their children.
import { holds, ProviderFault, valueAt, type Values } from '#providers/http';
import type { Level } from './descriptor.ts';
import { listAll, type Ask } from './list.ts';

/** The most parents that are read. */
const mostBelow = 1_000;

/** `isWhole`: these are all. Else there are more, or deeper ones, than are read. */
export type OfLevel = { items: unknown[]; isWhole: boolean };

/** All of a level, the top first, and before them those that have to be read first. */
export async function itemsOf(ask: Ask, level: Level, values: Values): Promise<OfLevel> {
  const { listing, only, as, below } = level;
  const [first, leftOut] = await Promise.all([
    specialOf(ask, level, 'first', values),
    specialOf(ask, level, 'left out', values),
  ]);
  const isRead = (item: unknown) => (!only || holds(only, item)) && !leftOut.has(idOf(level, item));
  const items: unknown[] = [];
  let found = (await listAll(ask, listing, values)).filter(isRead);
  let isWhole = true;
  for (let depth = 0; found.length; depth += 1) {
    items.push(...found);
    const parents = below ? found.filter((item) => holds(below.when, item)) : [];
    found = [];
    if (!below || !parents.length) break;
    isWhole = depth < below.deepest && items.length <= mostBelow;
    if (!isWhole) break;
    for (const parent of parents)
      found.push(...(await listAll(ask, below.listing, { ...values, [as]: parent })).filter(isRead));
  }
  const inOrder = items.toSorted(
    (one, other) => Number(first.has(idOf(level, other))) - Number(first.has(idOf(level, one))),
  );
  return { items: inOrder, isWhole };
}

/** Its identity within its level. */
export function idOf({ id }: Level, item: unknown): string {
  return String(valueAt(item, id));
}

/** The ids of special entries. An account need not have them all. */
async function specialOf(
  ask: Ask,
  level: Level,
  way: NonNullable<Level['special']>[number]['are'],
  values: Values,
): Promise<Set<string>> {
  const calls = (level.special ?? []).filter(({ are }) => are === way);
  const ids = await Promise.all(
    calls.map(async ({ call }) => {
      try {
        return [idOf(level, (await ask(call, values)).data)];
      } catch (error) {
        if (error instanceof ProviderFault && error.category === 'not_found') return [];
        throw error;
      }
    }),
  );
  return new Set(ids.flat());
}
