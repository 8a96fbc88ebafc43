// Leases due deliveries of a destination, after checking again that their routes are still valid.
import { isDeepStrictEqual } from 'node:util';
import type { Db } from '#kernel/database';
import { failWaiting, takeDeliveries } from '../store/deliveries.ts';
import { findDestination } from '../store/destinations.ts';
import type { DeliveryRow, DestinationRow } from '../store/tables.ts';
import { isRouteUsable } from '../check-route.ts';
import type { DeliveryDeps } from './dependencies.ts';
import { openDestination, type SendTarget } from './send.ts';

/** A destination as it was read, with its secrets decrypted. */
export type OpenedDestination = { destination: DestinationRow; opened: SendTarget };
/** A leased delivery, and its destination at that time. */
export type TakenDelivery = OpenedDestination & { delivery: DeliveryRow };

const noLongerAllowed =
  'The route was detached, or the owner of the destination left or no longer administers the workspace.';

/** How often one transaction leases others when the leased deliveries are no longer allowed. */
const mostRounds = 50;
const leaseMs = 60_000;

/**
 * Leases at most `limit` due deliveries of a destination, and cancels those that are no longer allowed. `before`: the
 * destination that was decrypted last.
 */
export async function takeOpened(
  { vault, now }: Pick<DeliveryDeps, 'vault' | 'now'>,
  db: Db,
  { id, limit, before }: { id: string; limit: number; before: OpenedDestination | null },
): Promise<TakenDelivery[]> {
  const at = now();
  const destination = await findDestination(db, id);
  if (destination?.state !== 'active') return []; // they wait until the destination is active again
  const usableRoutes = new Map<string, boolean>();
  const taken: TakenDelivery[] = [];
  for (let rounds = 0; !taken.length && rounds < mostRounds; rounds += 1) {
    const deliveries = await takeDeliveries(db, destination, { at, limit, leaseMs });
    if (!deliveries.length) break;
    const opened = (before && getStillOpen(before, destination)) ?? (await openDestination(vault, db, destination, at));
    for (const delivery of deliveries) {
      const { id: deliveryId, route_id: routeId } = delivery;
      const isUsable = usableRoutes.get(routeId) ?? (await isRouteUsable(db, routeId, destination));
      usableRoutes.set(routeId, isUsable);
      if (isUsable) taken.push({ delivery, destination, opened });
      else await failWaiting(db, { id: deliveryId }, noLongerAllowed);
    }
  }
  return taken;
}

/**
 * The destination that was decrypted before, if it is unchanged. Variables and a second secret can change without the
 * destination.
 */
function getStillOpen({ destination, opened }: OpenedDestination, now: DestinationRow): SendTarget | null {
  const isSame = isDeepStrictEqual(destination, now) && !now.variables.length && now.previous_secret === null;
  return isSame ? opened : null;
}
