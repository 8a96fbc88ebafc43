import MailComposer from 'nodemailer/lib/mail-composer/index.js';
import { encodeWord } from 'nodemailer/lib/mime-funcs/index.js';
import type { FileBytes } from '#providers/writing';
import { splitAddress } from './mail-address.ts';

/** Headers that tie a reply to its thread (RFC 5322 §3.6.4); null for a new mail. */
export type ReplyHeaders = { inReplyTo: string; references: string } | null;

/** One additional header. */
export type MailHeader = { name: string; value: string };

/** The content of a mail. */
export type Mail = { to: string[]; cc: string[]; bcc: string[]; subject: string; body: string };

type Headers = { messageId: string; reply: ReplyHeaders; mark: MailHeader };

/** The mail as RFC 5322 text. The provider adds From, since it knows the account's own name. */
export async function composeMail(
  mail: Mail,
  { messageId, reply, mark, files }: Headers & { files: readonly FileBytes[] },
): Promise<Buffer> {
  const { subject, body } = mail;
  const [to, cc, bcc] = [mail.to, mail.cc, mail.bcc].map((written) => written.map(splitAddress));
  const attachments = files.map(({ filename, mimeType: contentType, bytes: content }) => ({
    filename,
    contentType,
    content,
  }));
  const composer = new MailComposer({
    to,
    cc,
    bcc,
    ...(mayDecode(subject) ? {} : { subject }),
    text: body,
    messageId,
    ...reply,
    attachments,
    headers: { ...(mayDecode(subject) && { Subject: encodeSubject(subject) }), [mark.name]: mark.value },
  });
  const message = composer.compile();
  message.keepBcc = true; // the provider reads blind recipients from here, and removes the header itself
  return message.build();
}

/** A subject that looks like an encoded word would be decoded by mail programs (RFC 2047 §5). */
function mayDecode(subject: string): boolean {
  return subject.includes('=?');
}

/** Encodes the whole subject, in words of at most 75 characters. */
function encodeSubject(subject: string): { prepared: boolean; foldLines: boolean; value: string } {
  return { prepared: true, foldLines: true, value: encodeWord(subject, 'B', 60) };
}
