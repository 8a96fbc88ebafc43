import type { Delivery } from '#kernel/action';
import { createTransport } from 'nodemailer';

export { dropOldMails, takeMail } from './brake.ts';

/** Mail that the server itself sends, such as sign-in links. People's mails use their own accounts. */
export type Mail = {
  /** Sends to one address, as plain text. Throws `MailFault`. */
  send(message: { to: string; subject: string; text: string }): Promise<void>;
};

/** A mail that was refused, or whose outcome is unknown. */
export class MailError extends Error {
  readonly delivery: Delivery;
  /** The server will refuse it at every attempt (RFC 5321 §4.2.1). */
  readonly isForGood: boolean;

  constructor(delivery: Delivery, cause: unknown) {
    super('The mail server did not accept a mail.', { cause });
    this.name = 'MailFault';
    this.delivery = delivery;
    this.isForGood = delivery === 'not_sent' && isPermanent(cause);
  }
}

const timeoutMs = 20_000;

/** Opens SMTP; null when no server is configured. The product then offers nothing that needs mail. */
export function createMail(settings: { url: string | null; from: string }): Mail | null {
  const { url, from } = settings;
  if (!url) return null;
  return {
    async send({ to, subject, text }) {
      const watch = watchForData();
      try {
        const transport = createTransport({ ...patience, url, logger: watch.logger, transactionLog: true });
        // An address without a name is treated as an address, whatever characters it has.
        await transport.sendMail({ from, to: { name: '', address: to }, subject, text, ...noLookUps });
      } catch (error) {
        throw new MailError(watch.hasBegun() && !isRefusal(error) ? 'maybe_sent' : 'not_sent', error);
      }
    },
  };
}

const patience = { connectionTimeout: timeoutMs, greetingTimeout: timeoutMs, socketTimeout: timeoutMs };
const noLookUps = { disableFileAccess: true, disableUrlAccess: true };

/** Records when sending of the message itself begins (RFC 5321 §3.3): after a later break it may have been accepted. */
function watchForData() {
  let begun = false;
  const hear = (_entry: unknown, said: unknown) => {
    if (said === 'DATA') begun = true;
  };
  const logger = { level() {}, trace: hear, debug: hear, info: hear, warn: hear, error: hear, fatal: hear };
  return { logger, hasBegun: () => begun };
}

/** Whether the server itself refused the mail (RFC 5321 §4.2.1), so it was not sent. */
function isRefusal(error: unknown): boolean {
  return getResponseCode(error) !== null;
}

/** Refused because of its address or content. The operator may fix other refusals, such as a wrong password. */
const refusalsOfMail: readonly unknown[] = ['EENVELOPE', 'EMESSAGE'];

function isPermanent(error: unknown): boolean {
  const isOfMail = error instanceof Error && 'code' in error && refusalsOfMail.includes(error.code);
  return isOfMail && (getResponseCode(error) ?? 0) >= 500;
}

function getResponseCode(error: unknown): number | null {
  if (!(error instanceof Error) || !('responseCode' in error)) return null;
  return typeof error.responseCode === 'number' ? error.responseCode : null;
}
