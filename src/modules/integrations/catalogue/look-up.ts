// How it is told afterwards what became of a described write.
import type { OfOthers, Outcome } from '#kernel/action';
import { valueAt, type Values } from '../executor/values.ts';
import { find, findAll, fits } from './find.ts';
import type { Ask } from './list.ts';
import { valueOf } from './text.ts';
import type { Lookup, Write } from './write.ts';

/** What is there before it is sent, by its identity; undefined where that does not count. */
export async function identities(ask: Ask, lookup: Lookup, values: Values): Promise<unknown[] | undefined> {
  const { isNew } = lookup;
  if (isNew === undefined) return undefined;
  return (await findAll(ask, lookup, values)).map((item) => identityOf(item, isNew));
}

function identityOf(item: unknown, isNew: NonNullable<Lookup['isNew']>): unknown {
  return typeof isNew === 'string' ? valueAt(item, isNew) : JSON.stringify(isNew.map((place) => valueAt(item, place)));
}

/** What is there: all of it when only its state tells, so that the rest can be compared; what is like it before anything else that is new. */
export async function lookedUp(
  ask: Ask,
  { handle }: Pick<Write, 'handle'>,
  lookup: Lookup,
  values: Values,
  { taken, seen }: OfOthers = { taken: [], seen: [] },
): Promise<unknown> {
  const { isNew, like, version, where, which, ...sought } = lookup;
  if (version) return find(ask, { ...sought, where: which }, values);
  const known = new Set([...((values['known'] as unknown[] | undefined) ?? []), ...taken]); // made by `prepare`
  const isCounted = (item: unknown) => isNew === undefined || !known.has(identityOf(item, isNew));
  if (isNew === undefined && !like) return find(ask, { ...sought, where }, values);
  const all = await findAll(ask, { ...sought, where }, values);
  const counted = seenFirst(oldestFirst(all.filter(isCounted), isNew), isNew, seen);
  if (!like) return counted[0];
  return (handle === 'state' ? all : counted).find((item) => fits(like, item, values)) ?? counted[0];
}

const digits = /^\d+$/;

/**
 * The oldest of what is alike goes first: whoever began earlier may have made any of it, and whoever began later nothing of before.
 * Ids that are numbers grow; other lists are asked for in this order.
 */
function oldestFirst(items: readonly unknown[], isNew: Lookup['isNew']): readonly unknown[] {
  const numbered = items.map((item) => ({ item, id: String(isNew === undefined ? '' : identityOf(item, isNew)) }));
  if (!numbered.every(({ id }) => digits.test(id))) return items;
  return numbered.toSorted((one, other) => (BigInt(one.id) < BigInt(other.id) ? -1 : 1)).map(({ item }) => item);
}

/**
 * What others saw before they were sent is older than what they did not see, however coarse the provider's clock is. It goes first:
 * they cannot have made it, and this draft may have.
 */
function seenFirst(items: readonly unknown[], isNew: Lookup['isNew'], seen: OfOthers['seen']): readonly unknown[] {
  if (isNew === undefined) return items;
  const sets = seen.map((ids) => new Set(ids));
  const timesSeen = (item: unknown) => sets.filter((ids) => ids.has(identityOf(item, isNew))).length;
  const counted = items.map((item) => ({ item, times: timesSeen(item) }));
  return counted.toSorted((one, other) => other.times - one.times).map(({ item }) => item);
}

/** What that tells. */
export function outcomeOf(write: Write, lookup: Lookup, values: Values, item: unknown): Outcome {
  const { isGone, like = [], version, where = [] } = lookup;
  const done: Outcome = { state: 'confirmed', result: resultOf(write, values, item) };
  const undone: Outcome = { state: 'failed', error: { message: 'It was not done: the provider has nothing of it.' } };
  if (isGone) return item === undefined ? done : undone;
  if (item === undefined && version) return { state: 'ambiguous', reason: 'It is there no more.' };
  if (item === undefined) return undone;
  if (!fits(like, item, values))
    return { state: 'ambiguous', reason: 'Something of this account is new there, and is not as it was to be.' };
  if (!version || fits(where, item, values)) return done;
  const isSame = valueAt(item, version.at) === valueOf(version.was, values);
  if (isSame) return { state: 'failed', error: { message: 'It was not done: the provider has it as it was before.' } };
  return { state: 'ambiguous', reason: 'It was changed since, and is not as it was to be.' };
}

/** What is told of it. */
export function resultOf({ result }: Write, values: Values, item: unknown): Record<string, unknown> {
  const told = Object.entries(result).map(
    ([name, template]) => [name, valueOf(template, { ...values, item })] as const,
  );
  return Object.fromEntries(told.filter(([, value]) => value !== undefined && value !== null));
}
