import { defineAction, type Outcome } from '#kernel/action';
import { AppError } from '#kernel/errors';
import { z } from 'zod';
import { type Reach } from '../provider-client.ts';
import { isNotFound, ProviderFault } from '../provider-fault.ts';
import { composeMail, type ReplyHeaders } from './compose-mail.ts';
import { attachedFiles, bytesOf, readFiles, shownFiles } from './files.ts';
import { fewOf } from './few-of.ts';
import { mailAddress } from './mail-address.ts';
import { multipart } from './multipart.ts';

const gmail = 'https://gmail.googleapis.com/gmail/v1/users/me';
const gmailUpload = 'https://gmail.googleapis.com/upload/gmail/v1/users/me';

/** https://support.google.com/mail/answer/6584 */
const mostAttached = 25_000_000;

const payload = z.strictObject({
  to: z.array(mailAddress).min(1).max(100),
  cc: z.array(mailAddress).max(100).default([]),
  bcc: z.array(mailAddress).max(100).default([]),
  subject: z
    .string()
    .max(998)
    .regex(/^[^\r\n]*$/, 'must be one line'),
  body: z.string().max(500_000),
  thread_id: z
    .string()
    .regex(/^[\w-]{1,64}$/)
    .optional()
    .describe('Keeps the reply in its thread.'),
  attachments: attachedFiles(mostAttached, 'Gmail'),
});

const replyLabel = 'Reply in thread';

type Handle = { gmail_draft_id: string; thread_id: string; known_message_ids: string[] };

const drafted = z.object({ id: z.string(), message: z.object({ id: z.string(), threadId: z.string() }) });
const draftList = z.object({ drafts: z.array(z.object({ id: z.string() })).optional() });
const sent = z.object({ id: z.string(), threadId: z.string() });
const thread = z.object({
  messages: z
    .array(
      z.object({
        id: z.string(),
        labelIds: z.array(z.string()).default([]),
        payload: z
          .object({ headers: z.array(z.object({ name: z.string(), value: z.string() })).default([]) })
          .optional(),
      }),
    )
    .default([]),
});

/**
 * A mail. Gmail overwrites Message-ID at sending, so the handle is the id of an unsent Gmail draft: it is made first,
 * stored, and then sent by id, which Gmail does once.
 */
export const sendEmail = defineAction<typeof payload, Reach>({
  name: 'send_email',
  example: { to: ['noah@example.com'], subject: 'Re: next week', body: "We're in. Which day works?" },
  source: 'gmail',
  summary: 'Send a mail.',
  risk: 'write',
  handle: 'unsent',
  requiresConfirmation: true,
  scopes: ['https://www.googleapis.com/auth/gmail.readonly', 'https://www.googleapis.com/auth/gmail.compose'],
  payload,
  editable: ['to', 'cc', 'bcc', 'subject', 'body'],

  fileBytes: ({ attachments }) => bytesOf(attachments),

  preview({ to, cc, bcc, subject, body, thread_id, attachments }) {
    const fields = [
      { label: 'To', text: to.join(', ') },
      { label: 'Cc', text: cc.join(', ') },
      { label: 'Bcc', text: bcc.join(', ') },
      { label: 'Subject', text: subject },
      { label: 'Body', text: body },
      { label: 'Attachments', text: shownFiles(attachments) },
      { label: replyLabel, text: thread_id ?? '' },
    ];
    return {
      title: `Mail to ${fewOf(to)}: ${subject || '(no subject)'}`,
      fields: fields.filter((field) => field.text),
      isComplete: true,
    };
  },

  target: ({ to, cc, bcc }) => ({ recipients: [...to, ...cc, ...bcc], what: 'mail' }),

  known: {
    isAsked: ({ thread_id }) => thread_id !== undefined,
    async ask(reach, { thread_id = '' }) {
      const { mails, subject } = await readThread(reach, thread_id);
      const shown = [{ label: replyLabel, text: `${subject} (${thread_id})`.trim() }];
      return { names: [], people: null, shown, overwrites: { thread: mails } };
    },
  },

  async prepare(reach, mail, { draftId, isRetry }) {
    const messageId = messageIdOf(draftId);
    const { reply, known } = mail.thread_id ? await readThread(reach, mail.thread_id) : { reply: null, known: [] };
    const existing = isRetry ? await findUnsent(reach, messageId) : null;
    const { id, message } = existing ?? (await createUnsent(reach, mail, { messageId, reply }));
    return { gmail_draft_id: id, thread_id: message.threadId, known_message_ids: known } satisfies Handle;
  },

  async send({ client, link }, _mail, handle) {
    const { gmail_draft_id } = handle as Handle; // made by `prepare`
    const answer = await client.json(link, {
      method: 'POST',
      url: `${gmail}/drafts/send`,
      body: { id: gmail_draft_id },
    });
    const { id, threadId } = sent.parse(answer);
    return { message_id: id, thread_id: threadId };
  },

  async lookup(reach, _mail, handle): Promise<Outcome> {
    const { gmail_draft_id, thread_id, known_message_ids } = handle as Handle; // made by `prepare`
    if (await exists(reach, `${gmail}/drafts/${gmail_draft_id}`)) {
      return { state: 'failed', error: { message: 'It was not sent: Gmail still has it as an unsent draft.' } };
    }
    const message = await sentMessage(reach, thread_id, known_message_ids);
    if (message) return { state: 'confirmed', result: { message_id: message, thread_id } };
    return { state: 'ambiguous', reason: 'Gmail has neither the unsent draft nor a sent mail in its thread.' };
  },

  async abandon(reach, handle, draftId) {
    const { client, link } = reach;
    const known = handle as Handle | null; // made by `prepare`
    const gmail_draft_id = known?.gmail_draft_id ?? (await findUnsent(reach, messageIdOf(draftId)))?.id;
    if (gmail_draft_id === undefined) return;
    await client.send(link, { method: 'DELETE', url: `${gmail}/drafts/${gmail_draft_id}` });
  },
});

