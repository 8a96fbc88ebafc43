import { sql, type Kysely } from 'kysely';

type Tables = {
  sign_in_attempts: { subject_hash: string; failures: number; last_at: Date; blocked_until: Date | null };
};
type Db = Kysely<Tables>;

/** How many attempts are free, and the shortest and longest wait after them. */
export type Patience = {
  free: number;
  firstWaitSeconds: number;
  longestWaitSeconds: number;
  forgottenAfterMinutes: number;
};

/**
 * Counts an attempt as failed before it is made, in one statement that many may run at once. Null: it may be made; else until when not.
 * The transaction presents the hash.
 */
export async function countAttempt(db: Db, subjectHash: string, patience: Patience, at: Date): Promise<Date | null> {
  const { free, firstWaitSeconds, longestWaitSeconds, forgottenAfterMinutes } = patience;
  const failures = sql`case when sign_in_attempts.last_at < ${at}::timestamptz - make_interval(mins => ${forgottenAfterMinutes})
    then 1 else sign_in_attempts.failures + 1 end`;
  const wait = sql`least(${longestWaitSeconds}, ${firstWaitSeconds} * power(2, least(${failures} - ${free}, 20)))`;
  const { rows } = await sql`
    insert into sign_in_attempts (subject_hash, failures, last_at) values (${subjectHash}, 1, ${at})
    on conflict (subject_hash) do update set
      failures = ${failures}, last_at = ${at},
      blocked_until = case when ${failures} >= ${free} then ${at}::timestamptz + make_interval(secs => ${wait}) end
    where sign_in_attempts.blocked_until is null or sign_in_attempts.blocked_until <= ${at}
    returning failures
  `.execute(db);
  if (rows.length) return null;
  const row = await db
    .selectFrom('sign_in_attempts')
    .select('blocked_until')
    .where('subject_hash', '=', subjectHash)
    .executeTakeFirst();
  return row?.blocked_until ?? at;
}

/** Deletes the failures of a subject after its sign-in. */
export async function forgetAttempts(db: Db, subjectHash: string): Promise<void> {
  await db.deleteFrom('sign_in_attempts').where('subject_hash', '=', subjectHash).execute();
}

/** Removes unneeded rows; for work of the server itself. */
export async function dropOldAttempts(db: Db): Promise<void> {
  await sql`delete from sign_in_attempts where last_at < now() - interval '1 day'`.execute(db);
}
