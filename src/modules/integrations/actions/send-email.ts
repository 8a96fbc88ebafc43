import { defineAction, type Outcome } from '#kernel/action';
import { z } from 'zod';
import { type Reach } from '../provider-client.ts';
import { ProviderFault } from '../provider-fault.ts';
import { composeMail, type ReplyHeaders } from './compose-mail.ts';

const gmail = 'https://gmail.googleapis.com/gmail/v1/users/me';

const address = z
  .string()
  .trim()
  .max(320)
  .regex(
    /^(?:[^<>\r\n,;]*<[^\s<>@,;]+@[^\s<>@,;]+>|[^\s<>@,;]+@[^\s<>@,;]+)$/,
    'must be an address such as ana@example.com',
  );

const payload = z.strictObject({
  to: z.array(address).min(1).max(100),
  cc: z.array(address).max(100).default([]),
  bcc: z.array(address).max(100).default([]),
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
});

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
  source: 'gmail',
  summary: 'Send a mail.',
  risk: 'write',
  payload,
  editable: ['to', 'cc', 'bcc', 'subject', 'body'],

  preview({ to, cc, bcc, subject, body, thread_id }) {
    const fields = [
      { label: 'To', text: to.join(', ') },
      { label: 'Cc', text: cc.join(', ') },
      { label: 'Bcc', text: bcc.join(', ') },
      { label: 'Subject', text: subject },
      { label: 'Body', text: body },
      { label: 'Reply in thread', text: thread_id ?? '' },
    ];
    return {
      title: `Mail to ${to.join(', ')}: ${subject}`,
      fields: fields.filter((field) => field.text),
      isComplete: true,
    };
  },

  target: ({ to, cc, bcc }) => ({ recipients: [...to, ...cc, ...bcc], what: 'mail' }),

  async prepare(reach, mail, { draftId, isRetry }) {
    const messageId = `<${draftId}@thalamus.invalid>`;
    const { reply, known } = mail.thread_id ? await readThread(reach, mail.thread_id) : { reply: null, known: [] };
    const existing = isRetry ? await findUnsent(reach, messageId) : null;
    const { id, message } =
      existing ?? (await createUnsent(reach, await composeMail(mail, messageId, reply), mail.thread_id));
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

  async abandon({ client, link }, handle) {
    const { gmail_draft_id } = handle as Handle; // made by `prepare`
    await client.send(link, { method: 'DELETE', url: `${gmail}/drafts/${gmail_draft_id}` });
  },
});

async function readThread(
  { client, link }: Reach,
  threadId: string,
): Promise<{ reply: ReplyHeaders; known: string[] }> {
  const answer = await client.json(link, {
    method: 'GET',
    url: `${gmail}/threads/${encodeURIComponent(threadId)}`,
    query: { format: 'metadata', metadataHeaders: ['Message-ID', 'References'] },
  });
  const { messages } = thread.parse(answer);
  const headers = messages.findLast(({ labelIds }) => !labelIds.includes('DRAFT'))?.payload?.headers ?? [];
  const header = (name: string) => headers.find((each) => each.name.toLowerCase() === name)?.value;
  const inReplyTo = header('message-id');
  return {
    reply: inReplyTo ? { inReplyTo, references: [header('references'), inReplyTo].filter(Boolean).join(' ') } : null,
    known: messages.map((message) => message.id),
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

async function createUnsent({ client, link }: Reach, raw: Buffer, threadId: string | undefined) {
  const message = { raw: raw.toString('base64url'), ...(threadId && { threadId }) };
  return drafted.parse(await client.json(link, { method: 'POST', url: `${gmail}/drafts`, body: { message } }));
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
