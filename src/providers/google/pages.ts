import { pagesOf } from '#providers/http';

/** Every page of a Google list, from its beginning or from a page on; each with its own token, and the next one. */
export function googlePages<Answer extends { nextPageToken?: string | undefined }>(
  ask: (pageToken: string | undefined) => Promise<Answer>,
  start: string | null = null,
) {
  return pagesOf(async (page) => {
    const answer = await ask(page ?? undefined);
    return { ...answer, page, next: answer.nextPageToken ?? null };
  }, start);
}
