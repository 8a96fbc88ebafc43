import { createKysely, createOwnerPool } from '#platform/database';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startPassingOn, type PassingOn } from '../../../../tests/support/passing-on.ts';
import { endAttempts, takeDeliveries, type EndedAttempt } from './deliveries.ts';
import type { DeliveryRow, Tables } from './tables.ts';

let world: PassingOn;
beforeAll(async () => void (world = await startPassingOn()));
afterAll(() => world.close());

const at = new Date('2026-06-01T09:00:00.123Z');

function createEndedAttempt(delivery: DeliveryRow, more: Partial<EndedAttempt> = {}): EndedAttempt {
  const outcome = { status: 'delivered', attempts: 1, next_attempt_at: at, http_status: 204, error: null } as const;
  return { delivery, attempt_id: crypto.randomUUID(), at, ...outcome, duration_ms: 7, delivered_at: at, ...more };
}

test('of attempts stored together, one whose lease another process took changes nothing', async () => {
  const { server, database, source, destination, arrived } = world;
  const [from, to] = [await source(), await destination()];
  const route = { output_source_kind: 'webhook_connector', output_source_id: from.id, output_destination_id: to.id };
  await server.ok('attach_output_route', route);
  await from.send({ text: 'The first' });
  await arrived(to.path);
  await server.ok('update_output_destination', { output_destination_id: to.id, status: 'paused' });
  const columns = 'workspace_id, route_id, destination_id, content_type, payload_bytes, document_count, created_at';
  await database.rows(
    `insert into output_deliveries (id, event_id, status, next_attempt_at, ${columns})
     select gen_random_uuid(), gen_random_uuid(), 'waiting', created_at, ${columns}
       from output_deliveries, generate_series(1, 3) where destination_id = $1`,
    [to.id],
  );
  const db = createKysely<Tables>(createOwnerPool({ connectionString: server.connectionString }, 1));
  try {
    const [row] = await db.selectFrom('output_destinations').selectAll().where('id', '=', to.id).execute();
    const taken = await takeDeliveries(db, row!, { at: new Date(), limit: 3, leaseMs: 600_000 });
    const [delivered, refused, lost] = taken as [DeliveryRow, DeliveryRow, DeliveryRow];
    await database.rows('update output_deliveries set lease_token = lease_token + 1 where id = $1', [lost.id]);
    const failed = {
      status: 'waiting',
      http_status: 503,
      error: 'The receiver said "no"',
      delivered_at: null,
    } as const;
    const ends = [createEndedAttempt(delivered), createEndedAttempt(refused, failed), createEndedAttempt(lost)];
    expect(await endAttempts(db, ends)).toEqual(new Set([delivered.id, refused.id]));
    expect(await endAttempts(db, ends.slice(0, 1))).toEqual(new Set([delivered.id])); // an answer that was lost
    const rows = await db.selectFrom('output_deliveries').selectAll().where('destination_id', '=', to.id).execute();
    const stored = (id: string) => rows.find((each) => each.id === id);
    expect(stored(delivered.id)).toMatchObject({ status: 'delivered', delivered_at: at, lease_until: null });
    expect(stored(refused.id)).toMatchObject({ status: 'waiting', error: failed.error, next_attempt_at: at });
    expect(stored(lost.id)).toMatchObject({ status: 'waiting', attempts: 0, lease_until: expect.any(Date) });
    const ids = [delivered.id, refused.id];
    const attempts = await db.selectFrom('output_attempts').selectAll().where('delivery_id', 'in', ids).execute();
    expect(attempts.map(({ at: made, delivered: is }) => [made, is])).toEqual(
      ends.slice(0, 2).map((each) => [at, each.status === 'delivered']),
    );
  } finally {
    await db.destroy();
  }
});
