// One account's mail: messages, drafts, labels and the history of their changes.
import { randomInt } from 'node:crypto';
import { findHeader, parseMime } from '../mime.ts';
import type { MimePart } from '../mime.ts';

/** A stored message. Everything else is read from its bytes. */
export type StoredMessage = {
  id: string;
  threadId: string;
  labelIds: string[];
  historyId: number;
  /** Milliseconds since 1970. */
  internalDate: number;
  raw: Uint8Array;
  /** Grows with every message that comes. */
  arrival: number;
};

/** A draft points at its message; an update swaps the message and keeps the draft's id. */
export type StoredDraft = { id: string; messageId: string };

/** A label as Gmail shows it. */
export type StoredLabel = {
  id: string;
  name: string;
  type: 'system' | 'user';
  messageListVisibility?: string;
  labelListVisibility?: string;
  color?: { textColor?: string; backgroundColor?: string };
};

/** One change, for `history.list`. */
export type HistoryRecord = {
  id: number;
  kind: 'messageAdded' | 'messageDeleted' | 'labelAdded' | 'labelRemoved';
  messageId: string;
  threadId: string;
  /** The labels of the message after the change. */
  labelIds: string[];
  /** The labels that came or went. */
  changed: string[];
};

/** A mailbox. */
export type Mailbox = {
  messages: Map<string, StoredMessage>;
  drafts: Map<string, StoredDraft>;
  labels: Map<string, StoredLabel>;
  history: HistoryRecord[];
  historyId: number;
  /** Older start ids are answered 404, as Gmail does after about a week. */
  oldestHistoryId: number;
  counter: number;
  /** Indexes of the messages, so that large mailboxes answer as fast as small ones. */
  byThread: Map<string, Set<StoredMessage>>;
  byMessageId: Map<string, Set<StoredMessage>>;
  /** Sorted when somebody asks; null when something came or went since. */
  newest: StoredMessage[] | null;
};

const systemLabels = [
  'CHAT',
  'SENT',
  'INBOX',
  'IMPORTANT',
  'TRASH',
  'DRAFT',
  'SPAM',
  'CATEGORY_FORUMS',
  'CATEGORY_UPDATES',
  'CATEGORY_PERSONAL',
  'CATEGORY_PROMOTIONS',
  'CATEGORY_SOCIAL',
  'STARRED',
  'UNREAD',
];

/** An empty mailbox with Gmail's system labels. */
export function createMailbox(): Mailbox {
  const labels = systemLabels.map((id): [string, StoredLabel] => [id, { id, name: id, type: 'system' }]);
  const historyId = randomInt(100_000, 900_000);
  return {
    messages: new Map(),
    drafts: new Map(),
    labels: new Map(labels),
    history: [],
    historyId,
    oldestHistoryId: historyId,
    counter: randomInt(1, 0xff_ff),
    byThread: new Map(),
    byMessageId: new Map(),
    newest: null,
  };
}

/** A new message id: 16 hexadecimal digits that grow with time. */
function createMessageKey(mailbox: Mailbox, at: Date): string {
  mailbox.counter += 1;
  return ((BigInt(at.getTime()) << 20n) | BigInt(mailbox.counter & 0xf_ff_ff)).toString(16);
}

/** A new draft id, as Gmail's look: `r` and a signed number. */
export function createDraftKey(): string {
  return `r-${randomInt(1e9, 9e9)}${randomInt(1e8, 9e8)}`;
}

const parsed = new WeakMap<Uint8Array, MimePart>();

/** The parsed message; parsed once. */
export function parseMessageParts(message: Pick<StoredMessage, 'raw'>): MimePart {
  const known = parsed.get(message.raw);
  if (known) return known;
  const fresh = parseMime(message.raw);
  parsed.set(message.raw, fresh);
  return fresh;
}

function record(mailbox: Mailbox, message: StoredMessage, kind: HistoryRecord['kind'], changed: string[]): void {
  mailbox.historyId += 1;
  message.historyId = mailbox.historyId;
  mailbox.history.push({
    id: mailbox.historyId,
    kind,
    messageId: message.id,
    threadId: message.threadId,
    labelIds: [...message.labelIds],
    changed,
  });
}

