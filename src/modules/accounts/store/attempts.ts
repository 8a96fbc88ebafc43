import { sql, type Kysely } from 'kysely';

type Tables = {
  sign_in_attempts: { subject_hash: string; failures: number; last_at: Date; blocked_until: Date | null };
};
type Db = Kysely<Tables>;

/** How many attempts are free, and the shortest and longest wait after them. */
export type AttemptLimit = {
  free: number;
  firstWaitSeconds: number;
  longestWaitSeconds: number;
  forgottenAfterMinutes: number;
};

/**
 * The failures of a subject including this attempt; `blockedUntil`: the attempt is not allowed before then, and was not
 * counted.
 */
export type AttemptCount = { failures: number; blockedUntil: Date | null };

/**
 * Counts an attempt as failed before it is made, in one statement that is safe to run concurrently. The transaction
 * presents the hash.
 */
export async function countAttempt(
  db: Db,
  subjectHash: string,
  patience: AttemptLimit,
  at: Date,
): Promise<AttemptCount> {
  const { free, firstWaitSeconds, longestWaitSeconds, forgottenAfterMinutes } = patience;
  const failures = sql`case when sign_in_attempts.last_at < ${at}::timestamptz - make_interval(mins => ${forgottenAfterMinutes})
    then 1 else sign_in_attempts.failures + 1 end`;
  const wait = sql`least(${longestWaitSeconds}, ${firstWaitSeconds} * power(2, least(${failures} - ${free}, 20)))`;
  const { rows } = await sql<{ failures: number }>`
    insert into sign_in_attempts (subject_hash, failures, last_at) values (${subjectHash}, 1, ${at})
    on conflict (subject_hash) do update set
      failures = ${failures}, last_at = ${at},
      blocked_until = case when ${failures} >= ${free} then ${at}::timestamptz + make_interval(secs => ${wait}) end
    where sign_in_attempts.blocked_until is null or sign_in_attempts.blocked_until <= ${at}
    returning failures
  `.execute(db);
  if (rows[0]) return { failures: rows[0].failures, blockedUntil: null };
  const row = await db
    .selectFrom('sign_in_attempts')
    .select(['failures', 'blocked_until'])
    .where('subject_hash', '=', subjectHash)
    .executeTakeFirst();
  return { failures: row?.failures ?? 1, blockedUntil: row?.blocked_until ?? at };
}

/** Removes one attempt from the count, because it was right. */
export async function removeAttempt(db: Db, subjectHash: string): Promise<void> {
  await db
    .updateTable('sign_in_attempts')
    .set({ failures: sql<number>`greatest(failures - 1, 0)`, blocked_until: null })
    .where('subject_hash', '=', subjectHash)
    .execute();
}

/** Deletes the failures of a subject after its sign-in. */
export async function forgetAttempts(db: Db, subjectHash: string): Promise<void> {
  await db.deleteFrom('sign_in_attempts').where('subject_hash', '=', subjectHash).execute();
}

/** Removes rows that are no longer needed; for work of the server itself. */
export async function dropOldAttempts(db: Db): Promise<void> {
  await sql`delete from sign_in_attempts where last_at < now() - interval '1 day'`.execute(db);
}
