import type { NewPage } from '#kernel/page';
import type { NamedFile } from '#platform/extraction';
import type { z } from 'zod';
import type { AskProvider, FilledRequest, ProviderRequest, ReadBytes, Version } from '#providers/http';

/**
 * A permission of a source: the provider's name for it, and plain words. It is needed for reading, unless it is for
 * acting only.
 */
export type SourceScope = { scope: string; why: string; for?: 'act' };

/** The parts that a sync reads and does not read, in words for people. */
export type Coverage = { goesBack: string; notRead: readonly string[] };

/** An unreadable item. */
export type ItemError = { item: string; message: string };

/** An item that is left out, wholly or in part: the reference of its page, and the reason. */
export type LeftOut = { ref: string; why: string };

/** Pages that are not stored yet, items that could not be read, and items that are left out on purpose. */
export type Batch = {
  pages: NewPage[];
  errors: ItemError[];
  leftOut?: readonly LeftOut[];
  /** The total number; null until known. */ total: number | null;
};

/** A complete reading of a part of an account: known items that it does not see were deleted (`sync/sweep-deleted.ts`). */
export type WholeReading = {
  /** The prefix of its page references, after source and account; empty: the whole account. */
  part: string;
  /** Only items within this period are read. */
  from: Date | null;
  until: Date | null;
  isFirst: boolean;
  isLast: boolean;
};

/**
 * For items that move between lists, such as mails between folders. Either the list that a batch was read from, with
 * the references of all items seen in it, its unreadable items, and whether the list no longer exists; or the fact that
 * all lists were read: then an item that left a list before is deleted unless another list has it (`sync/moves.ts`).
 */
export type Moves = { list: string; met?: readonly string[]; isGone?: boolean } | { isOver: true; type: string };

/** The items of a list by reference, each with the time of its last change; empty: the provider does not say. */
export type ListedItems = readonly (readonly [ref: string, at: string])[];

/**
 * Changes, and the cursor from which the next reading continues: JSON that only the source reads. `whole`: the batch
 * belongs to a complete reading. `listed`: the known items of a list from now on, which the next `Since` contains.
 */
export type Changes = Batch & {
  cursor: unknown;
  whole?: WholeReading;
  moves?: Moves;
  listed?: { list: string; items: ListedItems };
};

/** Whether an item that a failing provider does not return may be skipped. */
export type IsSkippable = (item: string) => boolean;

/** The start of a reading of changes. */
export type ChangesSince = {
  /** From the last stored batch; null at the very first. */
  cursor: unknown;
  /** How far back the first reading goes; null: everything. */
  from: Date | null;
  now: Date;
  /** The last known items of a list, from `Changes`. */
  listed: (list: string) => Promise<ListedItems>;
  /** An item that may not be skipped ends the reading, since later items would otherwise look complete. */
  isSkippable: IsSkippable;
};

/** For a reading that stores nothing: no item is known, and every item may be skipped. */
export const fromNothing = {
  cursor: null,
  listed: async () => [],
  isSkippable: () => true,
} satisfies Partial<ChangesSince>;

/** Reads from a provider in the name of one linked account. */
export type Reader = {
  /**
   * The account's name on its pages, such as its mail address. It stays the same when the provider renames the account.
   */
  account: string;
  /** The account's own address, for services that are known by their address only. */
  address: string | null;
  /** The parsed answer to a GET. Throws `upstream_failed` when it has another form. */
  get<Schema extends z.ZodType>(
    schema: Schema,
    url: string,
    query?: ProviderRequest['query'],
  ): Promise<z.output<Schema>>;
  /** The answer to a described call. With a known version, only a newer one. */
  ask: AskProvider;
  /** The text at the account's own address; null when it has the known version. */
  own(
    known: Version | undefined,
    limits: { maxBytes: number },
  ): Promise<{ text: string; version: Version | null } | null>;
  /** The answer to a GET, as text. */
  text(url: string, query?: ProviderRequest['query']): Promise<string>;
  /**
   * The words of a file that a GET returns, such as a workbook, extracted in a separate process. Throws `invalid_input`
   * or `payload_too_large` when the file cannot be read.
   */
  readWords(url: string, query: ProviderRequest['query'], file: NamedFile): Promise<string>;
  /**
   * Passes the answer to a described call to `read` as it arrives. If the answer breaks off, it is requested again, and
   * `read` is called again.
   */
  stream<T>(request: FilledRequest, maxBytes: number, read: ReadBytes<T>): Promise<T>;
};

/** The time of a free-text request. */
export type LocalMoment = { now: Date; timeZone: string };

/** A service that can be read. `Input`: the input of a reading. */
export type Source<Input extends z.ZodObject = z.ZodObject> = {
  name: string;
  label: string;
  description: string;
  /** The name of its icon in Lucide, such as `Mail`. The console's list of icons is made from this. */
  icon: string;
  provider: string;
  scopes: readonly SourceScope[];
  /** Only accounts that were linked by a token can serve the source. */
  linkedBy?: 'token';
  supports: { fetch: boolean; act: boolean; adapter: boolean };
  /** The parts that a sync reads and does not read; absent: the source does not sync. */
  coverage?: Coverage;
  input: Input;
  /** The accepted input, shown to a caller whose request was not understood. */
  hint: string;
  /** The input for a free-text request; null when the request is ambiguous. */
  parseRequest(request: string, moment: LocalMoment): z.input<Input> | null;
  /** Requests the account's time zone, for requests that name days. */
  readTimeZone?(reader: Reader): Promise<string>;
  /** Reads in batches that fit in memory. */
  read(reader: Reader, input: z.output<Input>, moment: LocalMoment): AsyncGenerator<Batch>;
  /** The ids of the items that an input matches, where a page has several items: the mails among those of a thread. */
  listMatches?(reader: Reader, input: z.output<Input>): Promise<string[]>;
  /**
   * Reads what has changed since a cursor, in batches that fit in memory. A reading that stops after any batch and
   * continues from its cursor misses nothing; reading an item twice does no harm. The source itself restarts when the
   * provider no longer accepts a cursor.
   */
  changes?(reader: Reader, since: ChangesSince, settings: Record<string, unknown>): AsyncGenerator<Changes>;
  /** The settings of a sync, which `changes` receives parsed; absent: there are none. */
  settings?: z.ZodObject;
  /**
   * Fetches a file by the handle that the source created, and passes its bytes to `read` as they arrive. If they break
   * off, `read` is called again. Refuses a file of much more than `mostBytes` bytes as `too_large`; `read` itself
   * counts exactly.
   */
  file?<T>(reader: Reader, handle: unknown, maxBytes: number, read: ReadBytes<T>): Promise<T>;
};

/** Declares a source, typed by its input. */
export function defineSource<Input extends z.ZodObject>(source: Source<Input>): Source<Input> {
  return source;
}

/** Marks an item that was deleted at its source. Its page is hidden, if there is one. */
export function createGonePage({ source, ref, type }: { source: string; ref: string; type: string }): NewPage {
  const nothing = { title: '', body: '', frontmatter: {}, occurredAt: new Date(0) };
  return { sourceRef: `${source}:${ref}`, source, type, ...nothing, isGone: true };
}
