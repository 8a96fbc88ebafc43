import { walkPages } from '#providers/http';

/** Every page of a Google list, from the start or from a given page, with its own token and the next one. */
export function readGooglePages<Answer extends { nextPageToken?: string | undefined }>(
  ask: (pageToken: string | undefined) => Promise<Answer>,
  start: string | null = null,
) {
  return walkPages(async (page) => {
    const answer = await ask(page ?? undefined);
    return { ...answer, page, next: answer.nextPageToken ?? null };
  }, start);
}
