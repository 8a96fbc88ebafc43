import { sql, type Kysely } from 'kysely';

/** The names of limiters per minute. One id may be the subject of several limiters, so each has its own rows. */
export const limiters = ['calls', 'webhook_deliveries', 'automation_deliveries', 'board_forms'] as const;
export type Limiter = (typeof limiters)[number];

/**
 * Takes up to `wanted` calls from a minute, in one statement that is safe to run concurrently. Returns how many it
 * took, and when the minute began.
 */
export async function takeFromMinute(
  db: Kysely<unknown>,
  take: { limiter: Limiter; workspaceId: string; subjectId: string; wanted: number; limit: number; now: Date },
): Promise<{ taken: number; windowStart: Date }> {
  const { limiter, workspaceId, subjectId, wanted, limit, now } = take;
  const isOver = sql`limited_minutes.window_start <= ${now}::timestamptz - interval '1 minute'`;
  const { rows } = await sql<{ used: number; window_start: Date }>`
    insert into limited_minutes (workspace_id, limiter, subject_id, window_start, used)
    values (${workspaceId}, ${limiter}, ${subjectId}, ${now}, ${wanted})
    on conflict (workspace_id, limiter, subject_id) do update set
      window_start = case when ${isOver} then excluded.window_start else limited_minutes.window_start end,
      used = case when ${isOver} then excluded.used else limited_minutes.used + excluded.used end
    returning used, window_start
  `.execute(db);
  const row = rows[0];
  if (!row) throw new Error('the rate limit returned no row');
  const usedBefore = row.used - wanted;
  return { taken: Math.max(0, Math.min(wanted, limit - usedBefore)), windowStart: row.window_start };
}
