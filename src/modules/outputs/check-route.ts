// Checks whether a route is still valid after changes of people and their roles.
import type { Db } from '#kernel/database';
import { findPerson } from '#modules/accounts';
import { canPersonReadBrain } from '#modules/brains';
import { findWebhookConnector } from '#modules/webhooks';
import { findRoute } from './store/destinations.ts';
import type { DestinationRow, RouteRow } from './store/tables.ts';

type OwnedRow = { person_id: string };

/**
 * Whether a destination may get the events of a source: its owner is a member of the workspace and owns the source, or is
 * an administrator who reads its brain.
 */
export async function mayReceive(
  db: Db,
  destination: OwnedRow,
  source: OwnedRow & { brain_id: string },
): Promise<boolean> {
  const owner = await findPerson(db, destination.person_id);
  if (!owner || owner.id === source.person_id) return owner !== undefined;
  return owner.role !== 'member' && canPersonReadBrain(db, owner, source.brain_id);
}

/** Whether a delivery may still be sent along its route. */
export async function isRouteUsable(db: Db, routeId: string, destination: DestinationRow): Promise<boolean> {
  const route = await findRoute(db, routeId);
  return route?.state === 'active' && mayUse(db, route, destination);
}

/** The source of a route, as it is stored. */
export type RouteSource = Pick<RouteRow, 'source_kind' | 'source_id' | 'brain_id'>;

/**
 * Whether a destination may get the events of a route. Events of a brain go to people who may read it; those of drafts
 * and runs only to the destination's owner.
 */
export async function mayUse(db: Db, { source_id, brain_id }: RouteSource, destination: OwnedRow): Promise<boolean> {
  if (source_id !== null) {
    const source = await findWebhookConnector(db, source_id);
    return source !== undefined && mayReceive(db, destination, source);
  }
  const owner = await findPerson(db, destination.person_id);
  return owner !== undefined && (brain_id === null || canPersonReadBrain(db, owner, brain_id));
}
