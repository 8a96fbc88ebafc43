// Writes in Gmail besides mails: archiving, reading and the bin are labels.
// https://developers.google.com/workspace/gmail/api/reference/rest/v1/users.threads
import { decodeHeader } from '#platform/mime';
import { z } from 'zod';
import { at, type ProviderApi, type Request } from '#providers/http';
import { defineWrite, known, line, lines, optional, orMissing, type TargetFacts } from '#providers/writing';
import { gmailApi } from '../account.ts';

const gmail = { source: 'gmail', api: gmailApi };

const thread_id = line('Thread', {
  about: 'The thread_id of its page.',
  shape: { pattern: '^[0-9a-f]{1,16}$', says: 'must be the id of a thread, as its page has it' },
});

const header = z.object({ name: z.string(), value: z.string() });
const messageOf = z.object({
  id: z.string(),
  labelIds: z.array(z.string()).default([]),
  payload: z.object({ headers: z.array(header).default([]) }).nullish(),
});
const threadOf = z.object({ historyId: z.string().nullish(), messages: z.array(messageOf).default([]) });
type Thread = z.output<typeof threadOf>;
type Input = { readonly thread_id: string };

const ofThread = (id: string) => at`/users/me/threads/${id}`;

function getThread(api: ProviderApi, id: string, more: Request['query'] = { format: 'minimal' }) {
  return api.find(threadOf, { path: ofThread(id), query: more });
}

async function findThread(api: ProviderApi, id: string): Promise<Thread> {
  return orMissing(await getThread(api, id), `There is no thread ${id} that this account can see.`);
}

/** Mails of a thread that have a label, or lack it: only of them the write is taken back. */
const having = ({ messages }: Thread, label: string) => idsOf(messages.filter((mail) => mail.labelIds.includes(label)));
const lacking = ({ messages }: Thread, label: string) =>
  idsOf(messages.filter((mail) => !mail.labelIds.includes(label)));
const idsOf = (of: Thread['messages']) => of.map(({ id }) => ({ id }));

const all = ({ messages }: Thread, ids: readonly string[]) =>
  messages.every(({ labelIds }) => ids.every((id) => labelIds.includes(id)));
const none = ({ messages }: Thread, ids: readonly string[]) =>
  messages.every(({ labelIds }) => !ids.some((id) => labelIds.includes(id)));

type Labels = { addLabelIds?: readonly string[]; removeLabelIds?: readonly string[] };

/** Changes labels of a thread, and shows its number of mails. */
async function modify(api: ProviderApi, { thread_id: id }: Input, body: Labels) {
  return resultOf(await api.write(threadOf, { method: 'POST', path: `${ofThread(id)}/modify`, body }), id);
}

/** Changes labels of some mails. */
function relabel(mails: readonly { id: string }[], labels: Labels): Request[] {
  if (mails.length === 0) return [];
  const body = { ids: mails.map(({ id }) => id), ...labels };
  return [{ method: 'POST', path: '/users/me/messages/batchModify', body }];
}

const resultOf = ({ messages }: Thread, id: string) => ({ thread_id: id, modified_count: messages.length });

async function toldOf(api: ProviderApi, { thread_id: id }: Input): Promise<TargetFacts> {
  const metadata = await getThread(api, id, { format: 'metadata', metadataHeaders: ['Subject', 'From'] });
  const headers = metadata?.messages[0]?.payload?.headers ?? [];
  const named = (name: string) => decodeHeader(headers.find((each) => each.name.toLowerCase() === name)?.value ?? '');
  return {
    about: named('subject'),
    shown: [
      { label: 'Thread', text: known`${named('subject')} (${id})` },
      { label: 'Begun by', text: named('from') },
    ],
  };
}

/** The common parts of all four. */
const common = {
  scopes: ['https://www.googleapis.com/auth/gmail.modify'],
  example: { thread_id: '18f2c4d6e8a0b1c3' },
  target: (input: Input) => `thread ${input.thread_id}`,
  handle: 'state',
} as const;

/** Reads a thread again. A change of labels makes another version of it. */
const asItIs = {
  read: (api: ProviderApi, input: Input) => getThread(api, input.thread_id),
  version: (thread: Thread) => thread.historyId,
};

const label = { about: 'Names of labels that are there.', most: 10 } as const;

async function labelsCalled(api: ProviderApi, names: readonly string[] = []) {
  if (names.length === 0) return [];
  const answer = z.object({ labels: z.array(z.object({ id: z.string(), name: z.string() })).default([]) });
  const { labels } = await api.read(answer, { path: '/users/me/labels' });
  return names.map((name) => {
    const { id } = orMissing(
      labels.find((each) => each.name.trim() === name),
      `There is no label ${name} in this mailbox.`,
    );
    return { id };
  });
}

const only = (of: readonly { id: string }[]) => of.map(({ id }) => id);

