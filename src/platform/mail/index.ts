import type { Delivery } from '#kernel/action';
import { createTransport } from 'nodemailer';

/** The door for mail that the server itself sends, such as sign-in links. Mail of people goes through their own accounts. */
export type Mail = {
  /** Sends to one address, as plain text. Throws `MailFault`. */
  send(message: { to: string; subject: string; text: string }): Promise<void>;
};

/** A mail that was not taken, or of which nobody knows whether it was. */
export class MailFault extends Error {
  readonly delivery: Delivery;
  /** The server will not take it however often it is asked (RFC 5321 §4.2.1). */
  readonly isForGood: boolean;

  constructor(delivery: Delivery, cause: unknown) {
    super('The mail server did not take a mail.', { cause });
    this.name = 'MailFault';
    this.delivery = delivery;
    this.isForGood = delivery === 'not_sent' && isPermanent(cause);
  }
}

const timeoutMs = 20_000;

/** Opens the door by SMTP; null when no server is set, and nothing that needs mail is offered then. */
export function createMail(settings: { url: string | null; from: string }): Mail | null {
  const { url, from } = settings;
  if (!url) return null;
  return {
    async send({ to, subject, text }) {
      const watch = watchForData();
      try {
        const transport = createTransport({ ...patience, url, logger: watch.logger, transactionLog: true });
        // An address that stands by itself stays one, whatever signs it holds.
        await transport.sendMail({ from, to: { name: '', address: to }, subject, text, ...noLookUps });
      } catch (error) {
        throw new MailFault(watch.hasBegun() && !isRefusal(error) ? 'maybe_sent' : 'not_sent', error);
      }
    },
  };
}

const patience = { connectionTimeout: timeoutMs, greetingTimeout: timeoutMs, socketTimeout: timeoutMs };
const noLookUps = { disableFileAccess: true, disableUrlAccess: true };

/** Notes when the message itself begins to go out (RFC 5321 §3.3): what breaks off later may have been taken. */
function watchForData() {
  let begun = false;
  const hear = (_entry: unknown, said: unknown) => {
    if (said === 'DATA') begun = true;
  };
  const logger = { level() {}, trace: hear, debug: hear, info: hear, warn: hear, error: hear, fatal: hear };
  return { logger, hasBegun: () => begun };
}

/** Whether the server itself said no (RFC 5321 §4.2.1), so that it keeps nothing. */
function isRefusal(error: unknown): boolean {
  return codeOf(error) !== null;
}

/** Refused for its address or for itself. What is refused otherwise, such as a password, whoever runs the server may set right. */
const refusalsOfMail: readonly unknown[] = ['EENVELOPE', 'EMESSAGE'];

function isPermanent(error: unknown): boolean {
  const isOfMail = error instanceof Error && 'code' in error && refusalsOfMail.includes(error.code);
  return isOfMail && (codeOf(error) ?? 0) >= 500;
}

function codeOf(error: unknown): number | null {
  if (!(error instanceof Error) || !('responseCode' in error)) return null;
  return typeof error.responseCode === 'number' ? error.responseCode : null;
}
