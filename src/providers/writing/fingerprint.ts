// Finds the result at a provider that stores no id of ours: by its fingerprint, among new items of the account.
import type { Action, CompetingItems, Outcome } from '#kernel/action';
import type { ProviderApi } from '#providers/http';
import { filterAll } from './find.ts';

type Result = Record<string, unknown>;

/** How a write is recognised by its fingerprint. `Of`: the data found before sending. */
export type Fingerprint<Input, Of, Item> = {
  /** All items of this account in that list, oldest first unless their ids are numbers. */
  list(api: ProviderApi, input: Input, of: Of): AsyncIterable<Item>;
  getId(item: Item): string;
  /**
   * Whether an item equals the sent content. New items that do not match leave the outcome unknown. Absent: all items
   * match.
   */
  isLike?(item: Item, input: Input): boolean;
  /** The shared key of two drafts whose effects in one list could be mistaken for each other. */
  key(input: Input): unknown;
  result(item: Item, of: Of): Result;
  /** The path of the id in the result. */
  idIn: string;
};

/** The ids of the items that existed before sending. */
export async function listIdsBefore<Input, Of, Item>(
  { list, getId }: Fingerprint<Input, Of, Item>,
  api: ProviderApi,
  input: Input,
  of: Of,
): Promise<string[]> {
  return (await filterAll(list(api, input, of))).map(getId);
}

/** The outcome. */
export async function findOutcomeByFingerprint<Input, Of>(
  fingerprint: Fingerprint<Input, Of, unknown>,
  api: ProviderApi,
  { input, of, known, others }: { input: Input; of: Of; known: readonly string[]; others: CompetingItems },
): Promise<Outcome> {
  const { isLike = () => true } = fingerprint;
  const items = await pickNew(fingerprint, await filterAll(fingerprint.list(api, input, of)), known, others);
  const item = items.find((each) => isLike(each, input));
  if (item !== undefined) return { state: 'confirmed', result: fingerprint.result(item, of) };
  if (items.length > 0)
    return {
      state: 'ambiguous',
      reason: 'Something new of this account is there, and does not have the requested values.',
    };
  return { state: 'failed', error: { message: 'It was not done: the provider has no such item.' } };
}

/**
 * The new items, the most likely one first. The oldest comes first, because an earlier draft may have made any of them,
 * and a later draft none from before its sending. Items that other drafts saw before sending come before all: those
 * drafts cannot have made them.
 */
function pickNew<Input, Of>(
  { getId }: Fingerprint<Input, Of, unknown>,
  items: readonly unknown[],
  known: readonly string[],
  { taken, seen }: CompetingItems,
): unknown[] {
  const old = new Set<unknown>([...known, ...taken]);
  const sets = seen.map((ids) => new Set(ids));
  const counted = items
    .map((item) => ({ item, id: getId(item) }))
    .filter(({ id }) => !old.has(id))
    .map((each) => ({ ...each, times: sets.filter((ids) => ids.has(each.id)).length }));
  const grow = counted.every(({ id }) => /^\d+$/.test(id));
  const oldestFirst = grow ? counted.toSorted((one, other) => (BigInt(one.id) < BigInt(other.id) ? -1 : 1)) : counted;
  return oldestFirst.toSorted((one, other) => other.times - one.times).map(({ item }) => item);
}

/**
 * The functions that the gate needs for a write by fingerprint. `handle` has the data found before sending, with
 * `draft` and `known`.
 */
export function createFingerprint<Input, Of>({
  key,
  idIn,
}: Fingerprint<Input, Of, unknown>): NonNullable<Action['fingerprint']> {
  return {
    of: (payload, { draft: _draft, known: _known, ...place }) => JSON.stringify([place, key(payload as Input)]), // parsed when the draft was made
    getId: (result) => result[idIn],
    seenBefore: ({ known }) => (known as string[] | undefined) ?? [], // made by `prepare`
  };
}
