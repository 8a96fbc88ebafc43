// Sends a mail. Gmail overwrites Message-ID at sending, so the handle is the id of an unsent Gmail draft: the draft is
// created first, its id is stored, and Gmail sends a draft only once.
// https://developers.google.com/workspace/gmail/api/guides/drafts
import { decodeHeader } from '#platform/mime';
import { z } from 'zod';
import { createProviderApi, writePath, nothing, type ProviderApi, type Request } from '#providers/http';
import { defineWrite, formatFew, type FileBytes, assertFound, readFiles, createSchemaField } from '#providers/writing';
import { gmailApi, gmailUploadApi } from '../account.ts';
import { buildMultipart } from '../multipart.ts';
import { composeMail, type Mail, type ReplyHeaders } from './compose-mail.ts';
import { mailAddress } from './mail-address.ts';

/** https://support.google.com/mail/answer/6584 */
const mostAttached = 25_000_000;

/** The header that identifies the sent mail: Gmail keeps it, and overwrites Message-ID. */
const markHeader = 'X-Thalamus-Draft';
/** At most this many unsent mails are searched for one of ours. */
const mostCandidates = 50;

const headersOf = z
  .object({ headers: z.array(z.object({ name: z.string(), value: z.string() })).default([]) })
  .optional();
const unsentOf = z.object({
  id: z.string(),
  message: z.object({ id: z.string(), threadId: z.string(), payload: headersOf }),
});
type GmailUnsentMail = z.output<typeof unsentOf>;
const sentOf = z.object({ id: z.string(), threadId: z.string() });
const threadOf = z.object({
  messages: z
    .array(z.object({ id: z.string(), labelIds: z.array(z.string()).default([]), payload: headersOf }))
    .default([]),
});

const drafts = '/users/me/drafts';
const writeUnsentPath = (id: string) => `${drafts}${writePath`/${id}`}`;
const createMessageId = (draftId: string) => `<${draftId}@thalamus.invalid>`;

/** The parts of the answered thread that are stored. */
type Thread = { reply: ReplyHeaders; known: string[]; mails: string[]; subject: string };

/** The parts of the unsent mail that are stored. Drafts of earlier versions have no `draft_id`. */
type PreparedMail = { gmail_draft_id: string; thread_id: string; known_message_ids: string[]; draft_id?: string };

/** A mail in Gmail, with files, or as a reply in a thread. */
export const sendEmail = defineWrite(
  { source: 'gmail', api: gmailApi },
  {
    name: 'send_email',
    example: { to: ['noah@example.com'], subject: 'Re: next week', body: "We're in. Which day works?" },
    summary: 'Send a mail.',
    risk: 'write',
    scopes: ['https://www.googleapis.com/auth/gmail.readonly', 'https://www.googleapis.com/auth/gmail.compose'],
    fields: {
      to: createSchemaField('To', z.array(mailAddress).min(1).max(100)),
      cc: createSchemaField('Cc', z.array(mailAddress).max(100).default([])),
      bcc: createSchemaField('Bcc', z.array(mailAddress).max(100).default([])),
      subject: createSchemaField(
        'Subject',
        z
          .string()
          .max(998)
          .regex(/^[^\r\n]*$/, 'must be one line'),
      ),
      body: createSchemaField('Body', z.string().max(500_000)),
      thread_id: createSchemaField(
        'Reply in thread',
        z
          .string()
          .regex(/^[\w-]{1,64}$/)
          .optional()
          .describe('Keeps the reply in its thread.'),
      ),
    },
    editable: ['to', 'cc', 'bcc', 'subject', 'body'],
    recipients: ['to', 'cc', 'bcc'],
    title: ({ to, subject }) => `Mail to ${formatFew(to)}: ${subject || '(no subject)'}`,
    notes: [
      {
        label: 'Also sent',
        text: `A hidden tracking id in the header ${markHeader} confirms delivery.`,
      },
    ],
    target: () => 'mail',
    files: { provider: 'Gmail', mostBytes: mostAttached },
    handle: 'unsent',

    needsSnapshot: ({ thread_id: id }) => id !== undefined,
    resolve: async (api, { thread_id: id }) => ({ thread: id === undefined ? null : await readThread(api, id) }),
    snapshot: (_api, { thread }, { thread_id: id }) => ({
      shown: [{ label: 'Reply in thread', text: thread ? `${thread.subject} (${id})`.trim() : undefined }],
      overwrites: { thread: thread?.mails },
    }),
    async prepare(api, mail, { thread, draft }, { isRetry, files }) {
      const before = isRetry ? await findUnsent(api, draft.id) : undefined;
      const unsent =
        before ??
        (await createUnsent(api, mail, {
          draftId: draft.id,
          reply: thread?.reply ?? null,
          files: await readFiles(api.reach, files),
        }));
      const { id, message } = unsent;
      const known = thread?.known ?? [];
      return { gmail_draft_id: id, thread_id: message.threadId, known_message_ids: known, draft_id: draft.id };
    },
    async send(api, _mail, made) {
      const body = { id: made.gmail_draft_id };
      const { id, threadId } = await api.write(sentOf, { method: 'POST', path: `${drafts}/send`, body });
      return { message_id: id, thread_id: threadId };
    },
    async lookup(api, _mail, made) {
      if ((await api.find(nothing, { path: writeUnsentPath(made.gmail_draft_id) })) !== undefined)
        return { state: 'failed', error: { message: 'It was not sent: Gmail still has it as an unsent draft.' } };
      const message = await findSentMessage(api, made);
      if (message !== undefined)
        return { state: 'confirmed', result: { message_id: message, thread_id: made.thread_id } };
      return {
        state: 'ambiguous',
        reason: 'Gmail has neither the unsent draft nor a sent mail of this draft in the thread.',
      };
    },
    async abandon(api, made, draftId) {
      const id = made?.gmail_draft_id ?? (await findUnsent(api, draftId))?.id;
      if (id !== undefined) await api.write(nothing, { method: 'DELETE', path: writeUnsentPath(id) });
    },
  },
);