const labelThread = defineWrite(gmail, {
  ...common,
  name: 'label_thread',
  example: { thread_id: '18f2c4d6e8a0b1c3', add: ['Invoices'] },
  summary: 'Put labels on a thread, or take them off.',
  risk: 'write',
  requiresConfirmation: false,
  fields: { thread_id, add: optional(lines('Add', label)), remove: optional(lines('Take off', label)) },
  oneOf: ['add', 'remove'],
  editable: ['add', 'remove'],
  title: () => 'Label a thread',

  async resolve(api, input) {
    const thread = await findThread(api, input.thread_id);
    const added = await labelsCalled(api, input.add);
    const removed = await labelsCalled(api, input.remove);
    return {
      thread: { version: thread.historyId },
      added,
      removed,
      without: added.map((each) => ({ label: each, all: lacking(thread, each.id) })),
      having: removed.map((each) => ({ label: each, all: having(thread, each.id) })),
    };
  },
  send: (api, input, { added, removed }) =>
    modify(api, input, {
      ...(input.add && { addLabelIds: only(added) }),
      ...(input.remove && { removeLabelIds: only(removed) }),
    }),
  snapshot: (api, _found, input) => toldOf(api, input),
  state: {
    ...asItIs,
    was: ({ thread }) => thread.version,
    holds: (thread, _input, { added, removed }) =>
      Object.fromEntries([
        ...added.map(({ id }) => [`has ${id}`, all(thread, [id])]),
        ...removed.map(({ id }) => [`lacks ${id}`, none(thread, [id])]),
      ]),
    result: (thread, _found, input) => resultOf(thread, input.thread_id),
  },
  undo: {
    says: 'Take the labels off again, and put those back that were taken off',
    forMinutes: 1_440,
    steps: (_input, { without, having: had }) => [
      ...without.flatMap(({ label: { id }, all: mails }) => relabel(mails, { removeLabelIds: [id] })),
      ...had.flatMap(({ label: { id }, all: mails }) => relabel(mails, { addLabelIds: [id] })),
    ],
  },
});

const archiveThread = defineWrite(gmail, {
  ...common,
  name: 'archive_thread',
  summary: 'Take a thread out of the inbox.',
  risk: 'write',
  requiresConfirmation: false,
  fields: { thread_id },
  editable: [],
  title: () => 'Archive a thread',

  async resolve(api, input) {
    const thread = await findThread(api, input.thread_id);
    return { thread: { version: thread.historyId }, inboxed: having(thread, 'INBOX') };
  },
  send: (api, input) => modify(api, input, { removeLabelIds: ['INBOX'] }),
  snapshot: (api, _found, input) => toldOf(api, input),
  state: {
    ...asItIs,
    was: ({ thread }) => thread.version,
    holds: (thread) => ({ isArchived: none(thread, ['INBOX']) }),
    result: (thread, _found, input) => resultOf(thread, input.thread_id),
  },
  undo: {
    says: 'Put back into the inbox what was there',
    forMinutes: 1_440,
    steps: (_input, { inboxed }) => relabel(inboxed, { addLabelIds: ['INBOX'] }),
  },
});

const markAsRead = defineWrite(gmail, {
  ...common,
  name: 'mark_as_read',
  summary: 'Mark all mails of a thread as read.',
  risk: 'write',
  requiresConfirmation: false,
  fields: { thread_id },
  editable: [],
  title: () => 'Mark a thread as read',

  async resolve(api, input) {
    const thread = await findThread(api, input.thread_id);
    return { thread: { version: thread.historyId }, unread: having(thread, 'UNREAD') };
  },
  send: (api, input) => modify(api, input, { removeLabelIds: ['UNREAD'] }),
  snapshot: (api, _found, input) => toldOf(api, input),
  state: {
    ...asItIs,
    was: ({ thread }) => thread.version,
    holds: (thread) => ({ isRead: none(thread, ['UNREAD']) }),
    result: (thread, _found, input) => resultOf(thread, input.thread_id),
  },
  undo: {
    says: 'Mark as unread what was unread',
    forMinutes: 1_440,
    steps: (_input, { unread }) => relabel(unread, { addLabelIds: ['UNREAD'] }),
  },
});

/** Destructive, although it can be undone: the bin is emptied after 30 days without a question. */
const trashThread = defineWrite(gmail, {
  ...common,
  name: 'trash_thread',
  summary: 'Put a thread into the bin.',
  risk: 'destructive',
  fields: { thread_id },
  editable: [],
  title: () => 'Put a thread into the bin',
  notes: [{ label: 'Afterwards', text: 'Gmail deletes it for good after 30 days.' }],

  async resolve(api, input) {
    const thread = await findThread(api, input.thread_id);
    return {
      thread: { version: thread.historyId },
      binned: having(thread, 'TRASH'),
      kept: lacking(thread, 'TRASH'),
      inboxed: having(thread, 'INBOX'),
    };
  },
  async send(api, { thread_id: id }) {
    return resultOf(await api.write(threadOf, { method: 'POST', path: `${ofThread(id)}/trash` }), id);
  },
  snapshot: (api, _found, input) => toldOf(api, input),
  state: {
    ...asItIs,
    was: ({ thread }) => thread.version,
    holds: (thread) => ({ isBinned: all(thread, ['TRASH']) }),
    result: (thread, _found, input) => resultOf(thread, input.thread_id),
  },
  undo: {
    says: 'Take out of the bin what was put there',
    forMinutes: 1_440,
    steps: ({ thread_id: id }, { binned, kept, inboxed }) => [
      ...(binned.length === 0
        ? [{ method: 'POST' as const, path: `${ofThread(id)}/untrash` }]
        : kept.map((mail) => ({ method: 'POST' as const, path: at`/users/me/messages/${mail.id}/untrash` }))),
      ...relabel(inboxed, { addLabelIds: ['INBOX'] }),
    ],
  },
});

/** The writes in Gmail besides mails. */
export const gmailWrites = [labelThread, archiveThread, markAsRead, trashThread];
