// The effects of requests. They prove that exactly one mail was sent.
import type { World } from './accounts.ts';
import type { Ledger as RequestLedger } from '../kit/ledger.ts';

/** One mail that left a mailbox. */
export type SentMail = {
  at: Date;
  account: string;
  id: string;
  threadId: string;
  /** The draft it was made from, if any. */
  draftId?: string;
  messageIdHeader: string;
  from: string;
  to: string[];
  cc: string[];
  bcc: string[];
  subject: string;
  text: string;
  html: string;
  attachments: { filename: string; mimeType: string; size: number }[];
  raw: string;
};

/** One round of calendar mail to attendees. */
export type SentInvitation = {
  at: Date;
  account: string;
  calendarId: string;
  eventId: string;
  kind: 'invite' | 'update' | 'cancel';
  sendUpdates: string;
  to: string[];
};

/** One mail telling somebody that a file was shared. */
export type SentShare = { at: Date; account: string; fileId: string; role: string; to: string; message?: string };

/** The external effects of requests. Part of the state, so that a `lie` failure stores none of them. */
export type Effects = { sent: SentMail[]; invitations: SentInvitation[]; shares: SentShare[] };

/** The record of everything that happened since the start or the last `clear`. */
export type Ledger = RequestLedger & {
  sent(account?: string): SentMail[];
  invitations(account?: string): SentInvitation[];
  shares(account?: string): SentShare[];
};

/** No effects yet. */
export function createEmptyEffects(): Effects {
  return { sent: [], invitations: [], shares: [] };
}

/** The requests and their effects, as tests read them. */
export function createGoogleLedger(world: World, requests: RequestLedger): Ledger {
  const of = <T extends { account: string }>(list: T[], account?: string) =>
    list.filter((item) => !account || item.account === account.toLowerCase());
  return {
    all: requests.all,
    count: requests.count,
    ever: requests.ever,
    sent: (account) => of(world.data.effects.sent, account),
    invitations: (account) => of(world.data.effects.invitations, account),
    shares: (account) => of(world.data.effects.shares, account),
    clear() {
      requests.clear();
      world.data.effects = createEmptyEffects();
    },
  };
}
