// The requests to an emulator. They prove that exactly one request was made.

/** One request, as it arrived, and how it was answered. */
export type LedgerEntry = {
  at: Date;
  method: string;
  path: string;
  query: Record<string, string | string[]>;
  headers: Record<string, string>;
  /** Parsed when it was JSON or a form, else the text. */
  body: unknown;
  /** The account the token belongs to, by the name the emulator's seeds use. */
  account?: string;
  /** The answered status; 0 when no answer was written. */
  status: number;
  /** What the client saw, when it was JSON. */
  response?: unknown;
  /** The kind of the failure a test had asked for. */
  failure?: string;
};

/** Selects entries; a string path must be equal, a pattern must match. */
export type LedgerFilter = { method?: string; path?: string | RegExp; account?: string; status?: number };

/** The record of all requests since the start or the last `clear`. */
export type Ledger = {
  all(filter?: LedgerFilter): LedgerEntry[];
  count(filter?: LedgerFilter): number;
  /** All requests since the start, including cleared ones. */
  ever(): readonly LedgerEntry[];
  clear(): void;
};

/** The ledger with its writing side, which only the server holds. */
export type LedgerBook = Ledger & {
  add(entry: LedgerEntry): void;
  /** Notes how a request was answered. */
  answer(entry: LedgerEntry, status: number, response: unknown): void;
};

function isEntryMatch(entry: LedgerEntry, filter: LedgerFilter): boolean {
  if (filter.method && filter.method.toUpperCase() !== entry.method) return false;
  if (filter.account && filter.account.toLowerCase() !== entry.account?.toLowerCase()) return false;
  if (filter.status !== undefined && filter.status !== entry.status) return false;
  if (filter.path instanceof RegExp) return filter.path.test(entry.path);
  return filter.path === undefined || filter.path === entry.path;
}

/** A request of the ledger as an order for failures looks at it; of a body that was JSON or a form the words may stand otherwise. */
export function toRequestFacts({ method, path, body }: LedgerEntry) {
  return { method, path, body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)) };
}

/** An empty ledger. */
export function createLedger({ forgetsAnswers = false } = {}): LedgerBook {
  const entries: LedgerEntry[] = [];
  let clearedAt = 0;
  const all = (filter: LedgerFilter = {}) => entries.slice(clearedAt).filter((entry) => isEntryMatch(entry, filter));
  return {
    add: (entry) => void entries.push(entry),
    answer(entry, status, response) {
      entry.status = status;
      if (!forgetsAnswers) entry.response = response;
    },
    all,
    count: (filter) => all(filter).length,
    ever: () => entries,
    clear: () => void (clearedAt = entries.length),
  };
}
