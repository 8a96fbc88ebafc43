// Limits mails to addresses that somebody else entered: this server must not flood a stranger's mailbox.
import { createHash } from 'node:crypto';
import type { Db } from '#kernel/database';
import { AppError } from '#kernel/errors';
import { withPresentedHashes } from '#platform/database';
import { sql, type Kysely } from 'kysely';

type Tables = { mail_brakes: { subject_hash: string; began_at: Date; sent: number } };

const hour = 3_600;
/** The limits: to one address, from all workspaces of this server; and from one workspace, to all addresses. */
const ofRecipient = { most: 5, seconds: 24 * hour };
const ofWorkspace = { most: 50, seconds: hour };

type Limit = typeof ofRecipient;

/**
 * Counts a mail to an address that a person of a workspace entered, in the transaction that causes it. Throws
 * `rate_limited` when the limit of the address or the workspace is reached.
 */
export async function takeMail(db: Db, mail: { to: string; workspaceId: string; at: Date }): Promise<void> {
  const { to, workspaceId, at } = mail;
  await take(db, `mail of workspace ${workspaceId}`, ofWorkspace, at);
  await take(db, `mail to ${to.toLowerCase()}`, ofRecipient, at);
}

async function take(db: Kysely<Tables>, subject: string, limit: Limit, at: Date): Promise<void> {
  const hash = createHash('sha256').update(subject).digest('hex');
  const waitSeconds = await withPresentedHashes(db as Db, [hash], () => count(db, hash, limit, at));
  if (waitSeconds === null) return;
  const minutes = Math.ceil(waitSeconds / 60);
  throw new AppError(
    'rate_limited',
    `Too many mails went to this address or from this workspace. Try again in ${minutes} minutes.`,
    { retry_after: waitSeconds },
  );
}

/**
 * Counts one mail, in one statement that is safe to run concurrently. Returns the seconds to wait; null: it may be
 * sent.
 */
async function count(db: Kysely<Tables>, hash: string, { most, seconds }: Limit, at: Date): Promise<number | null> {
  const isOver = sql`mail_brakes.began_at <= ${at}::timestamptz - make_interval(secs => ${seconds})`;
  const { rows } = await sql`
    insert into mail_brakes (subject_hash, began_at, sent) values (${hash}, ${at}, 1)
    on conflict (subject_hash) do update set
      began_at = case when ${isOver} then excluded.began_at else mail_brakes.began_at end,
      sent = case when ${isOver} then 1 else mail_brakes.sent + 1 end
    where ${isOver} or mail_brakes.sent < ${most}
    returning sent
  `.execute(db);
  if (rows.length) return null;
  const row = await db
    .selectFrom('mail_brakes')
    .select('began_at')
    .where('subject_hash', '=', hash)
    .executeTakeFirstOrThrow();
  return Math.max(1, Math.ceil((row.began_at.getTime() - at.getTime()) / 1000) + seconds);
}

/** Removes rows that no longer count; for work of the server itself. */
export async function dropOldMails(db: Kysely<Tables>): Promise<void> {
  await sql`delete from mail_brakes where began_at < now() - interval '2 days'`.execute(db);
}
