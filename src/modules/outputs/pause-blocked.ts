// Routes are approved once, so a later rule must stop the routes that it blocks.
import type { Db } from '#kernel/database';
import { judgeAction } from '#modules/policy';
import { parseAddress } from '#platform/egress';
import { notifyDestinationOwner, type NotifyOwnerDeps } from './delivering/notify-owner.ts';
import { openOutputRoute } from './open-output-route.ts';
import { lockActiveDestinations, updateDestination } from './store/destinations.ts';

/**
 * Pauses the destinations whose address the policy of the bound workspace blocks, and notifies their owners with the
 * reason.
 */
export async function pauseBlocked(telling: NotifyOwnerDeps, db: Db): Promise<void> {
  for (const destination of await lockActiveDestinations(db)) {
    const { id, name, url } = destination;
    const asking = { db, caller: { kind: 'session' as const, ownRules: [] } };
    const { effect, reason } = await judgeAction(asking, openOutputRoute, { url }, parseAddress(url).hostname);
    if (effect !== 'block') continue;
    await updateDestination(db, id, { state: 'paused' });
    await notifyDestinationOwner(
      telling,
      db,
      destination,
      `"${name}" is paused: the policy of the workspace blocks it. ${reason}`,
    );
  }
}
