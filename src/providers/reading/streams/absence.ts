// Finds known items that no longer exist.
import type { NewPage } from '#kernel/page';
import { parseMoment } from '../moments.ts';
import { createGonePage, type ItemError, type ListedItems } from '../source.ts';
import type { AnyStream } from './stream.ts';

/** Deletions in a longer list are not noticed: noticing them would require storing the whole list. */
const mostKnown = 20_000;

/** The part of a list that a reading covered. `isWhole`: all items, or all that are not older than `since`. */
export type ListCoverage = {
  refs: Map<string, string>;
  count: number;
  isWhole: boolean;
  since: number | null;
  /** If there are too many items to store: only those not older than this; null: all. */
  recent: number | null;
  /** The known items from the last reading; null: unknown. */
  before: ReadonlyMap<string, string> | null;
};

/** `listed`: the list's known items from now on; absent if none are stored. */
export type Absence = { missingRefs: string[]; listed?: ListedItems | undefined; errors: ItemError[] };

/** Adds the items of a page. An item without a reference cannot be noticed as missing. */
export function noteItems(met: ListCoverage, stream: AnyStream, items: readonly unknown[], of: unknown): void {
  for (const item of items) {
    if (met.recent !== null && met.refs.size >= mostKnown) forgetOld(met, met.recent);
    const at = parseMoment(stream.readTimes(item)[0], stream.since.as);
    const ref = stream.buildRef(item, of);
    if (stream.since.lookBackDays && met.since !== null && at < met.since) continue;
    // One more than the limit shows that there are too many.
    if (ref !== '' && met.refs.size <= mostKnown) met.refs.set(ref, Number.isNaN(at) ? '' : new Date(at).toISOString());
  }
}

/** In a very long list that is partly listed again, only deletions among the last items are noticed. */
function forgetOld(met: ListCoverage, recent: number): void {
  for (const [ref, at] of met.refs) if (at === '' || Date.parse(at) < recent) met.refs.delete(ref);
  met.since = recent;
  met.recent = null;
}

/** Whether an item is new in the list, no matter when it was changed. */
export function isNew({ before }: ListCoverage, ref: string): boolean {
  return before !== null && !before.has(ref);
}

/** The deleted items of a list, and its known items from now on. */
export async function findAbsence(stream: AnyStream, of: unknown, met: ListCoverage): Promise<Absence> {
  const found = await findMissing(stream, of, met);
  const { findPresent } = stream.absence ?? {};
  if (!findPresent || !found.missingRefs.length) return found;
  const there = new Set(await findPresent(found.missingRefs));
  const left = [...(met.before ?? [])].filter(([ref]) => there.has(ref));
  return {
    missingRefs: found.missingRefs.filter((ref) => !there.has(ref)),
    ...limitKnown([...(found.listed ?? []), ...left]),
  };
}

async function findMissing(stream: AnyStream, of: unknown, met: ListCoverage): Promise<Absence> {
  const before = new Map([...(met.before ?? []), ...met.refs]);
  const present = stream.absence?.listRefs ? await stream.absence.listRefs(of) : null;
  if (present) {
    const there = new Set(present);
    const missingRefs = [...before.keys()].filter((ref) => !there.has(ref));
    return { missingRefs, ...limitKnown([...there].map((ref) => [ref, ''] as const)) };
  }
  if (met.refs.size > mostKnown) return { missingRefs: [], ...limitKnown([...met.refs]) };
  // After a first reading in two parts, only the second part is known. The next reading is the first to know all items.
  if (!met.isWhole && !met.before) return { missingRefs: [], errors: [] };
  if (!met.isWhole) return { missingRefs: [], ...limitKnown([...before]) };
  const isCovered = (at: string) => met.since === null || (at !== '' && Date.parse(at) >= met.since);
  const missingRefs = [...(met.before ?? [])]
    .filter(([ref, at]) => !met.refs.has(ref) && isCovered(at))
    .map(([ref]) => ref);
  return { missingRefs, ...limitKnown([...met.refs]) };
}

/** Whether a list has changed its items, or its known items. */
export function hasOtherItems({ before }: ListCoverage, listed: ListedItems | undefined): boolean {
  if (!before || !listed) return before !== null || listed !== undefined;
  return before.size !== listed.length || listed.some(([ref, at]) => before.get(ref) !== at);
}

/** The number of further items, according to the last page; 0 when it does not say. */
export function countMissing({ count, isWhole }: ListCoverage, total: number | undefined): number {
  return isWhole && total !== undefined ? Math.max(0, total - count) : 0;
}

/** Pages that mark deleted items as hidden. */
export function buildGonePages({ type }: AnyStream, source: string, refs: readonly string[]): NewPage[] {
  return refs.map((ref) => createGonePage({ source, ref, type }));
}

function limitKnown(listed: ListedItems): Pick<Absence, 'listed' | 'errors'> {
  if (listed.length <= mostKnown) return { listed, errors: [] };
  const message = `There are more than ${mostKnown} items: deletions among them are not noticed.`;
  return { errors: [{ item: 'the list', message }] };
}
