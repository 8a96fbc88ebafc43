// Everything the emulator of Microsoft Graph remembers, and the seeds.
import { randomBytes, randomUUID } from 'node:crypto';
import { createOAuthData } from '../kit/oauth/store.ts';
import type { OAuthData } from '../kit/oauth/store.ts';
import type { World } from '../kit/wire.ts';

/** An address as Graph writes it. */
export type Recipient = { emailAddress: { name?: string | undefined; address: string } };

/** A file of a message. */
export type Attachment = { id: string; name: string; contentType: string; contentBytes: string; isInline: boolean };

/** A file that comes in pieces. */
export type Upload = {
  account: string;
  messageId: string;
  name: string;
  contentType: string;
  size: number;
  pieces: Uint8Array[];
};

/** A message. Its `id` changes when it moves or is sent; `immutableId` does not. */
export type Message = {
  id: string;
  immutableId: string;
  folder: string;
  conversationId: string;
  internetMessageId: string;
  subject: string;
  body: { contentType: 'text' | 'html'; content: string };
  from: Recipient;
  toRecipients: Recipient[];
  ccRecipients: Recipient[];
  bccRecipients: Recipient[];
  replyTo: Recipient[];
  /** Extended properties of one value, by their id. */
  properties: Record<string, string>;
  isRead: boolean;
  isDraft: boolean;
  attachments: Attachment[];
  createdAt: string;
  changedAt: string;
  changeKey: string;
};

/** A time with its zone. */
export type ZonedTime = { dateTime: string; timeZone: string };

/** Somebody invited. */
export type Attendee = Recipient & { type: string; status: { response: string; time: string } };

/** An event of the one calendar everybody has. */
export type Event = {
  id: string;
  subject: string;
  body: { contentType: 'text' | 'html'; content: string };
  start: ZonedTime;
  end: ZonedTime;
  location: { displayName: string };
  attendees: Attendee[];
  organizer: Recipient;
  isAllDay: boolean;
  isCancelled: boolean;
  transactionId: string | null;
  response: string;
  createdAt: string;
  changedAt: string;
};

/** A change of a mailbox or calendar, in its order; `folder` is `calendar` for events, `shownId` the id a client saw then. */
export type Change = { seq: number; id: string; shownId: string; folder: string };

/** A folder that a person made; `parent` is the key of the folder it is in, null at the top. */
export type Folder = { key: string; name: string; parent: string | null };

/** A person with their mailbox and calendar. */
export type Account = {
  id: string;
  email: string;
  name: string;
  calendarId: string;
  /** Those that every mailbox has, and their own. */
  folders: Folder[];
  messages: Message[];
  events: Event[];
  changes: Change[];
  /** Delta tokens up to this number are too old. */
  floor: number;
};

/** One mail that left a mailbox. */
export type SentMail = {
  at: Date;
  account: string;
  internetMessageId: string;
  subject: string;
  to: string[];
  cc: string[];
  bcc: string[];
  content: string;
  clientRequestId?: string;
};

/** One round of calendar mail. */
export type SentInvitation = {
  account: string;
  eventId: string;
  kind: 'invite' | 'update' | 'cancel' | 'response';
  to: string[];
};

/** All state that requests change. */
export type MicrosoftData = {
  /** A search by an extended property finds every message. */
  findsEverything: boolean;
  oauth: OAuthData;
  /** By the token in their addresses. */
  uploads: Map<string, Upload>;
  accounts: Map<string, Account>;
  sent: SentMail[];
  invitations: SentInvitation[];
  lastSeq: number;
};

/** The state and the settings. */
export type MicrosoftWorld = World<MicrosoftData>;

/** An empty world. */
export function createWorld(now: () => Date): MicrosoftWorld {
  const data = {
    findsEverything: false,
    oauth: createOAuthData(),
    uploads: new Map(),
    accounts: new Map(),
    sent: [],
    invitations: [],
    lastSeq: 0,
  };
  return { url: '', now, data };
}

/** Folders every mailbox has, by their well-known names. */
export const folderNames: Record<string, string> = {
  inbox: 'Inbox',
  drafts: 'Drafts',
  sentitems: 'Sent Items',
  deleteditems: 'Deleted Items',
  junkemail: 'Junk Email',
  outbox: 'Outbox',
  archive: 'Archive',
};

/** An id as Graph writes them. */
export function newId(prefix = 'AAMkA'): string {
  return `${prefix}${randomBytes(45).toString('base64url')}`;
}

