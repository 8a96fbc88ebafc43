import { generateFeedToken } from './feed/token.ts';
import { failWaiting } from './store/deliveries.ts';
import {
  detachPersonRoutes,
  pausePersonDestinations,
  pauseDestinationsOfKeys,
  updateDestination,
} from './store/destinations.ts';
import type { Db } from './store/tables.ts';

/** Pauses a person's destinations, ends the tokens of their feeds, and detaches their routes. */
export async function endOutputsOfPerson(db: Db, personId: string, at: Date): Promise<void> {
  const destinations = await pausePersonDestinations(db, personId, at);
  for (const { id, kind } of destinations)
    if (kind === 'feed') await updateDestination(db, id, { token_hash: generateFeedToken().token_hash });
  const ids = destinations.map(({ id }) => id);
  for (const id of await detachPersonRoutes(db, personId, ids))
    await failWaiting(db, { route_id: id }, 'The route was detached.');
}

/**
 * Pauses destinations that revoked keys created, and ends the tokens of the feeds among them. Their routes wait with
 * them.
 */
export async function endOutputsOfKeys(
  db: Db,
  keyIds: readonly string[],
  at: Date,
): Promise<{ output_destinations: number }> {
  const destinations = await pauseDestinationsOfKeys(db, keyIds, at);
  for (const { id, kind } of destinations)
    if (kind === 'feed') await updateDestination(db, id, { token_hash: generateFeedToken().token_hash });
  return { output_destinations: destinations.length };
}
