import type { Db } from '#kernel/database';
import { toPrintableInMail } from '#kernel/printable';
import { findPerson } from '#modules/accounts';
import type { Jobs } from '#platform/jobs';
import type { DestinationRow } from '../store/tables.ts';

export const mailJob = 'outputs.mail';
export type MailWork = { email: string; subject: string; text: string };

export type NotifyOwnerDeps = { jobs: Jobs; canMail: boolean; publicUrl: string };

/** Mails the owner of a destination about its state, if the server sends mail. */
export async function notifyDestinationOwner(
  { jobs, canMail, publicUrl }: NotifyOwnerDeps,
  db: Db,
  { person_id, name, url }: DestinationRow,
  what: string,
) {
  const person = canMail ? await findPerson(db, person_id) : undefined;
  if (!person) return;
  const text = [what, '', `Address: ${url}`, 'List its deliveries with list_output_deliveries.', publicUrl].join('\n');
  const work: MailWork = { email: person.email, subject: `Deliveries to "${toPrintableInMail(name)}" fail`, text };
  await jobs.enqueue(db, mailJob, work);
}
