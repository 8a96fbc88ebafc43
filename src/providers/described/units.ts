// The lists that a stream is read by: one, or one for each of something, such as channels.
import { valueAt, type Values } from '#providers/http';
import type { Stream } from './descriptor.ts';
import { idOf, itemsOf } from './levels.ts';
import { listAll, type Ask } from './list.ts';

/** One list of a stream: its key among the positions, its name where there are several, and the values of its calls. */
export type Unit = { stream: Stream; key: string; label: string; values: Values; names: () => Promise<Values> };

/** Every list of a stream. `isWhole`: there are no more than these. */
export async function unitsOf(ask: Ask, stream: Stream): Promise<{ units: Unit[]; isWhole: boolean }> {
  let known: Promise<Values> | null = null;
  const names = () => (known ??= readNames(ask, stream));
  let units: Unit[] = [{ stream, key: stream.name, label: '', values: {}, names }];
  let isWhole = true;
  for (const level of stream.each ?? []) {
    const below: Unit[] = [];
    for (const { key, label, values } of units) {
      const of = await itemsOf(ask, level, values);
      isWhole &&= of.isWhole;
      below.push(
        ...of.items.map((item) => ({
          stream,
          key: `${key} ${idOf(level, item)}`,
          label: `${label ? `${label} / ` : `${stream.name} of `}${String(valueAt(item, level.label ?? 'name') ?? idOf(level, item))}`,
          values: { ...values, [level.as]: item },
          names,
        })),
      );
    }
    units = below;
  }
  return { units, isWhole };
}

/** The names of ids, by list and id. */
async function readNames(ask: Ask, { lookups = [] }: Stream): Promise<Values> {
  const lists = await Promise.all(
    lookups.map(async ({ as, listing, id, name }) => {
      const entries = (await listAll(ask, listing, {})).map((item) => [String(valueAt(item, id)), valueAt(item, name)]);
      return [as, Object.fromEntries(entries)] as const;
    }),
  );
  return Object.fromEntries(lists);
}