/** Puts a message in; without a thread it starts its own. `at` is the clock of the id, `date` the one shown. */
export function insertMessage(
  mailbox: Mailbox,
  input: { raw: Uint8Array; labelIds: string[]; at: Date; date?: Date; threadId?: string },
): StoredMessage {
  const id = createMessageKey(mailbox, input.at);
  const message: StoredMessage = {
    id,
    threadId: input.threadId ?? id,
    labelIds: [...input.labelIds],
    historyId: 0,
    internalDate: (input.date ?? input.at).getTime(),
    raw: input.raw,
    arrival: mailbox.counter,
  };
  mailbox.messages.set(id, message);
  addTo(mailbox.byThread, message.threadId, message);
  addTo(mailbox.byMessageId, getMessageId(message), message);
  mailbox.newest = null;
  record(mailbox, message, 'messageAdded', []);
  return message;
}

function getMessageId(message: StoredMessage): string {
  return findHeader(parseMessageParts(message), 'Message-ID') ?? '';
}

function addTo(index: Map<string, Set<StoredMessage>>, key: string, message: StoredMessage): void {
  const known = index.get(key);
  if (known) known.add(message);
  else index.set(key, new Set([message]));
}

function removeFrom(index: Map<string, Set<StoredMessage>>, key: string, message: StoredMessage): void {
  const known = index.get(key);
  known?.delete(message);
  if (known?.size === 0) index.delete(key);
}

/** Deletes a message permanently. */
export function removeMessage(mailbox: Mailbox, message: StoredMessage): void {
  mailbox.messages.delete(message.id);
  removeFrom(mailbox.byThread, message.threadId, message);
  removeFrom(mailbox.byMessageId, getMessageId(message), message);
  mailbox.newest = null;
  record(mailbox, message, 'messageDeleted', []);
}

/** Adds and removes labels; only real changes are recorded. */
export function relabel(mailbox: Mailbox, message: StoredMessage, add: string[], remove: string[]): void {
  const added = add.filter((label) => !message.labelIds.includes(label));
  const removed = remove.filter((label) => message.labelIds.includes(label));
  if (added.length > 0) {
    message.labelIds.push(...added);
    record(mailbox, message, 'labelAdded', added);
  }
  if (removed.length > 0) {
    message.labelIds = message.labelIds.filter((label) => !removed.includes(label));
    record(mailbox, message, 'labelRemoved', removed);
  }
}

/** The messages of a thread, oldest first. */
export function listThreadMessages(mailbox: Mailbox, threadId: string): StoredMessage[] {
  return [...(mailbox.byThread.get(threadId) ?? [])].sort(
    (one, other) => one.internalDate - other.internalDate || one.id.localeCompare(other.id),
  );
}

/** Messages with one of these Message-IDs, in the order they came. */
export function listMessagesByIds(mailbox: Mailbox, messageIds: readonly string[]): StoredMessage[] {
  const named = new Set(messageIds.flatMap((id) => [...(mailbox.byMessageId.get(id) ?? [])]));
  return [...named].sort((one, other) => one.arrival - other.arrival);
}

/** All messages, newest first. */
export function listNewestFirst(mailbox: Mailbox): readonly StoredMessage[] {
  mailbox.newest ??= [...mailbox.messages.values()].sort(
    (one, other) => other.internalDate - one.internalDate || compareTexts(other.id, one.id),
  );
  return mailbox.newest;
}

function compareTexts(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

/** The draft whose message this is. */
export function findStoredDraft(mailbox: Mailbox, messageId: string): StoredDraft | undefined {
  return [...mailbox.drafts.values()].find((draft) => draft.messageId === messageId);
}

/** Makes every history id handed out so far too old, as a week without syncing does. */
export function forgetHistory(mailbox: Mailbox): void {
  mailbox.historyId += 1;
  mailbox.oldestHistoryId = mailbox.historyId;
  mailbox.history = [];
}
