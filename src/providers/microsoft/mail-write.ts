// Writes in Outlook's mail. A mail is first created unsent, with an id that does not change when it is sent or moved.
// https://learn.microsoft.com/graph/outlook-immutable-id
import type { Outcome } from '#kernel/action';
import { z } from 'zod';
import {
  addresses,
  type AttachedFile,
  judgeChange,
  defineWrite,
  type Draft,
  formatFew,
  findFirst,
  flag,
  writeIfKnown,
  line,
  makeOptional,
  assertFound,
  text,
} from '#providers/writing';
import { writePath, nothing, type ProviderApi, type Request } from '#providers/http';
import { microsoftApi } from './account.ts';
import { attachFiles, mostAttached } from './attach-files.ts';

const outlook = { source: 'outlook_mail', api: microsoftApi };
const headers = { prefer: 'IdType="ImmutableId"' };

const message_id = line('Mail', { about: "The message_id, from the mail's page or from an action.", most: 500 });
const body = text('Body', { most: 500_000 });

function post(path: string, given?: unknown): Request {
  return { method: 'POST', path, headers, ...(given !== undefined && { body: given }) };
}

const writeMailPath = (id: string) => writePath`/me/messages/${id}`;

/**
 * The property by which an unsent mail without a known id is found.
 * https://learn.microsoft.com/graph/api/resources/extended-properties-overview
 */
const markId = 'String {7a3c2d54-9b1e-4f0a-8d6c-5e2f1b7a9c34} Name thalamus_draft';
const buildMark = (draftId: string) => ({ singleValueExtendedProperties: [{ id: markId, value: draftId }] });
const notes = [
  {
    label: 'Also sent',
    text: 'A hidden tracking id, as a property that people do not see, finds the unsent mail again after a crash.',
  },
];

const unsentOf = z
  .object({ id: z.string(), isDraft: z.boolean().nullish(), conversationId: z.string().nullish() })
  .transform(({ id, isDraft, conversationId }) => ({ id, is_draft: isDraft, thread_id: conversationId }));
type OutlookUnsentMail = z.output<typeof unsentOf>;

/** The unsent mail that an earlier attempt created without receiving its id. The search returns only a candidate. */
async function findUnsent(api: ProviderApi, draftId: string): Promise<OutlookUnsentMail | undefined> {
  const property = z.object({ value: z.string() });
  const candidate = z.object({ isDraft: z.boolean(), singleValueExtendedProperties: z.array(property).nullish() });
  const found = api.list({
    answer: z.object({ value: z.array(z.unknown()) }),
    request: () => ({
      path: '/me/messages',
      headers,
      query: {
        $filter: `singleValueExtendedProperties/Any(ep: ep/id eq '${markId}' and ep/value eq '${draftId}')`,
        $select: 'isDraft,conversationId',
        $top: 100, // of several results, ours is among the newest
        $expand: `singleValueExtendedProperties($filter=id eq '${markId}')`,
      },
    }),
    items: ({ value }) => value,
  });
  const ours = await findFirst(found, (each) => {
    const { success, data } = candidate.safeParse(each);
    return success && data.isDraft && data.singleValueExtendedProperties?.[0]?.value === draftId;
  });
  return ours === undefined ? undefined : unsentOf.parse(ours);
}

/**
 * Creates the unsent mail, with its files. When it has files, an earlier unsent mail is deleted first: its progress is
 * unknown.
 */
async function makeUnsent(
  api: ProviderApi,
  request: Request,
  { draft, isRetry, files }: { draft: Draft; isRetry: boolean; files: readonly AttachedFile[] },
): Promise<{ unsent: OutlookUnsentMail }> {
  const before = isRetry ? await findUnsent(api, draft.id) : undefined;
  if (before && files.length === 0) return { unsent: before };
  if (before) await removeUnsent(api, before);
  const unsent = await api.write(unsentOf, request);
  await attachFiles(api, { messageId: unsent.id, headers }, files);
  return { unsent };
}

async function removeUnsent(api: ProviderApi, { id }: { id: string }): Promise<void> {
  await api.write(nothing, { method: 'DELETE', path: writeMailPath(id), headers });
}

