/** Iterates over pending drafts, page by page. */
export type WaitingDrafts<Draft> = { drafts: Draft[]; next_cursor: string | null };

/** Every draft once. A page is read again after each draft, because others decide about drafts, too. */
export async function* readOneByOne<Draft extends { draft_id: string }>(
  readPage: (cursor: string | null) => Promise<WaitingDrafts<Draft>>,
): AsyncGenerator<Draft> {
  const seen = new Set<string>();
  let cursor: string | null = null;
  for (;;) {
    const { drafts, next_cursor }: WaitingDrafts<Draft> = await readPage(cursor);
    const draft = drafts.find(({ draft_id }) => !seen.has(draft_id));
    if (!draft && next_cursor === null) return;
    if (!draft) cursor = next_cursor;
    if (!draft) continue;
    seen.add(draft.draft_id);
    yield draft;
  }
}
