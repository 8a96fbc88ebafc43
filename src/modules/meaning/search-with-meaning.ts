import type { Context, AfterCommitContext } from '#kernel/context';
import type { QueryVector, FindMeaning } from '#platform/embeddings';

/** The embedding of a query for a search, if there is an embedder. */
export type SearchMeaning = { meaning?: QueryVector };

type Search<Input, Answer> = (ctx: Context, input: Input, asked: SearchMeaning) => Promise<Answer>;

/**
 * The `run` and `afterCommit` of an operation that searches. Without an embedder it searches in `run`, by words only.
 * With an embedder it computes the embedding in `afterCommit`, where no transaction is open, and then searches.
 */
export function withMeaning<Input extends { q?: string | undefined }, Answer extends object>(
  meaningOf: FindMeaning | null,
  search: Search<Input, Answer>,
) {
  return {
    run: async (ctx: Context, input: Input): Promise<Answer | null> =>
      meaningOf && input.q !== undefined ? null : search(ctx, input, {}),

    async afterCommit(
      ctx: AfterCommitContext,
      found: Answer | null,
      input: Input,
    ): Promise<Answer & { notice?: string }> {
      if (found || !meaningOf) return found as Answer; // without an embedder `run` has found it
      const { meaning, notice } = await meaningOf(input.q ?? '', ctx);
      const work = (inner: Context) => search(inner, input, meaning ? { meaning } : {});
      const answer = await ctx.transact(work, { mayRepeat: true });
      return notice === null ? answer : { ...answer, notice };
    },
  };
}
