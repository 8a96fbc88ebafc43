// The form of a stream: a kind of items that a provider lists, read by functions. The engine beside it finds new, changed and deleted items.
import type { Attachment, Json } from '#kernel/page';
import type { Values, Version } from '#providers/http';
import type { TimeForm } from '../moments.ts';

/** A page of a list. `next`: the position of the page after it; null: it is the last. */
export type ListPage = {
  items: readonly unknown[];
  next: string | null;
  /** Serves the next request for changes; null when the provider does not return it. */
  version: Version | null;
  /** It is the known version; there are no items. */
  isUnchanged: boolean;
  /** The position for later changes, where the end of a list contains it. */
  changesAt?: string | null;
  /** How many items there are in all, where the provider says so. */
  total?: number | undefined;
};

/** One list of a stream, such as the messages of a channel. `of`: the value that the functions of the stream receive. */
export type StreamList<Of> = { key: string; label: string; of: Of };

/** A request for a page of a list; the times in the form that the stream names. */
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
  /** As the provider writes it; absent: it has no time of its own. */
  occurredAt?: unknown;
  attachments?: Attachment[];
  /** Why parts of it are left out. */
  leftOut?: readonly string[];
};

/** One kind of thing that is read. */
export type Stream<Of = undefined> = {
  name: string;
  /** The type of its pages. */
  type: string;
  /** The lists that it is read from, such as channels; `isWhole`: there are no more. Absent: there is one list. */
  findLists?(): Promise<{ lists: readonly StreamList<Of>[]; isWhole: boolean }>;
  listPage(request: PageRequest<Of>): Promise<ListPage>;
  /**
   * What tells changes from what is known, and how times are written. `overlapDays`: so much is read again each time, for what changes
   * without saying so. `isNewestFirst`, `isUnsorted`: the list cannot be asked for changes alone; older items end it, or are passed
   * over, unless by `absence` it is known that they were not there before. `lookBackDays`: a later change does not move an item in
   * the list, so that as much is listed again, and of it is read what has changed.
   */
  since: {
    as: TimeForm;
    overlapDays?: number | undefined;
    lookBackDays?: number | undefined;
    isNewestFirst?: boolean | undefined;
    isUnsorted?: boolean | undefined;
  };
  /** The times at which an item says that it was changed, the one that its list is ordered by first. */
  readTimes(item: unknown): unknown[];
  /** Whether the end of the list contains the position for later changes (`changesAt`). */
  tellsChanges?: boolean;
  /** Whether the provider is asked to answer only when the list has changed (RFC 9110, 304). For lists without details. */
  isConditional?: boolean | undefined;
  /**
   * A known item that is missing in the list was deleted. `listRefs`: a list of its own names all there is. `findPresent`: asked
   * about missing items where the list need not have all; it answers those that still exist, or may.
   */
  absence?: {
    listRefs?: ((of: Of) => Promise<string[]>) | undefined;
    findPresent?: ((missing: readonly string[]) => Promise<string[]>) | undefined;
  };
  /** An item may be moved to another list of this stream: missing in one, it was deleted if no other has it. */
  areMoved?: boolean | undefined;
  /** Items that become no page. `leftOut` describes them. */
  isLeftOut?(item: unknown): boolean;
  leftOut?: string | undefined;
  /** Describes the items that are left out when this account may not read a list. Absent: that is an error. */
  withheld?: string | undefined;
  /** The identity of an item at its provider; empty without one. */
  buildRef(item: unknown, of: Of): string;
  /** Whether an item says that it was deleted. */
  isGone?(item: unknown, of: Of): boolean;
  /** Whether items need further requests: fewer of them are then stored at a time. */
  hasDetails?: boolean;
  /** Read once before items, such as the names of people. */
  readNames?(of: Of): Promise<Values>;
  readItem(item: unknown, of: Of, names: Values): Promise<ItemContent>;
};

/** A stream of any kind of lists. */
export type AnyStream = Stream<unknown>;

/** Declares a stream, typed by the `of` of its lists. */
export function defineStream<Of = undefined>(stream: Stream<Of>): AnyStream {
  return stream as unknown as AnyStream; // the engine passes each list's `of` only to the functions of its stream
}

/** A source whose streams are read by the engine. */
export type StreamSource = {
  name: string;
  /** Counted up when items are read in more of their parts than before: syncs then read everything once more. */
  revision?: number | undefined;
  /** After so many days all is read from the beginning. */
  renewedAfterDays?: number | undefined;
};

/** The key and the label of a list, by its parents, such as a server and a channel. */
export function describeList(
  { name }: Pick<AnyStream, 'name'>,
  parents: readonly { id: string; label: string }[],
): { key: string; label: string } {
  const labels = parents.map(({ label }) => label);
  return { key: parents.map(({ id }) => id).join(' '), label: `${name} of ${labels.join(' / ')}` };
}
