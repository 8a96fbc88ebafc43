// Finds the outcome of a write by comparing the state at the provider with the intended one.
import type { Outcome } from '#kernel/action';
import type { ProviderApi } from '#providers/http';
import { isAsRequested, type FieldReaders } from './compare.ts';
import type { FieldTable } from './fields.ts';
import type { Payload } from './payload.ts';

type Result = Record<string, unknown>;

/** The target of a write, and how to read it. */
export type State<Input, Found, Item> = {
  /** Undefined: the item no longer exists. */
  read(api: ProviderApi, input: Input, found: Found): Promise<Item | undefined>;
  /** The current version of the item, and the version that the draft found. */
  version(item: Item): unknown;
  was(found: Found): unknown;
  /** Fields, each with the item's present value. */
  has?: FieldReaders<Item, keyof Input & string>;
  /** Further conditions, by name. */
  holds?(item: Item, input: Input, found: Found): Readonly<Record<string, boolean>>;
  /** Further content that is overwritten, beside the values of `has`. If it changes, a draft becomes stale. */
  overwrites?(item: Item, input: Input): Readonly<Record<string, unknown>>;
  result(item: Item, found: Found, input: Input): Result;
};

type AnyState = State<Payload, object, unknown>;

/** Whether an item is in the requested state. */
function isDone({ has = {}, holds }: AnyState, fields: FieldTable, of: StateOfItem): boolean {
  const conditions = Object.values(holds?.(of.item, of.input, of.found) ?? {});
  return isAsRequested({ fields, has, item: of.item, input: of.input }) && conditions.every(Boolean);
}

type StateOfItem = { item: unknown; input: Payload; found: object };

/** The outcome of a change. */
export async function findStateOutcome(
  state: AnyState,
  fields: FieldTable,
  api: ProviderApi,
  { input, found }: Omit<StateOfItem, 'item'>,
): Promise<Outcome> {
  const item = await state.read(api, input, found);
  return judgeChange(item, {
    isDone: (there) => isDone(state, fields, { item: there, input, found }),
    isSame: (there) => state.version(there) === state.was(found),
    result: (there) => state.result(there, found, input),
  });
}

/** The outcome of a change of an item that has versions. */
export function judgeChange<Item>(
  item: Item | undefined,
  of: { isDone(item: Item): boolean; isSame(item: Item): boolean; result(item: Item): Result },
): Outcome {
  if (item === undefined) return { state: 'ambiguous', reason: 'It no longer exists.' };
  if (of.isDone(item)) return { state: 'confirmed', result: of.result(item) };
  if (of.isSame(item))
    return { state: 'failed', error: { message: 'It was not done: the provider still has the former values.' } };
  return { state: 'ambiguous', reason: 'It changed since then, and does not have the requested values.' };
}

/** The outcome of a creation: the item exists or does not. */
export function judgeCreation(result: Result | undefined): Outcome {
  if (result) return { state: 'confirmed', result };
  return { state: 'failed', error: { message: 'It was not done: the provider has no such item.' } };
}
