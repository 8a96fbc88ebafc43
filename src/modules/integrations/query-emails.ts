// `query_emails`, as clients of other systems search Gmail through `act_on_integration`. It reads, so nothing is drafted.
import type { Context } from '#kernel/context';
import { convertAtFace } from '#kernel/convert-refused';
import { AppError } from '#kernel/errors';
import { describeIssues, formatIssues } from '#kernel/issues';
import { z } from 'zod';
import { prepareFetch, type FetchRequest, type PreparedFetch } from './fetching.ts';

const name = 'query_emails';

const input = z.strictObject({
  query: z.string().trim().min(1).max(1_000),
  limit: z.number().int().min(1).max(50).default(20),
});

type SearchRequest = {
  action_name?: string | undefined;
  input?: Record<string, unknown> | undefined;
  install_id?: string | undefined;
  account?: string | undefined;
};

/** A search that is about to be made. */
export type EmailSearch = { kind: 'searching'; asked: FetchRequest; prepared: PreparedFetch };

export function isEmailSearch({ action_name }: SearchRequest): boolean {
  return action_name === name;
}

/** Checks a search as a fetch is checked. Throws `invalid_input` for other fields, and `forbidden` where the pages may not be stored. */
export async function prepareSearch(
  ctx: Context,
  searchRequest: SearchRequest,
  publicUrl: string,
): Promise<EmailSearch> {
  const read = input.safeParse(convertAtFace(ctx.face, input, searchRequest.input ?? {}));
  if (!read.success)
    throw new AppError(
      'invalid_input',
      `input: ${formatIssues(describeIssues(read.error.issues, input), read.error.issues.length)}`,
    );
  const fetchRequest = {
    source: 'gmail',
    input: read.data,
    account: searchRequest.install_id ?? searchRequest.account,
  };
  const { homeBrainId, roles } = await ctx.brains();
  const role = roles.get(homeBrainId);
  if (role === undefined || role === 'viewer')
    throw new AppError('forbidden', 'Mails that are found are stored in your home brain, where you may only read.');
  return { kind: 'searching', asked: fetchRequest, prepared: await prepareFetch(ctx, fetchRequest, publicUrl) };
}
