// Changes threads in Gmail: archiving, marking as read and trashing set or remove labels.
// https://developers.google.com/workspace/gmail/api/reference/rest/v1/users.threads
import { decodeHeader } from '#platform/mime';
import { z } from 'zod';
import { writePath, type ProviderApi, type Request } from '#providers/http';
import {
  defineWrite,
  writeIfKnown,
  line,
  lines,
  makeOptional,
  assertFound,
  type TargetFacts,
} from '#providers/writing';
import { gmailApi } from '../account.ts';

const gmail = { source: 'gmail', api: gmailApi };

const thread_id = line('Thread', {
  about: 'The thread_id from its page.',
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

const writeThreadPath = (id: string) => writePath`/users/me/threads/${id}`;

function getThread(api: ProviderApi, id: string, more: Request['query'] = { format: 'minimal' }) {
  return api.find(threadOf, { path: writeThreadPath(id), query: more });
}

async function findThread(api: ProviderApi, id: string): Promise<Thread> {
  return assertFound(await getThread(api, id), `There is no thread ${id} that this account can see.`);
}

/** The mails of a thread that have the label, or lack it: only these are changed, and the undo changes only these. */
const listHaving = ({ messages }: Thread, label: string) =>
  pickIds(messages.filter((mail) => mail.labelIds.includes(label)));
const listLacking = ({ messages }: Thread, label: string) =>
  pickIds(messages.filter((mail) => !mail.labelIds.includes(label)));
const pickIds = (of: Thread['messages']) => of.map(({ id }) => ({ id }));

const hasAll = ({ messages }: Thread, ids: readonly string[]) =>
  messages.every(({ labelIds }) => ids.every((id) => labelIds.includes(id)));
const hasNone = ({ messages }: Thread, ids: readonly string[]) =>
  messages.every(({ labelIds }) => !ids.some((id) => labelIds.includes(id)));

type Labels = { addLabelIds?: readonly string[]; removeLabelIds?: readonly string[] };

/** Changes the labels of a thread, and returns its number of mails. */
async function updateLabels(api: ProviderApi, { thread_id: id }: Input, body: Labels) {
  return buildResult(await api.write(threadOf, { method: 'POST', path: `${writeThreadPath(id)}/modify`, body }), id);
}

/** Changes labels of some mails. */
function relabel(mails: readonly { id: string }[], labels: Labels): Request[] {
  if (mails.length === 0) return [];
  const body = { ids: mails.map(({ id }) => id), ...labels };
  return [{ method: 'POST', path: '/users/me/messages/batchModify', body }];
}

const buildResult = ({ messages }: Thread, id: string) => ({ thread_id: id, modified_count: messages.length });

async function readFacts(api: ProviderApi, { thread_id: id }: Input): Promise<TargetFacts> {
  const metadata = await getThread(api, id, { format: 'metadata', metadataHeaders: ['Subject', 'From'] });
  const headers = metadata?.messages[0]?.payload?.headers ?? [];
  const named = (name: string) => decodeHeader(headers.find((each) => each.name.toLowerCase() === name)?.value ?? '');
  return {
    about: named('subject'),
    shown: [
      { label: 'Thread', text: writeIfKnown`${named('subject')} (${id})` },
      { label: 'Begun by', text: named('from') },
    ],
  };
}

/** The common parts of the four writes below. */
const common = {
  scopes: ['https://www.googleapis.com/auth/gmail.modify'],
  example: { thread_id: '18f2c4d6e8a0b1c3' },
  target: (input: Input) => `thread ${input.thread_id}`,
  handle: 'state',
} as const;

/** Reads a thread again. A change of labels gives it a new version. */
const asItIs = {
  read: (api: ProviderApi, input: Input) => getThread(api, input.thread_id),
  version: (thread: Thread) => thread.historyId,
};

const label = { about: 'Names of existing labels.', most: 10 } as const;

async function findLabels(api: ProviderApi, names: readonly string[] = []) {
  if (names.length === 0) return [];
  const answer = z.object({ labels: z.array(z.object({ id: z.string(), name: z.string() })).default([]) });
  const { labels } = await api.read(answer, { path: '/users/me/labels' });
  return names.map((name) => {
    const { id } = assertFound(
      labels.find((each) => each.name.trim() === name),
      `There is no label ${name} in this mailbox.`,
    );
    return { id };
  });
}

const listIds = (of: readonly { id: string }[]) => of.map(({ id }) => id);

const labelThread = defineWrite(gmail, {
  ...common,
  name: 'label_thread',
  aliases: [{ name: 'add_labels', fields: { labels: 'add' } }],
  example: { thread_id: '18f2c4d6e8a0b1c3', add: ['Invoices'] },
  summary: 'Add labels to a thread, or remove them.',
  risk: 'write',
  requiresConfirmation: false,
  fields: { thread_id, add: makeOptional(lines('Add', label)), remove: makeOptional(lines('Take off', label)) },
  oneOf: ['add', 'remove'],
  editable: ['add', 'remove'],
  title: () => 'Label a thread',

  async resolve(api, input) {
    const thread = await findThread(api, input.thread_id);
    const added = await findLabels(api, input.add);
    const removed = await findLabels(api, input.remove);
    return {
      thread: { version: thread.historyId },
      added,
      removed,
      without: added.map((each) => ({ label: each, all: listLacking(thread, each.id) })),
      having: removed.map((each) => ({ label: each, all: listHaving(thread, each.id) })),
    };
  },
  send: (api, input, { added, removed }) =>
    updateLabels(api, input, {
      ...(input.add && { addLabelIds: listIds(added) }),
      ...(input.remove && { removeLabelIds: listIds(removed) }),
    }),
  snapshot: (api, _found, input) => readFacts(api, input),
  state: {
    ...asItIs,
    was: ({ thread }) => thread.version,
    holds: (thread, _input, { added, removed }) =>
      Object.fromEntries([
        ...added.map(({ id }) => [`has ${id}`, hasAll(thread, [id])]),
        ...removed.map(({ id }) => [`lacks ${id}`, hasNone(thread, [id])]),
      ]),
    result: (thread, _found, input) => buildResult(thread, input.thread_id),
  },
  undo: {
    says: 'Remove the added labels, and restore the removed ones',
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
  summary: 'Archive a thread: take it out of the inbox.',
  risk: 'write',
  requiresConfirmation: false,
  fields: { thread_id },
  editable: [],
  title: () => 'Archive a thread',

  async resolve(api, input) {
    const thread = await findThread(api, input.thread_id);
    return { thread: { version: thread.historyId }, inboxed: listHaving(thread, 'INBOX') };
  },
  send: (api, input) => updateLabels(api, input, { removeLabelIds: ['INBOX'] }),
  snapshot: (api, _found, input) => readFacts(api, input),
  state: {
    ...asItIs,
    was: ({ thread }) => thread.version,
    holds: (thread) => ({ isArchived: hasNone(thread, ['INBOX']) }),
    result: (thread, _found, input) => buildResult(thread, input.thread_id),
  },
  undo: {
    says: 'Move the thread back to the inbox',
    forMinutes: 1_440,
    steps: (_input, { inboxed }) => relabel(inboxed, { addLabelIds: ['INBOX'] }),
  },
});

const markAsRead = defineWrite(gmail, {
  ...common,
  name: 'mark_as_read',
  aliases: [{ name: 'mark_read' }],
  summary: 'Mark all mails of a thread as read.',
  risk: 'write',
  requiresConfirmation: false,
  fields: { thread_id },
  editable: [],
  title: () => 'Mark a thread as read',

  async resolve(api, input) {
    const thread = await findThread(api, input.thread_id);
    return { thread: { version: thread.historyId }, unread: listHaving(thread, 'UNREAD') };
  },
  send: (api, input) => updateLabels(api, input, { removeLabelIds: ['UNREAD'] }),
  snapshot: (api, _found, input) => readFacts(api, input),
  state: {
    ...asItIs,
    was: ({ thread }) => thread.version,
    holds: (thread) => ({ isRead: hasNone(thread, ['UNREAD']) }),
    result: (thread, _found, input) => buildResult(thread, input.thread_id),
  },
  undo: {
    says: 'Mark the mails as unread again',
    forMinutes: 1_440,
    steps: (_input, { unread }) => relabel(unread, { addLabelIds: ['UNREAD'] }),
  },
});

/** Destructive, although it can be undone: Gmail empties the trash after 30 days. */
const trashThread = defineWrite(gmail, {
  ...common,
  name: 'trash_thread',
  summary: 'Move a thread to the trash.',
  risk: 'destructive',
  fields: { thread_id },
  editable: [],
  title: () => 'Move a thread to the trash',
  notes: [{ label: 'Afterwards', text: 'Gmail deletes it permanently after 30 days.' }],

  async resolve(api, input) {
    const thread = await findThread(api, input.thread_id);
    return {
      thread: { version: thread.historyId },
      binned: listHaving(thread, 'TRASH'),
      kept: listLacking(thread, 'TRASH'),
      inboxed: listHaving(thread, 'INBOX'),
    };
  },
  async send(api, { thread_id: id }) {
    return buildResult(await api.write(threadOf, { method: 'POST', path: `${writeThreadPath(id)}/trash` }), id);
  },
  snapshot: (api, _found, input) => readFacts(api, input),
  state: {
    ...asItIs,
    was: ({ thread }) => thread.version,
    holds: (thread) => ({ isBinned: hasAll(thread, ['TRASH']) }),
    result: (thread, _found, input) => buildResult(thread, input.thread_id),
  },
  undo: {
    says: 'Restore the thread from the trash',
    forMinutes: 1_440,
    steps: ({ thread_id: id }, { binned, kept, inboxed }) => [
      ...(binned.length === 0
        ? [{ method: 'POST' as const, path: `${writeThreadPath(id)}/untrash` }]
        : kept.map((mail) => ({ method: 'POST' as const, path: writePath`/users/me/messages/${mail.id}/untrash` }))),
      ...relabel(inboxed, { addLabelIds: ['INBOX'] }),
    ],
  },
});

/** The writes that change threads in Gmail. */
export const gmailWrites = [labelThread, archiveThread, markAsRead, trashThread];
