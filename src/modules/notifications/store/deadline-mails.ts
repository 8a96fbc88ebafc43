import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/** A notice for a person about a deadline that passed. */
export type DeadlineMailRow = {
  workflow_id: string;
  name: string;
  due: string;
  person_id: string;
  workspace_id: string;
  created_at: Date;
  /** Not mailed before. */
  due_at: Date;
  attempts: number;
  /** From then on it is not mailed again, whatever the outcome of the mail. */
  claimed_at: Date | null;
  sent_at: Date | null;
};
type Db = Kysely<{ deadline_mails: DeadlineMailRow }>;

/** The most deadlines of one mail. */
const mostAtOnce = 1_000;

/** Stores that a person must be mailed. False: that is already stored. */
export async function insertDeadlineMail(
  db: Db,
  mail: Omit<DeadlineMailRow, 'attempts' | 'claimed_at' | 'sent_at'>,
): Promise<boolean> {
  const row = await db
    .insertInto('deadline_mails')
    .values({ ...mail, attempts: 0, claimed_at: null, sent_at: null })
    .onConflict((conflict) => conflict.doNothing())
    .returning('workflow_id')
    .executeTakeFirst();
  return row !== undefined;
}

/** The open notices of a person, oldest first. Another transaction that reads them waits. */
export async function lockDeadlineMails(db: Db, personId: string): Promise<DeadlineMailRow[]> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`deadline mails ${personId}`}, 0))`.execute(db);
  return db
    .selectFrom('deadline_mails')
    .selectAll()
    .where('person_id', '=', personId)
    .where('claimed_at', 'is', null)
    .orderBy('created_at')
    .orderBy('name')
    .limit(mostAtOnce)
    .execute();
}

type MailKey = Pick<DeadlineMailRow, 'workflow_id' | 'name' | 'due' | 'person_id'>;

/** Nobody needs to be mailed any more. */
export async function dropDeadlineMails(db: Db, mails: readonly MailKey[]): Promise<void> {
  await db.deleteFrom('deadline_mails').where(isOneOfMails(mails)).execute();
}

/** They are being mailed, and in any case not again. */
export async function claimDeadlineMails(db: Db, mails: readonly MailKey[], at: Date): Promise<void> {
  await db.updateTable('deadline_mails').set({ claimed_at: at }).where(isOneOfMails(mails)).execute();
}

export async function noteDeadlineMailsSent(db: Db, mails: readonly MailKey[], at: Date): Promise<void> {
  await db.updateTable('deadline_mails').set({ sent_at: at }).where(isOneOfMails(mails)).execute();
}

/** The mail was certainly not sent: it is sent later. */
export async function releaseDeadlineMails(db: Db, mails: readonly MailKey[], due: Date): Promise<void> {
  await db
    .updateTable('deadline_mails')
    .set({ claimed_at: null, due_at: due, attempts: sql`attempts + 1` })
    .where(isOneOfMails(mails))
    .execute();
}

/** Deletes old notices: nobody is mailed about those again. */
export async function deleteOldDeadlineMails(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('deadline_mails').where('created_at', '<', before).execute();
}

function isOneOfMails(mails: readonly MailKey[]) {
  const listValues = (field: keyof MailKey) => mails.map((mail) => mail[field]);
  return sql<boolean>`(workflow_id, name, due, person_id) in (select * from unnest(
    ${listValues('workflow_id')}::uuid[], ${listValues('name')}::text[], ${listValues('due')}::text[], ${listValues('person_id')}::uuid[]))`;
}
