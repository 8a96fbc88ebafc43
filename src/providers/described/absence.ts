// Finds known items that no longer exist.
import type { NewPage } from '#kernel/page';
import { valueAt, type Values } from '#providers/http';
import { gonePage, type ItemError, type Listed, momentOf } from '#providers/reading';
import type { Stream } from './descriptor.ts';
import { listAll, type Ask } from './list.ts';
import { stillThere } from './still-there.ts';
import { refOf } from './write-page.ts';

/** Deletions in a longer list are not noticed: all of it would have to be stored. */
const mostKnown = 20_000;

/** The part of a list that a reading covered. `isWhole`: all items, or all that are not older than `since`. */
export type Met = {
  refs: Map<string, string>;
  count: number;
  isWhole: boolean;
  since: number | null;
  /** When that is too many items to remember: those that are not older than this; null: all. */
  recent: number | null;
  /** The items at the last reading; null when they are unknown. */
  before: ReadonlyMap<string, string> | null;
};

/** `listed`: the list's known items from now on; absent if there are none. */
export type Absence = { gone: string[]; listed?: Listed | undefined; errors: ItemError[] };

/** Notes that items were met. What has no reference cannot be missed either. */
export function meet(met: Met, { page, since }: Stream, items: readonly unknown[], values: Values): void {
  for (const item of items) {
    if (met.recent !== null && met.refs.size >= mostKnown) forgetOld(met, met.recent);
    const at = momentOf(valueAt(item, since.at), since.as);
    const ref = refOf(page, { ...values, item });
    if (since.lookBackDays && met.since !== null && at < met.since) continue;
    // One more than the limit shows that there are too many.
    if (ref !== '' && met.refs.size <= mostKnown) met.refs.set(ref, Number.isNaN(at) ? '' : new Date(at).toISOString());
  }
}

/** In a list that is looked back into, only deletions among the last items are noticed when it is very long. */
function forgetOld(met: Met, recent: number): void {
  for (const [ref, at] of met.refs) if (at === '' || Date.parse(at) < recent) met.refs.delete(ref);
  met.since = recent;
  met.recent = null;
}

/** Whether an item is new in the list, however long ago it was changed. */
export function isNew({ before }: Met, { page }: Stream, values: Values): boolean {
  return before !== null && !before.has(refOf(page, values));
}

/** The deleted items of a list, and its known items from now on. */
export async function absenceIn(ask: Ask, stream: Stream, values: Values, met: Met): Promise<Absence> {
  const found = await missingIn(ask, stream, values, met);
  const { check } = stream.absence ?? {};
  if (!check || !found.gone.length) return found;
  const there = new Set(await stillThere(ask, check, found.gone));
  const left = [...(met.before ?? [])].filter(([ref]) => there.has(ref));
  return { gone: found.gone.filter((ref) => !there.has(ref)), ...fewEnough([...(found.listed ?? []), ...left]) };
}

async function missingIn(ask: Ask, stream: Stream, values: Values, met: Met): Promise<Absence> {
  const before = new Map([...(met.before ?? []), ...met.refs]);
  const present = stream.absence?.listing
    ? (await listAll(ask, stream.absence.listing, values)).map((item) => refOf(stream.page, { ...values, item }))
    : null;
  if (present) {
    const there = new Set(present);
    const gone = [...before.keys()].filter((ref) => !there.has(ref));
    return { gone, ...fewEnough([...there].map((ref) => [ref, ''] as const)) };
  }
  if (met.refs.size > mostKnown) return { gone: [], ...fewEnough([...met.refs]) };
  // After a first reading in two parts, only the second part is known: the next reading is the first to know all.
  if (!met.isWhole && !met.before) return { gone: [], errors: [] };
  if (!met.isWhole) return { gone: [], ...fewEnough([...before]) };
  const isAsked = (at: string) => met.since === null || (at !== '' && Date.parse(at) >= met.since);
  const gone = [...(met.before ?? [])].filter(([ref, at]) => !met.refs.has(ref) && isAsked(at)).map(([ref]) => ref);
  return { gone, ...fewEnough([...met.refs]) };
}

/** Whether a list has changed its items, or its known items. */
export function isOther({ before }: Met, listed: Listed | undefined): boolean {
  if (!before || !listed) return before !== null || listed !== undefined;
  return before.size !== listed.length || listed.some(([ref, at]) => before.get(ref) !== at);
}

/** The number of further items, by the last answer; 0 when it does not say. */
export function missingOf({ total }: Stream, { count, isWhole }: Met, data: unknown): number {
  const all = total === undefined ? undefined : valueAt(data, total);
  return isWhole && typeof all === 'number' ? Math.max(0, all - count) : 0;
}

/** Pages that hide deleted items. */
export function gonePages({ page }: Stream, source: string, refs: readonly string[]): NewPage[] {
  return refs.map((ref) => gonePage({ source, ref, type: page.type }));
}

function fewEnough(listed: Listed): Pick<Absence, 'listed' | 'errors'> {
  if (listed.length <= mostKnown) return { listed, errors: [] };
  const message = `There are more than ${mostKnown}: what is deleted there stays here.`;
  return { errors: [{ item: 'the list', message }] };
}