/** Graph's times have no fractions of a second. */
export function stamp(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`;
}

/** Registers a person. */
export function addAccount(world: MicrosoftWorld, input: { email: string; name: string }): Account {
  const email = input.email.toLowerCase();
  const account: Account = {
    id: randomUUID(),
    email,
    name: input.name,
    calendarId: newId('AAMkC'),
    folders: Object.entries(folderNames).map(([key, name]) => ({ key, name, parent: null })),
    messages: [],
    events: [],
    changes: [],
    floor: 0,
  };
  world.data.accounts.set(email, account);
  return account;
}

/** A person who has to exist. */
export function getMicrosoftAccount(world: MicrosoftWorld, email: string): Account {
  const account = world.data.accounts.get(email.toLowerCase());
  if (!account) throw new Error(`There is no account ${email}`);
  return account;
}

/** Notes that something changed, for delta queries. */
export function noteChange(world: MicrosoftWorld, account: Account, id: string, folder: string, shownId = id): void {
  world.data.lastSeq += 1;
  account.changes.push({ seq: world.data.lastSeq, id, shownId, folder });
}

/** What a new message is made of. */
export type NewMessage = Partial<Omit<Message, 'id' | 'immutableId' | 'changeKey'>> & {
  folder: string;
  from: Recipient;
};

/** Puts a message into a folder. */
export function insertMessage(world: MicrosoftWorld, account: Account, input: NewMessage, at: string): Message {
  const message: Message = {
    id: newId(),
    immutableId: newId('AAkAL'),
    conversationId: newId('AAQkA'),
    internetMessageId: `<${randomUUID()}@outlook.example>`,
    subject: '',
    body: { contentType: 'text', content: '' },
    toRecipients: [],
    ccRecipients: [],
    bccRecipients: [],
    replyTo: [],
    properties: {},
    isRead: false,
    isDraft: false,
    attachments: [],
    createdAt: at,
    changedAt: at,
    ...input,
    changeKey: randomBytes(6).toString('base64'),
  };
  account.messages.push(message);
  noteChange(world, account, message.immutableId, message.folder, message.id);
  return message;
}

/** Notes a change of a message. */
export function touchMessage(world: MicrosoftWorld, account: Account, message: Message): void {
  message.changedAt = stamp(world.now());
  message.changeKey = randomBytes(6).toString('base64');
  noteChange(world, account, message.immutableId, message.folder, message.id);
}

/** Moves a message: both folders change, and the id does, too. */
export function moveMessage(world: MicrosoftWorld, account: Account, message: Message, folder: string): void {
  noteChange(world, account, message.immutableId, message.folder, message.id);
  message.folder = folder;
  message.id = newId();
  touchMessage(world, account, message);
}

/** Deletes a message permanently. */
export function dropMessage(world: MicrosoftWorld, account: Account, message: Message): void {
  account.messages = account.messages.filter((item) => item !== message);
  noteChange(world, account, message.immutableId, message.folder, message.id);
}

/** Sends a message: into the world, into Sent Items, and into the inboxes of those who are here. */
export function deliver(
  world: MicrosoftWorld,
  account: Account,
  message: Message,
  options: { save: boolean; clientRequestId: string | undefined },
): void {
  const addresses = (list: Recipient[]) => list.map(({ emailAddress }) => emailAddress.address.toLowerCase());
  const [to, cc, bcc] = [
    addresses(message.toRecipients),
    addresses(message.ccRecipients),
    addresses(message.bccRecipients),
  ];
  const { internetMessageId, subject, body, conversationId, attachments, from } = message;
  world.data.sent.push({
    at: world.now(),
    account: account.email,
    internetMessageId,
    subject,
    to,
    cc,
    bcc,
    content: body.content,
    ...(options.clientRequestId ? { clientRequestId: options.clientRequestId } : {}),
  });
  message.isDraft = false;
  message.isRead = true;
  if (options.save) moveMessage(world, account, message, 'sentitems');
  else dropMessage(world, account, message);
  for (const address of new Set([...to, ...cc, ...bcc])) {
    const receiver = world.data.accounts.get(address);
    const { toRecipients, ccRecipients } = message;
    const copy = {
      folder: 'inbox',
      from,
      subject,
      body,
      conversationId,
      internetMessageId,
      toRecipients,
      ccRecipients,
      attachments,
    };
    if (receiver) insertMessage(world, receiver, copy, stamp(world.now()));
  }
}

/** What a new event is made of. */
export type NewEvent = Pick<Event, 'subject' | 'start' | 'end'> & Partial<Event>;

/** Puts an event into a calendar. */
export function insertEvent(world: MicrosoftWorld, account: Account, input: NewEvent, at: string): Event {
  const event: Event = {
    id: newId('AAMkE'),
    body: { contentType: 'text', content: '' },
    location: { displayName: '' },
    attendees: [],
    organizer: { emailAddress: { name: account.name, address: account.email } },
    isAllDay: false,
    isCancelled: false,
    transactionId: null,
    response: 'organizer',
    createdAt: at,
    changedAt: at,
    ...input,
  };
  account.events.push(event);
  noteChange(world, account, event.id, 'calendar');
  return event;
}
