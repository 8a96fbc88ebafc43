// Mails a person that an admin reads through their account for a board, and how to end it.
import type { Transactions } from '#kernel/database';
import { toPrintableInMail } from '#kernel/printable';
import { findPerson } from '#modules/accounts';
import { MailError, type Mail } from '#platform/mail';
import { findBoard } from '../store/boards.ts';
import { findLink } from '../store/links.ts';

export const linkNoticeJob = 'boards.link_notice';
export type LinkNotice = { workspaceId: string; linkId: string };

type NoticeDeps = { transactions: Transactions; mail: Mail; publicUrl: string };

/** The job: one mail. A mail that the mail server refuses permanently is dropped; a deleted link needs none. */
export async function sendLinkNotice({ transactions, mail, publicUrl }: NoticeDeps, notice: LinkNotice): Promise<void> {
  const found = await transactions.run(notice.workspaceId, 'read', async (db) => {
    const link = await findLink(db, notice.linkId);
    const person = link?.account_person_id ? await findPerson(db, link.account_person_id) : undefined;
    const board = link && (await findBoard(db, link.board_id));
    return link && person && board ? { link, board, to: person.email } : null;
  });
  if (!found) return;
  const { link, board, to } = found;
  const text = [
    `${toPrintableInMail(link.created_by)} lets the board "${toPrintableInMail(board.name)}" read through your ${link.kind} account.`,
    `People who may read that board see what is read: ${toPrintableInMail(link.display_name)}.`,
    '',
    `To end it, call delete_board_link with link_id ${link.id}, or disconnect the account:`,
    `${publicUrl}/integrations`,
  ].join('\n');
  await mail.send({ to, subject: 'A board reads through your account', text }).catch((error: unknown) => {
    if (!(error instanceof MailError && error.isForGood)) throw error;
  });
}