const buildResult = ({ unsent }: { unsent: OutlookUnsentMail }) => ({
  message_id: unsent.id,
  thread_id: unsent.thread_id,
});

type PreparedMail = { unsent: OutlookUnsentMail };

async function sendUnsent(api: ProviderApi, made: PreparedMail) {
  await api.write(nothing, post(`${writeMailPath(made.unsent.id)}/send`));
  return buildResult(made);
}

/** A mail that is still unsent was not sent; the outcome of a missing one is unknown. */
async function findSent(api: ProviderApi, made: PreparedMail): Promise<Outcome> {
  const request = { path: writeMailPath(made.unsent.id), headers, query: { $select: 'isDraft' } };
  return judgeChange(await api.find(z.object({ isDraft: z.boolean().nullish() }), request), {
    isDone: ({ isDraft }) => isDraft === false,
    isSame: ({ isDraft }) => isDraft === made.unsent.is_draft,
    result: () => buildResult(made),
  });
}

async function abandonUnsent(api: ProviderApi, made: PreparedMail | null, draftId: string): Promise<void> {
  const unsent = made?.unsent ?? (await findUnsent(api, draftId));
  if (unsent) await removeUnsent(api, unsent);
}

const buildRecipients = (of: readonly string[] | undefined) => of?.map((address) => ({ emailAddress: { address } }));
const buildPlainText = (content: string) => ({ contentType: 'text', content });

const sendEmail = defineWrite(outlook, {
  name: 'send_email',
  example: { to: ['noah@example.com'], subject: 'Re: next week', body: "We're in. Which day works?" },
  summary: 'Send a mail.',
  risk: 'write',
  fields: {
    to: addresses('To', { least: 1, most: 100 }),
    cc: makeOptional(addresses('Cc', { most: 100 })),
    bcc: makeOptional(addresses('Bcc', { most: 100 })),
    subject: line('Subject', { most: 255 }),
    body,
  },
  editable: ['to', 'cc', 'bcc', 'subject', 'body'],
  recipients: ['to', 'cc', 'bcc'],
  title: (input) => `Mail to ${formatFew(input.to)}: ${input.subject}`,
  target: () => 'mail',
  notes,
  files: mostAttached,
  handle: 'unsent',

  prepare: (api, { to, cc, bcc, subject, body: content }, { draft }, attempt) =>
    makeUnsent(
      api,
      post('/me/messages', {
        ...buildMark(draft.id),
        subject,
        body: buildPlainText(content),
        toRecipients: buildRecipients(to),
        ccRecipients: buildRecipients(cc),
        bccRecipients: buildRecipients(bcc),
      }),
      { draft, ...attempt },
    ),
  send: (api, _input, made) => sendUnsent(api, made),
  lookup: (api, _input, made) => findSent(api, made),
  abandon: abandonUnsent,
});

const person = z.object({ emailAddress: z.object({ address: z.string().nullish() }) });
const mailOf = z.object({
  id: z.string(),
  parentFolderId: z.string(),
  subject: z.string().nullish(),
  from: person.nullish(),
  replyTo: z.array(person).nullish(),
  toRecipients: z.array(person).nullish(),
  ccRecipients: z.array(person).nullish(),
});
const listAddresses = (of: readonly z.output<typeof person>[] | null | undefined) =>
  (of ?? []).map(({ emailAddress }) => emailAddress.address);

async function findMail(api: ProviderApi, id: string) {
  const query = { $select: 'parentFolderId,subject,from,replyTo,toRecipients,ccRecipients' };
  const found = await api.find(mailOf, { path: writeMailPath(id), headers, query });
  const mail = assertFound(found, `There is no mail ${id} that this account can see.`);
  return {
    id: mail.id,
    folder_id: mail.parentFolderId,
    subject: mail.subject,
    from: mail.from?.emailAddress.address,
    reply_to: listAddresses(mail.replyTo),
    to: listAddresses(mail.toRecipients),
    cc: listAddresses(mail.ccRecipients),
  };
}

type Mail = Awaited<ReturnType<typeof findMail>>;
const buildFacts = ({ subject }: Mail, id: string) => ({
  about: subject ?? undefined,
  shown: [{ label: 'Mail', text: writeIfKnown`${subject} (${id})` }],
});

