import { defineAction, type Outcome } from '#kernel/action';
import { AppError } from '#kernel/errors';
import { z } from 'zod';
import { type Reach } from '../../../provider-client.ts';
import { isNotFound, ProviderFault } from '../../../provider-fault.ts';
import { composeMail, type MailHeader, type ReplyHeaders } from './compose-mail.ts';
import { attachedFiles, bytesOf, readFiles, shownFiles } from '../../../writing/files.ts';
import { fewOf } from '../../../writing/texts.ts';
import { mailAddress } from './mail-address.ts';
import { multipart } from '../multipart.ts';

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
/** By this header the sent mail is recognised: Gmail keeps it, and overwrites Message-ID. */
const markHeader = 'X-Thalamus-Draft';
/** More unsent mails than that are not looked through for one of ours. */
const mostCandidates = 50;

type Handle = { gmail_draft_id: string; thread_id: string; known_message_ids: string[]; draft_id?: string };

const headersOf = z
  .object({ headers: z.array(z.object({ name: z.string(), value: z.string() })).default([]) })
  .optional();
const drafted = z.object({
  id: z.string(),
  message: z.object({ id: z.string(), threadId: z.string(), payload: headersOf }),
});
const draftList = z.object({ drafts: z.array(z.object({ id: z.string() })).optional() });
const sent = z.object({ id: z.string(), threadId: z.string() });
const thread = z.object({
  messages: z
    .array(
      z.object({
        id: z.string(),
        labelIds: z.array(z.string()).default([]),
        payload: headersOf,
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
      {
        label: 'Also sent',
        text: `The id of this draft, in the header ${markHeader}: by it the sent mail is recognised.`,
      },
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
    const mark = { name: markHeader, value: draftId };
    const { id, message } = existing ?? (await createUnsent(reach, mail, { messageId, reply, mark }));
    const handle = { gmail_draft_id: id, thread_id: message.threadId, known_message_ids: known, draft_id: draftId };
    return handle satisfies Handle;
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
    const { gmail_draft_id, thread_id } = handle as Handle; // made by `prepare`
    if (await exists(reach, `${gmail}/drafts/${gmail_draft_id}`)) {
      return { state: 'failed', error: { message: 'It was not sent: Gmail still has it as an unsent draft.' } };
    }
    const message = await sentMessage(reach, handle as Handle);
    if (message) return { state: 'confirmed', result: { message_id: message, thread_id } };
    return {
      state: 'ambiguous',
      reason: 'Gmail has neither the unsent draft nor this mail among the sent ones of its thread.',
    };
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
  const last = messages.findLast(({ labelIds }) => !labelIds.includes('DRAFT'));
  const header = (name: string) => last && headerOf(last, name);
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

/**
 * The Gmail draft that an earlier attempt made and could not tell us of. Its Message-ID is kept until it is sent. What the search finds is
 * only a candidate: one whose own Message-ID is another is somebody's own unsent mail.
 */
async function findUnsent({ client, link }: Reach, messageId: string): Promise<z.output<typeof drafted> | null> {
  const query = { q: `rfc822msgid:${messageId.slice(1, -1)}` };
  const { drafts = [] } = draftList.parse(await client.json(link, { method: 'GET', url: `${gmail}/drafts`, query }));
  for (const { id } of drafts.slice(0, mostCandidates)) {
    const url = `${gmail}/drafts/${encodeURIComponent(id)}`;
    const found = drafted.parse(await client.json(link, { method: 'GET', url, query: { format: 'metadata' } }));
    if (headerOf(found.message, 'message-id') === messageId) return found;
  }
  return null;
}

function headerOf({ payload }: { payload?: z.output<typeof headersOf> }, name: string): string | undefined {
  return payload?.headers.find((each) => each.name.toLowerCase() === name)?.value;
}

async function createUnsent(
  reach: Reach,
  { attachments, thread_id: threadId, ...mail }: z.output<typeof payload>,
  headers: { messageId: string; reply: ReplyHeaders; mark: MailHeader },
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

/** The sent mail of a thread that bears our mark, or our Message-ID where it was left as it was. */
async function sentMessage(
  reach: Reach,
  { thread_id, draft_id, known_message_ids }: Handle,
): Promise<string | undefined> {
  try {
    const answer = await reach.client.json(reach.link, {
      method: 'GET',
      url: `${gmail}/threads/${encodeURIComponent(thread_id)}`,
      query: { format: 'metadata', metadataHeaders: ['Message-ID', markHeader] },
    });
    const sentMails = thread
      .parse(answer)
      .messages.filter(({ id, labelIds }) => labelIds.includes('SENT') && !known_message_ids.includes(id));
    // A mail that was prepared before mails were marked is the only new one of its thread.
    if (draft_id === undefined) return sentMails[0]?.id;
    const isOurs = (mail: (typeof sentMails)[number]) =>
      headerOf(mail, markHeader.toLowerCase()) === draft_id || headerOf(mail, 'message-id') === messageIdOf(draft_id);
    return sentMails.find(isOurs)?.id;
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