function messageIdOf(draftId: string): string {
  return `<${draftId}@thalamus.invalid>`;
}

async function readThread(
  { client, link }: Reach,
  threadId: string,
): Promise<{ reply: ReplyHeaders; known: string[]; mails: string[]; subject: string }> {
  const request = {
    method: 'GET',
    url: `${gmail}/threads/${encodeURIComponent(threadId)}`,
    query: { format: 'metadata', metadataHeaders: ['Message-ID', 'References', 'Subject'] },
  } as const;
  const { messages } = thread.parse(await client.json(link, request).catch(noThread(threadId)));
  const headers = messages.findLast(({ labelIds }) => !labelIds.includes('DRAFT'))?.payload?.headers ?? [];
  const header = (name: string) => headers.find((each) => each.name.toLowerCase() === name)?.value;
  const inReplyTo = header('message-id');
  return {
    reply: inReplyTo ? { inReplyTo, references: [header('references'), inReplyTo].filter(Boolean).join(' ') } : null,
    subject: header('subject') ?? '',
    known: messages.map((message) => message.id),
    mails: messages.filter(({ labelIds }) => !labelIds.includes('DRAFT')).map(({ id }) => id),
  };
}

function noThread(threadId: string) {
  return (error: unknown): never => {
    if (!isNotFound(error)) throw error;
    throw new AppError('not_found', `There is no thread ${threadId} that this account can see.`);
  };
}

/** The Gmail draft that an earlier attempt made and could not tell us of. Its Message-ID is kept until it is sent. */
async function findUnsent({ client, link }: Reach, messageId: string) {
  const query = { q: `rfc822msgid:${messageId.slice(1, -1)}` };
  const [first] =
    draftList.parse(await client.json(link, { method: 'GET', url: `${gmail}/drafts`, query })).drafts ?? [];
  if (!first) return null;
  return drafted.parse(
    await client.json(link, { method: 'GET', url: `${gmail}/drafts/${first.id}`, query: { format: 'minimal' } }),
  );
}

async function createUnsent(
  reach: Reach,
  { attachments, thread_id: threadId, ...mail }: z.output<typeof payload>,
  headers: { messageId: string; reply: ReplyHeaders },
) {
  const files = await readFiles(reach, attachments);
  const raw = await composeMail(mail, { ...headers, files });
  const message = threadId ? { threadId } : {};
  const request = files.length
    ? uploadOf({ message }, raw)
    : { url: `${gmail}/drafts`, body: { message: { ...message, raw: raw.toString('base64url') } } };
  return drafted.parse(await reach.client.json(reach.link, { method: 'POST', ...request }));
}

/** A mail with files goes up as it is. https://developers.google.com/workspace/gmail/api/guides/uploads */
function uploadOf(metadata: unknown, raw: Buffer) {
  const { headers, body } = multipart(metadata, { type: 'message/rfc822', content: raw.toString('latin1') }); // ASCII throughout
  return { url: `${gmailUpload}/drafts`, query: { uploadType: 'multipart' }, headers, body };
}

async function sentMessage(reach: Reach, threadId: string, known: readonly string[]): Promise<string | undefined> {
  try {
    const answer = await reach.client.json(reach.link, {
      method: 'GET',
      url: `${gmail}/threads/${threadId}`,
      query: { format: 'metadata', metadataHeaders: ['Message-ID'] },
    });
    return thread.parse(answer).messages.find(({ id, labelIds }) => labelIds.includes('SENT') && !known.includes(id))
      ?.id;
  } catch (error) {
    if (error instanceof ProviderFault && error.status === 404) return undefined;
    throw error;
  }
}

/** Whether the provider has what stands at an address. */
async function exists({ client, link }: Reach, url: string): Promise<boolean> {
  try {
    await client.send(link, { method: 'GET', url });
    return true;
  } catch (error) {
    if (error instanceof ProviderFault && (error.status === 404 || error.status === 410)) return false;
    throw error;
  }
}
