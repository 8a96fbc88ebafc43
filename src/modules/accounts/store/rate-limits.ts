import { sql, type Kysely } from 'kysely';

/**
 * Takes up to `wanted` calls from a caller's minute, in one statement that two processes may run at once. Returns how
 * many it got, and when the minute began.
 */
export async function takeFromMinute(
  db: Kysely<unknown>,
  take: { workspaceId: string; callerId: string; wanted: number; limit: number; now: Date },
): Promise<{ taken: number; windowStart: Date }> {
  const { workspaceId, callerId, wanted, limit, now } = take;
  const isOver = sql`rate_limits.window_start <= ${now}::timestamptz - interval '1 minute'`;
  const { rows } = await sql<{ used: number; window_start: Date }>`
    insert into rate_limits (workspace_id, caller_id, window_start, used)
    values (${workspaceId}, ${callerId}, ${now}, ${wanted})
    on conflict (workspace_id, caller_id) do update set
      window_start = case when ${isOver} then excluded.window_start else rate_limits.window_start end,
      used = case when ${isOver} then excluded.used else rate_limits.used + excluded.used end
    returning used, window_start
  `.execute(db);
  const row = rows[0];
  if (!row) throw new Error('the rate limit answered no row');
  const usedBefore = row.used - wanted;
  return { taken: Math.max(0, Math.min(wanted, limit - usedBefore)), windowStart: row.window_start };
}
