import type { NewPage } from '#kernel/page';
import type { NamedFile } from '#platform/extraction';
import type { z } from 'zod';
import type { AskProvider, FilledRequest, ProviderRequest, ReadBytes, Version } from '#providers/http';

/** A permission of a source, by the provider's name and in plain words; for reading, unless it is for acting only. */
export type SourceScope = { scope: string; why: string; for?: 'act' };

/** The parts that a sync reads and does not read, in words for people. */
export type Coverage = { goesBack: string; notRead: readonly string[] };

/** An unreadable item. */
export type ItemError = { item: string; message: string };

/** An item that is left out, wholly or in part: the reference of its page, and the reason. */
export type LeftOut = { ref: string; why: string };

/** Pages that are not stored yet, the items that could not be read, and the items that are left out on purpose. */
export type Batch = {
  pages: NewPage[];
  errors: ItemError[];
  leftOut?: readonly LeftOut[];
  /** The total number; null until known. */ total: number | null;
};

/** A complete reading of a part of an account: known items that it does not meet were deleted (`sync/sweep.ts`). */
export type WholeReading = {
  /** The beginning of the references of its pages, after source and account; empty: the whole account. */
  part: string;
  /** Only items within this period are read. */
  from: Date | null;
  until: Date | null;
  isFirst: boolean;
  isLast: boolean;
};

/**
 * Where things are moved from list to list, such as mails among folders: the list that a batch was read from, with the references
 * of all that was met in it, what could not be read among them, and whether the list itself is there no more; or that all lists
 * were read, and what had left one before that is gone unless another has it by now (`sync/moves.ts`).
 */
export type Moves = { list: string; met?: readonly string[]; isGone?: boolean } | { isOver: true; type: string };

/** The items of a list by their references, each with the time when it was changed; empty: the provider does not say. */
export type ListedItems = readonly (readonly [ref: string, at: string])[];

/**
 * Changes, and the cursor from which the next reading continues: JSON that only the source reads. `whole`: the batch belongs to a
 * complete reading. `listed`: the known items of a list from now on, which `Since` answers the next time.
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

/** For a reading that stores nothing: nothing is known, and every item may be skipped. */
export const fromNothing = {
  cursor: null,
  listed: async () => [],
  isSkippable: () => true,
} satisfies Partial<ChangesSince>;

/** Reads from a provider in the name of one linked account. */
export type Reader = {
  /** The account's name on its pages, such as its mail address. It stays when the provider renames it. */
  account: string;
  /** The account's address, for services that are identified by their address only. */
  address: string | null;
  /** The parsed answer to a GET. Throws `upstream_failed` when it has another form. */
  get<Schema extends z.ZodType>(
    schema: Schema,
    url: string,
    query?: ProviderRequest['query'],
  ): Promise<z.output<Schema>>;
  /** The answer to a described call. With a known version: only a newer one. */
  ask: AskProvider;
  /** The text at the account's own address; null when it is still the known version. */
  own(
    known: Version | undefined,
    limits: { maxBytes: number },
  ): Promise<{ text: string; version: Version | null } | null>;
  /** The answer to a GET, as text. */
  text(url: string, query?: ProviderRequest['query']): Promise<string>;
  /**
   * The words of a file that a GET answers, such as a workbook, read in a process of its own. Throws `invalid_input` or
   * `payload_too_large` when the file cannot be read.
   */
  readWords(url: string, query: ProviderRequest['query'], file: NamedFile): Promise<string>;
  /**
   * Passes the answer to a described call to `read` as it arrives. A broken answer is requested again, and `read` is
   * called again.
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
  /** Only accounts that were linked by a token can serve it. */
  linkedBy?: 'token';
  supports: { fetch: boolean; act: boolean; adapter: boolean };
  /** The parts that a sync reads and does not read; absent: the source does not sync. */
  coverage?: Coverage;
  input: Input;
  /** The accepted input, for a caller whose request was not understood. */
  hint: string;
  /** The input for a free-text request; null when it is ambiguous. */
  parseRequest(request: string, moment: LocalMoment): z.input<Input> | null;
  /** Asks for the account's time zone, for requests that name days. */
  readTimeZone?(reader: Reader): Promise<string>;
  /** Reads in batches that fit in memory. */
  read(reader: Reader, input: z.output<Input>, moment: LocalMoment): AsyncGenerator<Batch>;
  /**
   * Reads what has changed since a cursor, in batches that fit in memory. Broken off after any batch and begun again with
   * its cursor it misses nothing; reading something twice does no harm. A cursor that the provider no longer takes is
   * its own affair: it begins anew.
   */
  changes?(reader: Reader, since: ChangesSince, settings: Record<string, unknown>): AsyncGenerator<Changes>;
  /** The settings of a sync, which `changes` receives parsed; absent: there are none. */
  settings?: z.ZodObject;
  /**
   * Fetches a file by the handle that the source gave it, and gives its bytes to `read` as they come; when they break off `read`
   * is called again. Rejects a file of much more than so many bytes as `too_large`: the last few are counted by `read`.
   */
  file?<T>(reader: Reader, handle: unknown, maxBytes: number, read: ReadBytes<T>): Promise<T>;
};

/** Declares a source, typed by its input. */
export function defineSource<Input extends z.ZodObject>(source: Source<Input>): Source<Input> {
  return source;
}

/** The mark of an item that was deleted at its source. Its page is hidden, if there is one. */
export function createGonePage({ source, ref, type }: { source: string; ref: string; type: string }): NewPage {
  const nothing = { title: '', body: '', frontmatter: {}, occurredAt: new Date(0) };
  return { sourceRef: `${source}:${ref}`, source, type, ...nothing, isGone: true };
}
