import type { NewPage } from '#modules/pages';
import type { z } from 'zod';
import type { ProviderRequest } from '../provider-client.ts';

/** What a source may do, in the provider's name and in plain words. */
export type SourceScope = { scope: string; why: string };

/** One thing that could not be read. */
export type ItemError = { item: string; message: string };

/** Pages that are read and not yet stored, and what could not be read among them. */
export type Batch = {
  pages: NewPage[];
  errors: ItemError[];
  /** How many there are in all; null until known. */ total: number | null;
};

/** Reads from a provider in the name of one linked account. */
export type Reader = {
  /** The account's name at the provider, such as its mail address. */
  account: string;
  /** What a GET answers, parsed. Throws `upstream_failed` when it is not as expected. */
  get<Schema extends z.ZodType>(
    schema: Schema,
    url: string,
    query?: ProviderRequest['query'],
  ): Promise<z.output<Schema>>;
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
};

/** Declares a source, typed by what it takes. */
export function defineSource<Input extends z.ZodObject>(source: Source<Input>): Source<Input> {
  return source;
}
