import { ProviderError } from '#providers/http';
import type { Changes } from './source.ts';

/** The errors by which providers report an expired position in lists or histories. */
const outdated: readonly (number | null)[] = [400, 404, 410];

/** Continues reading from a position, or from the start. Restarts when the provider no longer accepts the position. */
export async function* continueOrRestart<State>(
  known: State | undefined,
  start: () => Promise<State>,
  read: (state: State) => AsyncGenerator<Changes>,
): AsyncGenerator<Changes> {
  if (known === undefined) return yield* read(await start());
  try {
    yield* read(known);
  } catch (error) {
    if (!(error instanceof ProviderError) || !outdated.includes(error.status)) throw error;
    yield* read(await start());
  }
}
