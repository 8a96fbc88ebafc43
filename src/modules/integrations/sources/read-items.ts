import { AppError } from '#kernel/errors';
import { z } from 'zod';
import { ProviderFault } from '../provider-client.ts';
import type { ItemError } from './source.ts';

/** So many items in a row that fail with the provider itself in trouble end a reading. */
const mostFailures = 5;
/** Faults of the request or of the account's access are the same for every item, and are not worth repeating. */
const faultsOfOneItem: readonly string[] = ['not_found', 'invalid_request', 'bad_response', 'too_large', 'conflict'];
const faultsOfTheProvider: readonly string[] = ['rate_limited', 'provider_down', 'timeout', 'network'];

type Failed = { item: string; error: AppError };

/**
 * Reads items side by side; the reader bounds how many at a time. One that fails by itself is told and left out. What
 * would fail for every other one too is thrown: ended access, or a provider in trouble.
 */
export async function readItems<Item, Result>(
  items: readonly Item[],
  nameOf: (item: Item) => string,
  read: (item: Item) => Promise<Result>,
): Promise<{ results: Result[]; errors: ItemError[] }> {
  const settled = await Promise.allSettled(items.map(read));
  const results = settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  const failed = settled.flatMap((each, position): Failed[] => {
    const item = items[position];
    return each.status === 'rejected' && item !== undefined
      ? [{ item: nameOf(item), error: itemFault(each.reason) }]
      : [];
  });
  const inTrouble = failed.filter(({ error }) => faultsOfTheProvider.includes(categoryOf(error)));
  const [first] = inTrouble;
  if (first && (inTrouble.length >= mostFailures || !results.length)) throw first.error;
  return { results, errors: failed.map(({ item, error }) => ({ item, message: error.message })) };
}

/** The error of one item; anything that concerns all of them is thrown on. */
function itemFault(reason: unknown): AppError {
  if (reason instanceof z.ZodError) {
    return new AppError(
      'upstream_failed',
      'The provider answered something unexpected about it.',
      {},
      { cause: reason },
    );
  }
  if (!(reason instanceof AppError)) throw reason;
  const category = categoryOf(reason);
  if (faultsOfOneItem.includes(category) || faultsOfTheProvider.includes(category)) return reason;
  throw reason;
}

function categoryOf(error: AppError): string {
  return error instanceof ProviderFault ? error.diagnostics.errorCategory : '';
}
