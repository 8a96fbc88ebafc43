// What was asked of the emulator, and what left it: the witness for "exactly one mail was sent".

/** One request, as it arrived, and how it was answered. */
export type LedgerEntry = {
  at: Date;
  method: string;
  path: string;
  query: Record<string, string | string[]>;
  headers: Record<string, string>;
  /** Parsed when it was JSON or a form, else the text. */
  body: unknown;
  /** The address the token belongs to. */
  account?: string;
  /** The answered status; 0 when no answer was written. */
  status: number;
  /** What the client saw, when it was JSON. */
  response?: unknown;
  /** The kind of the failure a test had asked for. */
  failure?: string;
};

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

/** What a request let out into the world. Thrown away when the answer is a lie. */
export type Effects = { sent: SentMail[]; invitations: SentInvitation[]; shares: SentShare[] };

/** Selects entries; a string path must be equal, a pattern must match. */
export type LedgerFilter = { method?: string; path?: string | RegExp; account?: string; status?: number };

/** The record of everything that happened since the start or the last `clear`. */
export type Ledger = {
  all(filter?: LedgerFilter): LedgerEntry[];
  count(filter?: LedgerFilter): number;
  sent(account?: string): SentMail[];
  invitations(account?: string): SentInvitation[];
  shares(account?: string): SentShare[];
  clear(): void;
};

/** The ledger with its writing side, which only the server holds. */
export type LedgerBook = Ledger & { add(entry: LedgerEntry): void; commit(effects: Effects): void };

/** No effects yet. */
export function noEffects(): Effects {
  return { sent: [], invitations: [], shares: [] };
}

function matches(entry: LedgerEntry, filter: LedgerFilter): boolean {
  if (filter.method && filter.method.toUpperCase() !== entry.method) return false;
  if (filter.account && filter.account.toLowerCase() !== entry.account) return false;
  if (filter.status !== undefined && filter.status !== entry.status) return false;
  if (filter.path instanceof RegExp) return filter.path.test(entry.path);
  return filter.path === undefined || filter.path === entry.path;
}

/** An empty ledger. */
export function createLedger(): LedgerBook {
  const entries: LedgerEntry[] = [];
  const effects = noEffects();
  const of = <T extends { account: string }>(list: T[], account?: string) =>
    list.filter((item) => !account || item.account === account.toLowerCase());
  return {
    add: (entry) => void entries.push(entry),
    commit(made) {
      effects.sent.push(...made.sent);
      effects.invitations.push(...made.invitations);
      effects.shares.push(...made.shares);
    },
    all: (filter = {}) => entries.filter((entry) => matches(entry, filter)),
    count: (filter = {}) => entries.filter((entry) => matches(entry, filter)).length,
    sent: (account) => of(effects.sent, account),
    invitations: (account) => of(effects.invitations, account),
    shares: (account) => of(effects.shares, account),
    clear() {
      entries.length = 0;
      effects.sent.length = 0;
      effects.invitations.length = 0;
      effects.shares.length = 0;
    },
  };
}
