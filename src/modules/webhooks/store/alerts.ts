import { sql } from 'kysely';
import type { Db } from './tables.ts';

/** Claims the next mail to the owner, if none was claimed since `before`. Returns when they were last notified. */
export async function claimAlert(
  db: Db,
  id: string,
  at: Date,
  before: Date,
): Promise<{ alerted_at: Date | null } | undefined> {
  const { rows } = await sql<{ alerted_at: Date | null }>`
    update webhook_connectors set alerted_at = ${at}
      from (select alerted_at as told from webhook_connectors where id = ${id} for update) earlier
     where id = ${id} and (earlier.told is null or earlier.told <= ${before})
    returning earlier.told as alerted_at`.execute(db);
  return rows[0];
}

export async function countFailures(db: Db, connectorId: string, since: Date | null): Promise<number> {
  const { count } = await db
    .selectFrom('webhook_events')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('connector_id', '=', connectorId)
    .where('outcome', 'in', ['translator_error', 'ingest_error'])
    .$if(since !== null, (query) => query.where('finished_at', '>=', since))
    .executeTakeFirstOrThrow();
  return Number(count);
}
