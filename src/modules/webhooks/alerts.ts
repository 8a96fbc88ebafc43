// Mails the owner of a failing connector: at most one mail in 30 minutes, for any number of events and processes.
import { toPrintableInMail } from '#kernel/printable';
import type { Db, Transactions } from '#kernel/database';
import { findPerson } from '#modules/accounts';
import type { Jobs } from '#platform/jobs';
import { MailError, type Mail } from '#platform/mail';
import { countFailures, claimAlert } from './store/alerts.ts';
import { findConnector } from './store/connectors.ts';
import { countUnsigned, type EventEnd } from './store/events.ts';
import type { ConnectorRow } from './store/tables.ts';

export const alertJob = 'webhooks.alert';
export type AlertWork = { workspaceId: string; connectorId: string; detail: string; since: string | null };

const quietMs = 30 * 60_000;

type AlertDeps = { jobs: Jobs; canMail: boolean; now: () => Date };

/** Notifies the owner of a failure, in its transaction. One process wins each half hour. */
export async function notifyOwner(
  { jobs, canMail, now }: AlertDeps,
  db: Db,
  connector: ConnectorRow,
  end: EventEnd,
): Promise<void> {
  if (!canMail) return;
  const at = now();
  const before = await claimAlert(db, connector.id, at, new Date(at.getTime() - quietMs));
  if (!before) return;
  const { workspace_id: workspaceId, id: connectorId } = connector;
  const since = before.alerted_at?.toISOString() ?? null;
  const work: AlertWork = {
    workspaceId,
    connectorId,
    detail: `${end.outcome}: ${end.detail ?? ''}`.slice(0, 1_000),
    since,
  };
  await jobs.enqueue(db, alertJob, work);
}

type AlertMailDeps = { transactions: Transactions; mail: Mail; publicUrl: string };

/** The job: one mail. A mail that the mail server refuses permanently is dropped. */
export async function sendAlertMail({ transactions, mail, publicUrl }: AlertMailDeps, work: AlertWork): Promise<void> {
  const since = work.since === null ? null : new Date(work.since);
  const alert = await transactions.run(work.workspaceId, 'read', async (db) => {
    const connector = await findConnector(db, work.connectorId);
    const person = connector && (await findPerson(db, connector.person_id));
    if (!connector || !person) return null;
    const unsigned = await countUnsigned(db, connector.id, since);
    return { connector, email: person.email, unsigned, failures: await countFailures(db, connector.id, since) };
  });
  if (!alert) return;
  const { connector, email, unsigned, failures } = alert;
  const name = toPrintableInMail(connector.name);
  const lines = [
    `The webhook connector "${name}" could not store what it received.`,
    '',
    work.detail,
    `Events that failed since the last mail: ${Math.max(1, failures)}.`,
    ...(unsigned > 0 ? [`Requests with a wrong signature since the last mail: ${unsigned}.`] : []),
    '',
    `List the events with list_webhook_events and replay them with replay_webhook_events (connector ${connector.id}).`,
    publicUrl,
    'You get at most one mail about this connector in 30 minutes.',
  ];
  const message = { to: email, subject: `Webhook "${name}" fails`, text: lines.join('\n') };
  await mail.send(message).catch((error: unknown) => {
    if (!(error instanceof MailError && error.isForGood)) throw error;
  });
}
