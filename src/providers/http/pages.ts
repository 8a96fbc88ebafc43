// Reads a list page by page: the one loop for all paged lists.
import { AppError } from '#kernel/errors';

/** One page, and the position of the next one. */
export type Page<Item> = { items: readonly Item[]; next: string | null };

/** Every page of a list from `start` on; null is the first one. Throws when a page names itself as the next one. */
export async function* walkPages<Of extends { next: string | null }>(
  ask: (page: string | null) => Promise<Of>,
  start: string | null = null,
): AsyncGenerator<Of, void, void> {
  let page = start;
  do {
    const answer: Of = await ask(page);
    if (answer.next !== null && answer.next === page) throw createEndlessError();
    yield answer;
    page = answer.next;
  } while (page !== null);
}

/** Every item of a list. */
export async function* listItems<Item>(ask: (page: string | null) => Promise<Page<Item>>): AsyncGenerator<Item> {
  for await (const { items } of walkPages(ask)) yield* items;
}

function createEndlessError(): AppError {
  const message = 'The provider keeps returning the same next page, so the list would never end.';
  return new AppError('upstream_failed', message, { errorCategory: 'bad_response' });
}
