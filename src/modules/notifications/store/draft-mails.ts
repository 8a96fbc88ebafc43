import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/** How a person is notified by mail; not at all by default. */
export const mailChoices = ['off', 'each', 'digest'] as const;
export type MailChoice = (typeof mailChoices)[number];

/** The reason of a notice about a draft: it is pending, or ambiguous. */
export type NoticeReason = 'waiting' | 'ambiguous';

export type MailRow = {
  draft_id: string;
  person_id: string;
  about: NoticeReason;
  workspace_id: string;
  created_at: Date;
  /** Not mailed before. */
  due_at: Date;
  attempts: number;
  /** From then on it is not mailed again, whatever the outcome of the mail. */
  claimed_at: Date | null;
  sent_at: Date | null;
};
type Tables = {
  notification_choices: { person_id: string; workspace_id: string; mail: MailChoice; changed_at: Date };
  draft_mails: MailRow;
};
type Db = Kysely<Tables>;

/** Deletes notices of drafts that ended before a time: nobody is mailed about those again. */
export async function deleteFinishedMails(db: Kysely<FinishedMailTables>, before: Date): Promise<void> {
  await db
    .deleteFrom('draft_mails')
    .using('draft_directory as drafts')
    .whereRef('drafts.id', '=', 'draft_mails.draft_id')
    .where('drafts.settled_at', '<', before)
    .execute();
}
type FinishedMailTables = Pick<Tables, 'draft_mails'> & { draft_directory: { id: string; settled_at: Date | null } };

/** The most drafts of one mail. */
const mostAtOnce = 1_000;

export async function findChoice(db: Db, personId: string): Promise<MailChoice> {
  const row = await db
    .selectFrom('notification_choices')
    .select('mail')
    .where('person_id', '=', personId)
    .executeTakeFirst();
  return row?.mail ?? 'off';
}

export async function saveChoice(db: Db, choice: Tables['notification_choices']): Promise<void> {
  const { mail, changed_at } = choice;
  await db
    .insertInto('notification_choices')
    .values(choice)
    .onConflict((conflict) => conflict.column('person_id').doUpdateSet({ mail, changed_at }))
    .execute();
}

/** The people among these who want mails, and how. */
export async function listMailChoices(
  db: Db,
  personIds: readonly string[],
): Promise<{ personId: string; mail: Exclude<MailChoice, 'off'> }[]> {
  return db
    .selectFrom('notification_choices')
    .select(['person_id as personId', 'mail'])
    .where('person_id', 'in', personIds)
    .where('mail', '!=', 'off')
    .$narrowType<{ mail: Exclude<MailChoice, 'off'> }>()
    .execute();
}

/** Stores that a person must be mailed. False: that is already stored. */
export async function insertMail(db: Db, mail: Omit<MailRow, 'attempts' | 'claimed_at' | 'sent_at'>): Promise<boolean> {
  const row = await db
    .insertInto('draft_mails')
    .values({ ...mail, attempts: 0, claimed_at: null, sent_at: null })
    .onConflict((conflict) => conflict.doNothing())
    .returning('draft_id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Lets one transaction at a time read a person's open notices, so that they are not split over two mails. */
export async function lockPersonMails(db: Db, personId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`draft mails ${personId}`}, 0))`.execute(db);
}

/** The open notices of a person, oldest first. */
export async function openMails(db: Db, personId: string): Promise<MailRow[]> {
  return db
    .selectFrom('draft_mails')
    .selectAll()
    .where('person_id', '=', personId)
    .where('claimed_at', 'is', null)
    .orderBy('created_at')
    .orderBy('draft_id')
    .limit(mostAtOnce)
    .execute();
}

type MailKey = Pick<MailRow, 'draft_id' | 'person_id' | 'about'>;

/** Nobody needs to be mailed any more. */
export async function dropMails(db: Db, mails: readonly MailKey[]): Promise<void> {
  if (mails.length) await db.deleteFrom('draft_mails').where(isOneOfMails(mails)).execute();
}

/** They are being mailed, and in any case not again. */
export async function claimMails(db: Db, mails: readonly MailKey[], at: Date): Promise<void> {
  await db.updateTable('draft_mails').set({ claimed_at: at }).where(isOneOfMails(mails)).execute();
}

export async function noteSent(db: Db, mails: readonly MailKey[], at: Date): Promise<void> {
  await db.updateTable('draft_mails').set({ sent_at: at }).where(isOneOfMails(mails)).execute();
}

/** The mail was certainly not sent: it is sent later. */
export async function releaseMails(db: Db, mails: readonly MailKey[], due: Date): Promise<void> {
  await db
    .updateTable('draft_mails')
    .set({ claimed_at: null, due_at: due, attempts: sql`attempts + 1` })
    .where(isOneOfMails(mails))
    .execute();
}

/** All of the mails belong to one person. */
function isOneOfMails(mails: readonly MailKey[]) {
  const of = (about: NoticeReason) => mails.filter((mail) => mail.about === about).map(({ draft_id }) => draft_id);
  return sql<boolean>`person_id = ${mails[0]?.person_id ?? null}::uuid and (
    (about = 'waiting' and draft_id = any(${of('waiting')}::uuid[]))
    or (about = 'ambiguous' and draft_id = any(${of('ambiguous')}::uuid[])))`;
}
