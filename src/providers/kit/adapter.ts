// An adapter reads rows of a service for boards, where a source reads pages.
import type { Json } from '#kernel/page';
import type { Reader } from '#providers/reading';
import type { z } from 'zod';

/** One row as a service lists it: fields by name. */
export type AdapterRow = Readonly<Record<string, Json>>;

/** How an adapter asks a service: in the name of an account, or as anybody. `address`: that of the account or of the link. */
export type AdapterReader = Pick<Reader, 'ask' | 'own' | 'address'>;

/** One list that an adapter reads, such as `github.list_open_prs`. Rows come in batches, all of them. */
export type AdapterOperation<Ref = Record<string, unknown>, Params = Record<string, unknown>> = {
  /** With the kind of the adapter before a dot. */
  name: string;
  summary: string;
  params: z.ZodObject;
  read(reader: AdapterReader, of: { ref: Ref; params: Params; now: Date }): AsyncGenerator<readonly AdapterRow[]>;
};

/** A kind of board link: what it points at, and what can be read there. */
export type Adapter = {
  /** The name of its source; accounts that can read the source can serve the link. */
  kind: string;
  /** What the link points at. */
  ref: z.ZodObject;
  /** An example of `ref`, for callers whose input was refused. */
  hint: string;
  /** The address that is read without an account, for the rules; null: nothing can be read without one. */
  findPublicAddress(ref: Record<string, unknown>): string | null;
  /** The first one is used to test a link. */
  operations: readonly AdapterOperation[];
};

type TypedOperation<Ref extends z.ZodObject, Params extends z.ZodObject> = Omit<
  AdapterOperation<z.output<Ref>, z.output<Params>>,
  'params'
> & { ref: Ref; params: Params };

/** Declares an operation, typed by what its link points at and by its parameters. */
export function defineAdapterOperation<Ref extends z.ZodObject, Params extends z.ZodObject>({
  ref: _ref,
  ...operation
}: TypedOperation<Ref, Params>): AdapterOperation {
  return operation as unknown as AdapterOperation; // callers parse by the schemas before they read
}

/** Declares an adapter. Throws when an operation is not called by its kind. */
export function defineAdapter(adapter: Adapter): Adapter {
  const wrong = adapter.operations.find(({ name }) => !name.startsWith(`${adapter.kind}.`));
  if (wrong) throw new Error(`${wrong.name} must begin with the kind of the adapter ${adapter.kind}`);
  return adapter;
}