function findThread(api: ProviderApi, id: string, metadataHeaders: readonly string[]) {
  return api.find(threadOf, {
    path: writePath`/users/me/threads/${id}`,
    query: { format: 'metadata', metadataHeaders },
  });
}

async function readThread(api: ProviderApi, id: string): Promise<Thread> {
  const found = await findThread(api, id, ['Message-ID', 'References', 'Subject']);
  const { messages } = assertFound(found, `There is no thread ${id} that this account can see.`);
  const mails = messages.filter(({ labelIds }) => !labelIds.includes('DRAFT'));
  const last = mails.at(-1);
  const header = (name: string) => last && readHeader(last, name);
  const inReplyTo = header('message-id');
  return {
    reply: inReplyTo ? { inReplyTo, references: [header('references'), inReplyTo].filter(Boolean).join(' ') } : null,
    subject: decodeHeader(header('subject') ?? ''),
    known: messages.map((message) => message.id),
    mails: mails.map((mail) => mail.id),
  };
}

/**
 * The Gmail draft that an earlier attempt created without receiving its id. Its Message-ID stays until it is sent. The
 * search returns only a candidate: a mail with another Message-ID is a person's own unsent mail.
 */
async function findUnsent(api: ProviderApi, draftId: string): Promise<GmailUnsentMail | undefined> {
  const messageId = createMessageId(draftId);
  const listOf = z.object({ drafts: z.array(z.object({ id: z.string() })).default([]) });
  const listed = await api.read(listOf, { path: drafts, query: { q: `rfc822msgid:${messageId.slice(1, -1)}` } });
  for (const { id } of listed.drafts.slice(0, mostCandidates)) {
    const found = await api.read(unsentOf, { path: writeUnsentPath(id), query: { format: 'metadata' } });
    if (readHeader(found.message, 'message-id') === messageId) return found;
  }
  return undefined;
}

function readHeader({ payload }: { payload?: z.output<typeof headersOf> }, name: string): string | undefined {
  return payload?.headers.find((each) => each.name.toLowerCase() === name)?.value;
}

type DraftToFinish = { draftId: string; reply: ReplyHeaders; files: readonly FileBytes[] };

/** A mail with files is uploaded unchanged. https://developers.google.com/workspace/gmail/api/guides/uploads */
async function createUnsent(
  api: ProviderApi,
  { thread_id: threadId, ...mail }: Mail & { readonly thread_id?: string | undefined },
  { draftId, reply, files }: DraftToFinish,
): Promise<GmailUnsentMail> {
  const mark = { name: markHeader, value: draftId };
  const raw = await composeMail(mail, { messageId: createMessageId(draftId), reply, mark, files });
  const request = { method: 'POST', path: drafts } satisfies Request;
  if (files.length === 0)
    return api.write(unsentOf, { ...request, body: { message: { threadId, raw: raw.toString('base64url') } } });
  const upload = buildMultipart({ message: { threadId } }, { type: 'message/rfc822', content: raw.toString('latin1') }); // ASCII throughout
  const query = { uploadType: 'multipart' };
  return createProviderApi(gmailUploadApi, api.reach).write(unsentOf, { ...request, query, ...upload });
}

/** The sent mail of a thread that carries our mark, or our Message-ID where Gmail kept it. */
async function findSentMessage(
  api: ProviderApi,
  { thread_id, draft_id, known_message_ids }: PreparedMail,
): Promise<string | undefined> {
  const thread = await findThread(api, thread_id, ['Message-ID', markHeader]);
  const isNew = ({ id, labelIds }: { id: string; labelIds: string[] }) =>
    labelIds.includes('SENT') && !known_message_ids.includes(id);
  const sent = thread?.messages.filter(isNew) ?? [];
  // A mail that was prepared before marks existed is the only new one of its thread.
  if (draft_id === undefined) return sent[0]?.id;
  const isOurs = (mail: (typeof sent)[number]) =>
    readHeader(mail, markHeader.toLowerCase()) === draft_id ||
    readHeader(mail, 'message-id') === createMessageId(draft_id);
  return sent.find(isOurs)?.id;
}