const replyToEmail = defineWrite(outlook, {
  name: 'reply_to_email',
  reachesOthers: true,
  example: { message_id: 'AAMkAGI2', body: 'Friday works.' },
  summary: 'Reply to a mail, in its thread.',
  risk: 'write',
  fields: {
    message_id,
    body,
    reply_all: makeOptional(flag('To everybody', { about: 'Also to all recipients of that mail.' })),
  },
  editable: ['body'],
  title: () => 'Reply to a mail',
  notes: [
    ...notes,
    {
      label: 'Goes to',
      text: 'The author of that mail; a reply to all also goes to its other recipients. Outlook keeps the subject.',
    },
  ],
  target: (input) => `reply to ${input.message_id}`,
  files: mostAttached,
  handle: 'unsent',

  resolve: async (api, input) => ({ mail: await findMail(api, input.message_id) }),
  snapshot(_api, { mail }, { message_id: id, reply_all: toAll }) {
    const answered = mail.reply_to.some(Boolean) ? mail.reply_to : [mail.from];
    const others = [
      { label: 'Also to (from the thread)', addresses: mail.to },
      { label: 'Cc (from the thread)', addresses: mail.cc },
    ];
    const people = [
      { label: 'To (from the thread)', addresses: answered, isSomebody: true } as const,
      ...(toAll ? others : []),
    ];
    return { ...buildFacts(mail, id), people };
  },
  /** The reply contains only the shown text, without a quotation. */
  prepare: (api, { message_id: id, body: content, reply_all: toAll }, { draft }, attempt) => {
    const message = { body: buildPlainText(content), ...buildMark(draft.id) };
    const path = `${writeMailPath(id)}/${toAll ? 'createReplyAll' : 'createReply'}`;
    return makeUnsent(api, post(path, { message }), { draft, ...attempt });
  },
  send: (api, _input, made) => sendUnsent(api, made),
  lookup: (api, _input, made) => findSent(api, made),
  abandon: abandonUnsent,
});

const archiveEmail = defineWrite(outlook, {
  name: 'archive_email',
  example: { message_id: 'AAMkAGI2' },
  summary: 'Archive a mail: move it to the archive folder.',
  requiresConfirmation: false,
  risk: 'write',
  scopes: ['Mail.ReadWrite'],
  fields: { message_id },
  editable: [],
  title: () => 'Archive a mail',
  target: (input) => `mail ${input.message_id}`,
  handle: 'state',

  async resolve(api, input) {
    const mail = await findMail(api, input.message_id);
    const folder = await api.find(z.object({ id: z.string() }), { path: '/me/mailFolders/archive', headers });
    return { mail, archive: { id: assertFound(folder, 'This mailbox has no archive.').id } };
  },
  snapshot: (_api, { mail }, input) => buildFacts(mail, input.message_id),
  async send(api, _input, { mail, archive }) {
    await api.write(
      z.object({ id: z.string() }),
      post(`${writeMailPath(mail.id)}/move`, { destinationId: archive.id }),
    );
    return { message_id: mail.id };
  },
  state: {
    read: (api, _input, { mail }) =>
      api.find(z.object({ parentFolderId: z.string() }), {
        path: writeMailPath(mail.id),
        headers,
        query: { $select: 'parentFolderId' },
      }),
    version: ({ parentFolderId }) => parentFolderId,
    was: ({ mail }) => mail.folder_id,
    holds: ({ parentFolderId }, _input, { archive }) => ({ isArchived: parentFolderId === archive.id }),
    overwrites: ({ parentFolderId }) => ({ parentFolderId }),
    result: (_item, { mail }) => ({ message_id: mail.id }),
  },
  undo: {
    says: 'Move the mail back to where it was',
    forMinutes: 1_440,
    steps: (_input, { mail, archive }) =>
      mail.folder_id === archive.id ? [] : [post(`${writeMailPath(mail.id)}/move`, { destinationId: mail.folder_id })],
  },
});

/** The writes in Outlook's mail. */
export const outlookMailWrites = [sendEmail, replyToEmail, archiveEmail];
