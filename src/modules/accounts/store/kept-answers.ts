import type { KeptAnswer, Repetition } from '#kernel/ports';
import type { Db } from '#kernel/database';
import { AppError } from '#kernel/errors';
import { computeTimeFromNow } from '#platform/database';
import { sql, type Kysely } from 'kysely';

type Tables = {
  kept_answers: {
    workspace_id: string;
    caller_id: string;
    operation: string;
    key: string;
    request_hash: string;
    output: string | null;
    created_at: Date;
  };
};

const day = 24 * 60 * 60 * 1000;
/**
 * Measured by the clock of the database, which all processes share. When a request dies halfway, its key becomes free
 * after ten minutes.
 */
const expired = sql<boolean>`kept_answers.created_at < now() - interval '1 day'
  or (kept_answers.output is null and kept_answers.created_at < now() - interval '10 minutes')`;

/**
 * Reserves an `Idempotency-Key`. Null: this request is the first. Throws `conflict` when the key was used for another
 * request. Of two concurrent requests the second waits for the first one's transaction.
 */
export async function reserveAnswer(db: Db, repetition: Repetition): Promise<KeptAnswer | null> {
  const { callerId, operation, key, requestHash } = repetition;
  const reserved = await on(db)
    .insertInto('kept_answers')
    .values({
      workspace_id: sql`current_workspace()`,
      caller_id: callerId,
      operation,
      key,
      request_hash: requestHash,
      output: null,
      created_at: computeTimeFromNow(),
    })
    .onConflict((conflict) =>
      conflict
        .columns(['workspace_id', 'caller_id', 'operation', 'key'])
        .doUpdateSet({ request_hash: requestHash, output: null, created_at: computeTimeFromNow() })
        .where(expired),
    )
    .returning('key')
    .executeTakeFirst();
  if (reserved) return null;
  const kept = await selectKeptAnswer(db, repetition).select(['request_hash', 'output']).executeTakeFirstOrThrow();
  if (kept.request_hash !== requestHash) {
    throw new AppError('conflict', 'This Idempotency-Key was used for a request with other input. Use a new key.');
  }
  return kept.output === null ? { state: 'running' } : { state: 'done', output: kept.output };
}

/** Stores the answer for repetitions within 24 hours. */
export async function keepAnswer(db: Db, repetition: Repetition, output: unknown): Promise<void> {
  const { callerId, operation, key } = repetition;
  await on(db)
    .updateTable('kept_answers')
    .set({ output: JSON.stringify(output ?? {}) })
    .where('caller_id', '=', callerId)
    .where('operation', '=', operation)
    .where('key', '=', key)
    .execute();
}

/** Releases a reserved key, because its request failed and may be retried. */
export async function releaseAnswer(db: Db, repetition: Repetition): Promise<void> {
  const { callerId, operation, key } = repetition;
  await on(db)
    .deleteFrom('kept_answers')
    .where('caller_id', '=', callerId)
    .where('operation', '=', operation)
    .where('key', '=', key)
    .where('output', 'is', null)
    .execute();
}

/** Deletes answers older than a day. */
export async function dropExpiredAnswers(db: Db, now: Date): Promise<void> {
  await on(db)
    .deleteFrom('kept_answers')
    .where('created_at', '<', new Date(now.getTime() - day))
    .execute();
}

/** Deletes answers that contain an id. A running request has no answer yet. */
export async function dropAnswersAbout(db: Db, id: string): Promise<void> {
  await on(db)
    .deleteFrom('kept_answers')
    .where(sql<boolean>`position(${id} in output::text) > 0`)
    .execute();
}

function selectKeptAnswer(db: Db, { callerId, operation, key }: Repetition) {
  return on(db)
    .selectFrom('kept_answers')
    .where('caller_id', '=', callerId)
    .where('operation', '=', operation)
    .where('key', '=', key);
}

function on(db: Db): Kysely<Tables> {
  return db;
}
