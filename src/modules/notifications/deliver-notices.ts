// Sends a mail whose notices were claimed. One that may have been sent is never sent again.
import { classifyDelivery } from '#kernel/action';
import type { Db, Transactions } from '#kernel/database';
import type { Jobs } from '#platform/jobs';
import type { Log } from '#platform/log';
import { MailError, type Mail } from '#platform/mail';
import { computeNextMailAttempt, isGivenUp, type Windows } from './gathering.ts';

export type MailDeps = {
  transactions: Transactions;
  jobs: Jobs;
  mail: Mail | null;
  windows: Windows;
  publicUrl: string;
  log: Log;
  now: () => Date;
  newId: () => string;
};

/** Whom a job mails. */
export type MailWork = { workspaceId: string; personId: string };

type NoticeAttempts = { attempts: number; created_at: Date };

/** The notices of a mail, and the mail. */
export type ClaimedMail<Row extends NoticeAttempts> = { rows: readonly Row[]; message: Parameters<Mail['send']>[0] };

/** A kind of notices: its job, and how its rows change. */
export type NoticeKind<Row extends NoticeAttempts> = {
  job: string;
  claim(db: Db): Promise<ClaimedMail<Row> | null>;
  noteSent(db: Db, rows: readonly Row[]): Promise<void>;
  drop(db: Db, rows: readonly Row[]): Promise<void>;
  release(db: Db, rows: readonly Row[], due: Date): Promise<void>;
};

/** Sends at most one mail, with all notices of a kind that are due for a person. */
export async function deliverNotices<Row extends NoticeAttempts>(
  deps: MailDeps,
  mail: Mail,
  work: MailWork,
  kind: NoticeKind<Row>,
): Promise<void> {
  const { transactions, log } = deps;
  const claimed = await transactions.run(work.workspaceId, 'write', (db) => kind.claim(db));
  if (!claimed) return;
  const { rows, message } = claimed;
  try {
    await mail.send(message);
  } catch (err) {
    const delivery = classifyDelivery(err);
    log.warn({ err, delivery, job: kind.job, notices: rows.length }, 'a mail with notices could not be sent');
    if (delivery === 'not_sent')
      await releaseUnsent(deps, work, { kind, rows, isForGood: err instanceof MailError && err.isForGood });
    return;
  }
  await transactions.run(work.workspaceId, 'write', (db) => kind.noteSent(db, rows));
  log.debug({ job: kind.job, notices: rows.length }, 'a mail with notices was sent');
}

type Unsent<Row extends NoticeAttempts> = { kind: NoticeKind<Row>; rows: readonly Row[]; isForGood: boolean };

/**
 * No server accepted the mail: it is sent later, unless it was refused permanently, was tried long enough, or its
 * notices have ended by then.
 */
async function releaseUnsent<Row extends NoticeAttempts>(
  { transactions, jobs, now }: MailDeps,
  work: MailWork,
  { kind, rows, isForGood }: Unsent<Row>,
): Promise<void> {
  const given = rows.filter((row) => isForGood || isGivenUp(row, now()));
  const kept = rows.filter((row) => !given.includes(row));
  const due = computeNextMailAttempt(Math.max(...kept.map(({ attempts }) => attempts)), now());
  await transactions.run(work.workspaceId, 'write', async (db) => {
    await kind.drop(db, given);
    if (!kept.length) return;
    await kind.release(db, kept, due);
    await jobs.enqueue(db, kind.job, work, { at: due });
  });
}
