// `query_emails` and `search_emails`, with which other systems' clients search Gmail through `act_on_integration`. They only
// read, so they make no draft.
import type { AfterCommitContext, Context } from '#kernel/context';
import { convertAtFace } from '#kernel/convert-refused';
import { AppError } from '#kernel/errors';
import { describeIssues, formatIssues } from '#kernel/issues';
import { listPagesBySlug } from '#modules/pages';
import { z } from 'zod';
import { fetchNow, prepareFetch, type FetchDeps, type FetchRequest, type PreparedFetch } from './fetching.ts';

const names = ['query_emails', 'search_emails'];

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

/** A search that is checked and ready to run. */
export type EmailSearch = { kind: 'searching'; asked: FetchRequest; prepared: PreparedFetch };

export function isEmailSearch({ action_name }: SearchRequest): boolean {
  return action_name !== undefined && names.includes(action_name);
}

/**
 * Checks a search like a fetch. Throws `invalid_input` for unknown fields, and `forbidden` when the caller may not
 * store the pages.
 */
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
    throw new AppError(
      'forbidden',
      'This search would store mails in your home brain, where you have read access only.',
    );
  return { kind: 'searching', asked: fetchRequest, prepared: await prepareFetch(ctx, fetchRequest, publicUrl) };
}

/** Stores the threads of a search, and answers the mails that it matched, the newest first. */
export async function searchEmails(ctx: AfterCommitContext, deps: FetchDeps, { asked, prepared }: EmailSearch) {
  const { source, link, of, ruling } = prepared;
  const result = await fetchNow(ctx, deps, prepared, asked);
  const matches = await source.listMatches?.(deps.createReader(link, of, ruling), input.parse(asked.input));
  const pages = await ctx.transact(({ db }) => listPagesBySlug(db, result.brain_id, result.page_slugs));
  const messages = pages
    .flatMap(listThreadMessages)
    .filter(({ id }) => matches?.includes(id) ?? true)
    .toSorted((one, other) => (other.date ?? '').localeCompare(one.date ?? ''));
  return { ...result, messages };
}

/** A message as clients read it. */
type FoundMessage = {
  id: string;
  threadId: string;
  subject: string;
  from: string;
  snippet: string;
  date: string | null;
};

const snippetCharacters = 300;

type ThreadPage = { title: string; body: string; frontmatter: Record<string, unknown> };

/** The page of a thread has its messages in order, each with its sender and date above its text. */
function listThreadMessages({ title, body, frontmatter }: ThreadPage): FoundMessage[] {
  const ids = Array.isArray(frontmatter['message_ids']) ? frontmatter['message_ids'].map(String) : [];
  const subjects = Array.isArray(frontmatter['subjects']) ? frontmatter['subjects'].map(String) : [];
  const parts = body.split('\n\n---\n\n');
  return ids.map((id, at) => {
    const [head = '', ...texts] = (parts[at] ?? '').split('\n\n');
    const readField = (name: string) =>
      head
        .split('\n')
        .find((line) => line.startsWith(`${name}: `))
        ?.slice(name.length + 2);
    const snippet = texts.join(' ').replaceAll(/\s+/g, ' ').slice(0, snippetCharacters);
    const date = readField('Date') ?? null;
    return {
      id,
      threadId: String(frontmatter['thread_id']),
      subject: subjects[at] ?? title,
      from: readField('From') ?? '',
      snippet,
      date,
    };
  });
}
