// The health of destinations.
import { sql } from 'kysely';
import type { Db, DeliveryRow } from './tables.ts';

export type Health = {
  last_delivery_at: Date | null;
  last_status: DeliveryRow['status'] | null;
  waiting: number;
  failures: number;
};

/** By destination id: the newest delivery, how many wait, and how many failed since a time. */
export async function mapDestinationHealth(db: Db, ids: readonly string[], since: Date): Promise<Map<string, Health>> {
  const { rows } = await sql<Health & { id: string }>`
    select destination.id, last.created_at as last_delivery_at, last.status as last_status,
      (select count(*)::int from output_deliveries where destination_id = destination.id and status = 'waiting') as waiting,
      (select count(*)::int from output_deliveries
        where destination_id = destination.id and created_at >= ${since} and status = 'failed') as failures
    from unnest(${sql.val([...ids])}::uuid[]) as destination (id)
    cross join lateral (
      select created_at, status from output_deliveries where destination_id = destination.id
       order by created_at desc, id desc limit 1) last`.execute(db);
  return new Map(rows.map(({ id, ...health }) => [id, health]));
}
