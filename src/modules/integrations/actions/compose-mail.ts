import MailComposer from 'nodemailer/lib/mail-composer/index.js';

/** Headers that tie a reply to its thread (RFC 5322 §3.6.4); null for a new mail. */
export type ReplyHeaders = { inReplyTo: string; references: string } | null;

/** What a mail says. */
export type Mail = { to: string[]; cc: string[]; bcc: string[]; subject: string; body: string };

/** The mail as RFC 5322 text. From is left to the provider, which knows the account's own name. */
export async function composeMail(mail: Mail, messageId: string, reply: ReplyHeaders): Promise<Buffer> {
  const { to, cc, bcc, subject, body } = mail;
  const composer = new MailComposer({ to, cc, bcc, subject, text: body, messageId, ...reply });
  const message = composer.compile();
  message.keepBcc = true; // the provider reads the blind recipients here and takes the header out itself
  return message.build();
}
