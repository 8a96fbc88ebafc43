import { AppError } from '#kernel/errors';
import { z } from 'zod';
import { ProviderError } from '#providers/http';
import type { ItemError, IsSkippable } from './source.ts';

/** After this many provider errors in a batch, reading stops. */
const mostFailures = 5;
const itemErrorCategories: readonly string[] = [
  'not_found',
  'permission',
  'invalid_request',
  'bad_response',
  'too_large',
  'conflict',
];
const providerErrorCategories: readonly string[] = ['rate_limited', 'provider_down', 'timeout', 'network'];

type FailedItem = { item: string; error: AppError };

/** A failing provider did not return these items. They still exist, so the position must not move past them. */
export class WithheldError extends AppError {
  readonly items: readonly string[];

  constructor(items: readonly string[], { code, message, details }: AppError) {
    super(code, message, details);
    this.items = items;
  }
}

/**
 * Reads items concurrently; the reader limits how many at a time. An item that fails alone is reported and skipped.
 * Throws errors that would affect every other item, such as revoked access or a failing provider, and `Withheld` for an
 * item that may not be skipped.
 */
export async function readItems<Item, Result>(
  items: readonly Item[],
  formatName: (item: Item) => string,
  read: (item: Item) => Promise<Result>,
  isSkippable: IsSkippable = () => true,
): Promise<{ results: Result[]; errors: ItemError[] }> {
  const outcomes = await Promise.allSettled(items.map(read));
  const results = outcomes.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  const failed = outcomes.flatMap((each, position): FailedItem[] => {
    const item = items[position];
    return each.status === 'rejected' && item !== undefined
      ? [{ item: formatName(item), error: classifyItemError(each.reason) }]
      : [];
  });
  const failedByProvider = failed.filter(({ error }) => providerErrorCategories.includes(readErrorCategory(error)));
  if (failedByProvider[0] && failedByProvider.length >= mostFailures) throw failedByProvider[0].error;
  const withheld = failedByProvider.filter(({ item }) => !isSkippable(item));
  if (withheld[0])
    throw new WithheldError(
      failedByProvider.map(({ item }) => item),
      withheld[0].error,
    );
  return { results, errors: failed.map(({ item, error }) => ({ item, message: error.message })) };
}

/** Parses the items of a list one by one. An item of another form does not affect the others. */
export function parseItems<Schema extends z.ZodType>(
  schema: Schema,
  items: readonly unknown[],
): { results: z.output<Schema>[]; errors: ItemError[] } {
  const parsed = items.map((item) => ({ item, ...schema.safeParse(item) }));
  const results = parsed.flatMap((each) => (each.success ? [each.data] : []));
  const errors = parsed.flatMap(({ item, error }) => {
    const id = z.object({ id: z.string() }).safeParse(item).data?.id ?? 'without an id';
    return error ? [{ item: `item ${id}`, message: "The provider's description of it cannot be read." }] : [];
  });
  return { results, errors };
}

/** The error of one item. Errors that concern all items are thrown again. */
function classifyItemError(reason: unknown): AppError {
  if (reason instanceof z.ZodError) {
    return new AppError(
      'upstream_failed',
      'The provider returned an unexpected answer about it.',
      {},
      { cause: reason },
    );
  }
  if (!(reason instanceof AppError)) throw reason;
  const category = readErrorCategory(reason);
  if (itemErrorCategories.includes(category) || providerErrorCategories.includes(category)) return reason;
  throw reason;
}

/** The error of one file. Errors that concern all files are thrown again. */
export function classifyFileError(reason: unknown): { error: AppError; isOfProvider: boolean; isTooLarge: boolean } {
  const error = classifyItemError(reason);
  const category = readErrorCategory(error);
  return { error, isOfProvider: providerErrorCategories.includes(category), isTooLarge: category === 'too_large' };
}

/** The category of an error of a provider; empty for any other. */
export function readErrorCategory(error: AppError): string {
  const diagnostics = error instanceof ProviderError ? error.details['diagnostics'] : error.details;
  return z.object({ errorCategory: z.string() }).safeParse(diagnostics).data?.errorCategory ?? '';
}
