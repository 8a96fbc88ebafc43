import { endSelectedSecrets } from '#platform/one-time-secrets';
import { sql, type Kysely } from 'kysely';
import type { SignInMethod } from './sessions.ts';

export type PendingRow = { id: string; workspace_id: string; person_id: string; method: SignInMethod };
type Db = Kysely<{ pending_sign_ins: PendingRow }>;

export async function insertPending(db: Db, row: PendingRow): Promise<void> {
  await db.insertInto('pending_sign_ins').values(row).execute();
}

export async function findPending(db: Db, id: string): Promise<PendingRow | undefined> {
  return db.selectFrom('pending_sign_ins').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Ends sign-ins of a person that wait for a second factor. */
export async function dropPendingSignIns(db: Db, personId: string): Promise<void> {
  await endSelectedSecrets(db, sql`select id from pending_sign_ins where person_id = ${personId}`);
}
