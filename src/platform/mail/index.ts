import type { Delivery } from '#kernel/action';
import { createTransport } from 'nodemailer';

export { dropOldMails, takeMail } from './brake.ts';

/** Mail that the server itself sends, such as sign-in links. Mail of people uses their own accounts. */
export type Mail = {
  /** Sends to one address, as plain text. Throws `MailFault`. */
  send(message: { to: string; subject: string; text: string }): Promise<void>;
};

/** A mail that was refused, or whose outcome is unknown. */
export class MailError extends Error {
  readonly delivery: Delivery;
  /** The server refuses it at every attempt (RFC 5321 §4.2.1). */
  readonly isForGood: boolean;

  constructor(delivery: Delivery, cause: unknown) {
    super('The mail server did not take a mail.', { cause });
    this.name = 'MailFault';
    this.delivery = delivery;
    this.isForGood = delivery === 'not_sent' && isPermanent(cause);
  }
}

const timeoutMs = 20_000;

/** Opens SMTP; null when no server is configured, and the product then offers nothing that needs mail. */
export function createMail(settings: { url: string | null; from: string }): Mail | null {
  const { url, from } = settings;
  if (!url) return null;
  return {
    async send({ to, subject, text }) {
      const watch = watchForData();
      try {
        const transport = createTransport({ ...patience, url, logger: watch.logger, transactionLog: true });
        // An address without a name stays one, whatever characters it has.
        await transport.sendMail({ from, to: { name: '', address: to }, subject, text, ...noLookUps });
      } catch (error) {
        throw new MailError(watch.hasBegun() && !isRefusal(error) ? 'maybe_sent' : 'not_sent', error);
      }
    },
  };
}

const patience = { connectionTimeout: timeoutMs, greetingTimeout: timeoutMs, socketTimeout: timeoutMs };
const noLookUps = { disableFileAccess: true, disableUrlAccess: true };

/** Notes when the message itself begins to leave (RFC 5321 §3.3): a later break may come after its acceptance. */
function watchForData() {
  let begun = false;
  const hear = (_entry: unknown, said: unknown) => {
    if (said === 'DATA') begun = true;
  };
  const logger = { level() {}, trace: hear, debug: hear, info: hear, warn: hear, error: hear, fatal: hear };
  return { logger, hasBegun: () => begun };
}

/** Whether the server itself refused (RFC 5321 §4.2.1), so that it keeps nothing. */
function isRefusal(error: unknown): boolean {
  return getResponseCode(error) !== null;
}

/** Refused for its address or its content. The operator may fix other refusals, such as a wrong password. */
const refusalsOfMail: readonly unknown[] = ['EENVELOPE', 'EMESSAGE'];

function isPermanent(error: unknown): boolean {
  const isOfMail = error instanceof Error && 'code' in error && refusalsOfMail.includes(error.code);
  return isOfMail && (getResponseCode(error) ?? 0) >= 500;
}

function getResponseCode(error: unknown): number | null {
  if (!(error instanceof Error) || !('responseCode' in error)) return null;
  return typeof error.responseCode === 'number' ? error.responseCode : null;
}
