// The lists that a stream is read by: one, or one for each of something, such as channels.
import { valueAt, type Values } from '../executor/values.ts';
import { holds } from './conditions.ts';
import type { Stream } from './descriptor.ts';
import { listAll, type Ask } from './list.ts';

/** One list of a stream: its key among the places, what people call it where there are several, and the values its calls are filled with. */
export type Unit = { stream: Stream; key: string; label: string; values: Values; names: () => Promise<Values> };

/** Every list of a stream. */
export async function unitsOf(ask: Ask, stream: Stream): Promise<Unit[]> {
  let known: Promise<Values> | null = null;
  const names = () => (known ??= readNames(ask, stream));
  let units: Unit[] = [{ stream, key: stream.name, label: '', values: {}, names }];
  for (const { listing, as, id, only } of stream.each ?? []) {
    const below: Unit[] = [];
    for (const { key, label, values } of units) {
      const items = (await listAll(ask, listing, values)).filter((item) => !only || holds(only, item));
      below.push(
        ...items.map((item) => ({
          stream,
          key: `${key} ${String(valueAt(item, id))}`,
          label: `${label ? `${label} / ` : `${stream.name} of `}${String(valueAt(item, 'name') ?? valueAt(item, id))}`,
          values: { ...values, [as]: item },
          names,
        })),
      );
    }
    units = below;
  }
  return units;
}

/** The names that ids stand for, by list and id. */
async function readNames(ask: Ask, { lookups = [] }: Stream): Promise<Values> {
  const lists = await Promise.all(
    lookups.map(async ({ as, listing, id, name }) => {
      const entries = (await listAll(ask, listing, {})).map((item) => [String(valueAt(item, id)), valueAt(item, name)]);
      return [as, Object.fromEntries(entries)] as const;
    }),
  );
  return Object.fromEntries(lists);
}
