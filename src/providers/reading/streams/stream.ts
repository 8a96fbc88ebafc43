// A stream: a kind of items that a provider lists, read by functions. The engine beside it finds new, changed and
// deleted items.
import type { Attachment, Json } from '#kernel/page';
import type { Values, Version } from '#providers/http';
import type { TimeForm } from '../moments.ts';

/** A page of a list. `next`: the position of the page after it; null: it is the last. */
export type ListPage = {
  items: readonly unknown[];
  next: string | null;
  /** The version that the next request for changes sends; null when the provider returns none. */
  version: Version | null;
  /** The known version is current; there are no items. */
  isUnchanged: boolean;
  /** The position for later changes, if the end of the list contains one. */
  changesAt?: string | null;
  /** The total number of items, if the provider reports it. */
  total?: number | undefined;
};

/** One list of a stream, such as the messages of a channel. `of`: the value that the functions of the stream receive. */
export type StreamList<Of> = { key: string; label: string; of: Of };

/** A request for a page of a list. Times are in the form that the stream names. */
export type PageRequest<Of> = {
  of: Of;
  since: string;
  until: string;
  /** Null: the first page. */
  page: string | null;
  known: Version | undefined;
};

/** The content of an item, for its page. */
export type ItemContent = {
  title: string;
  body: string;
  frontmatter: Record<string, Json>;
  author: string;
  /** The time as the provider writes it; absent: the item has no time of its own. */
  occurredAt?: unknown;
  attachments?: Attachment[];
  /** Why parts of the item are left out. */
  leftOut?: readonly string[];
};

/** One kind of thing that is read. */
export type Stream<Of = undefined> = {
  name: string;
  /** The type of its pages. */
  type: string;
  /** The lists of the stream, such as channels; `isWhole`: there are no more. Absent: there is one list. */
  findLists?(): Promise<{ lists: readonly StreamList<Of>[]; isWhole: boolean }>;
  listPage(request: PageRequest<Of>): Promise<ListPage>;
  /**
   * How changes are recognised, and how times are written. `overlapDays`: the last days are read again each time, for
   * changes that leave no trace. `isNewestFirst`, `isUnsorted`: the list cannot be filtered by time; older items end
   * it, or are skipped unless `absence` knows that they are new. `lookBackDays`: a later change does not move an item
   * in the list, so this many days are listed again, and their changed items are read.
   */
  since: {
    as: TimeForm;
    overlapDays?: number | undefined;
    lookBackDays?: number | undefined;
    isNewestFirst?: boolean | undefined;
    isUnsorted?: boolean | undefined;
  };
  /** The times of change that an item names, first the one that its list is ordered by. */
  readTimes(item: unknown): unknown[];
  /** Whether the end of the list contains the position for later changes (`changesAt`). */
  tellsChanges?: boolean;
  /**
   * Whether the provider is asked to answer only if the list has changed (RFC 9110, 304). For lists without details.
   */
  isConditional?: boolean | undefined;
  /**
   * A known item that is missing from the list was deleted. `listRefs`: a separate list names all existing items.
   * `findPresent`: returns those of the missing items that still exist, or may exist, where the list can be incomplete.
   */
  absence?: {
    listRefs?: ((of: Of) => Promise<string[]>) | undefined;
    findPresent?: ((missing: readonly string[]) => Promise<string[]>) | undefined;
  };
  /**
   * An item can move to another list of this stream: when it is missing from one, it was deleted if no other list has
   * it.
   */
  areMoved?: boolean | undefined;
  /** Items that do not become pages. `leftOut` describes them. */
  isLeftOut?(item: unknown): boolean;
  leftOut?: string | undefined;
  /** Describes the items that are left out when this account may not read a list. Absent: that is an error. */
  withheld?: string | undefined;
  /** The item's id at its provider; empty if it has none. */
  buildRef(item: unknown, of: Of): string;
  /** Whether an item is marked as deleted. */
  isGone?(item: unknown, of: Of): boolean;
  /** Whether items need further requests: then fewer of them are stored at a time. */
  hasDetails?: boolean;
  /** Data that is read once before the items, such as the names of people. */
  readNames?(of: Of): Promise<Values>;
  readItem(item: unknown, of: Of, names: Values): Promise<ItemContent>;
};

/** A stream with lists of any type. */
export type AnyStream = Stream<unknown>;

/** Declares a stream, typed by the `of` of its lists. */
export function defineStream<Of = undefined>(stream: Stream<Of>): AnyStream {
  return stream as unknown as AnyStream; // the engine passes each list's `of` only to the functions of its stream
}

/** A source whose streams are read by the engine. */
export type StreamSource = {
  name: string;
  /** Increased when items are read in more detail than before: syncs then read everything once more. */
  revision?: number | undefined;
  /** After this many days everything is read from the beginning. */
  renewedAfterDays?: number | undefined;
};

/** The key and label of a list, made from its parents, such as a server and a channel. */
export function describeList(
  { name }: Pick<AnyStream, 'name'>,
  parents: readonly { id: string; label: string }[],
): { key: string; label: string } {
  const labels = parents.map(({ label }) => label);
  return { key: parents.map(({ id }) => id).join(' '), label: `${name} of ${labels.join(' / ')}` };
}
