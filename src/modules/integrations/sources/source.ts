import type { NewPage } from '#modules/pages';
import type { z } from 'zod';
import type { Refusals } from '../reading/pieces.ts';
import type { FilledRequest } from '../executor/fill.ts';
import type { ProviderRequest, ReadBytes } from '../provider-client.ts';

/** What a source may do, in the provider's name and in plain words; for reading, unless it is for acting alone. */
export type SourceScope = { scope: string; why: string; for?: 'act' };

/** One thing that could not be read. */
export type ItemError = { item: string; message: string };

/** Pages that are read and not yet stored, and what could not be read among them. */
export type Batch = {
  pages: NewPage[];
  errors: ItemError[];
  /** How many there are in all; null until known. */ total: number | null;
};

/** All there is of a part of an account, read from its beginning: what it does not come across is gone (`sync/sweep.ts`). */
export type Whole = {
  /** What the references of its pages begin with, after source and account; empty for the whole account. */
  part: string;
  /** Only what occurred between these is read. */
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
export type Listed = readonly (readonly [ref: string, at: string])[];

/**
 * What has changed, and where reading goes on when all of it is stored: JSON that only the source itself reads. `whole`: the
 * batch is one of a reading of all there is. `listed`: what a list has from now on, which `Since` answers the next time.
 */
export type Changes = Batch & {
  cursor: unknown;
  whole?: Whole;
  moves?: Moves;
  listed?: { list: string; items: Listed };
};

/** Whether an item that a provider in trouble does not give may be left out. */
export type MayLeave = (item: string) => boolean;

/** Where a reading of changes begins. */
export type Since = {
  /** As the last batch that was stored had it; null at the very first. */
  cursor: unknown;
  /** How far back the first reading goes; null: everything. */
  from: Date | null;
  now: Date;
  /** What a list had, as `Changes` told it last. */
  listed: (list: string) => Promise<Listed>;
  /** What may not be left out ends the reading, since whatever comes after it would be taken for all there was. */
  mayLeave: MayLeave;
};

/** Of a reading that keeps nothing: nothing is known, and all may be left out. */
export const fromNothing = {
  cursor: null,
  listed: async () => [],
  mayLeave: () => true,
} satisfies Partial<Since>;

/** Which version of what stands at an address is known, in the provider's own words (RFC 9110, section 8.8). */
export type Version = { url: string; etag?: string; modified?: string };

/** What a described call answered: parsed, with the address of the next page where the `Link` header tells it (RFC 8288). */
export type Answer = {
  data: unknown;
  nextUrl: string | null;
  /** Null when the provider does not say. */
  version: Version | null;
  /** It is what was known; there is no data. */
  isUnchanged: boolean;
};

/** Reads from a provider in the name of one linked account. */
export type Reader = {
  /** The name by which the account's pages are known, such as its mail address. It stays when the provider names it anew. */
  account: string;
  /** The address that was entered for the account, where a service is known by that alone. */
  address: string | null;
  /** What a GET answers, parsed. Throws `upstream_failed` when it is not as expected. */
  get<Schema extends z.ZodType>(
    schema: Schema,
    url: string,
    query?: ProviderRequest['query'],
  ): Promise<z.output<Schema>>;
  /** What a described call answers. With a version that is known: only if it is another by now. */
  ask(request: FilledRequest, more?: Refusals & { known?: Version | undefined }): Promise<Answer>;
  /** What stands at the account's own address, as text; null when it is still the version that is known. */
  own(
    known: Version | undefined,
    limits: { maxBytes: number },
  ): Promise<{ text: string; version: Version | null } | null>;
  /** What a GET answers, as text. */
  text(url: string, query?: ProviderRequest['query']): Promise<string>;
  /**
   * Gives what a described call answers to `read`, as it is and as it comes. What broke off is asked for once more, and `read`
   * is called again.
   */
  stream<T>(request: FilledRequest, maxBytes: number, read: ReadBytes<T>): Promise<T>;
};

/** In which time a free-text request was said. */
export type Moment = { now: Date; timeZone: string };

/** A service that is read from, as data. `Input` is what a reading takes; the plan of a reading is that input, parsed. */
export type Source<Input extends z.ZodObject = z.ZodObject> = {
  name: string;
  label: string;
  description: string;
  provider: string;
  scopes: readonly SourceScope[];
  /** Only accounts that were linked by a token can serve it. */
  linkedBy?: 'token';
  supports: { fetch: boolean; act: boolean; adapter: boolean };
  input: Input;
  /** What to pass, for a caller whose request was not understood. */
  hint: string;
  /** The input that a request in words stands for; null when that would have to be guessed. */
  inputOf(request: string, moment: Moment): z.input<Input> | null;
  /** Asks where the account's days begin, for requests that name days. */
  timeZoneOf?(reader: Reader): Promise<string>;
  /** Reads in batches that fit in memory. */
  read(reader: Reader, input: z.output<Input>, moment: Moment): AsyncGenerator<Batch>;
  /**
   * Reads what has changed since a cursor, in batches that fit in memory. Broken off after any batch and begun again with
   * its cursor it misses nothing; reading something twice does no harm. A cursor that the provider no longer takes is
   * its own affair: it begins anew.
   */
  changes?(reader: Reader, since: Since, settings: Record<string, unknown>): AsyncGenerator<Changes>;
  /** What a sync may be told besides, and `changes` is given, parsed; nothing when absent. */
  settings?: z.ZodObject;
  /**
   * Fetches a file by the handle that the source gave it, and gives its bytes to `read` as they come; when they break off `read`
   * is called again. Rejects a file of much more than so many bytes as `too_large`: the last few are counted by `read`.
   */
  file?<T>(reader: Reader, handle: unknown, maxBytes: number, read: ReadBytes<T>): Promise<T>;
};

/** Declares a source, typed by what it takes. */
export function defineSource<Input extends z.ZodObject>(source: Source<Input>): Source<Input> {
  return source;
}

/** What says that a thing is gone at its source. Its page is taken out of sight, if there is one. */
export function gonePage({ source, ref, type }: { source: string; ref: string; type: string }): NewPage {
  const nothing = { title: '', body: '', frontmatter: {}, occurredAt: new Date(0) };
  return { sourceRef: `${source}:${ref}`, source, type, ...nothing, isGone: true };
}
