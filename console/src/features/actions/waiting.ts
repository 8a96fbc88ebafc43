/** The cache of pending drafts: fetched page by page and then changed in place, because there may be thousands. */
import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import { isDecidedHere } from './decided-here.ts';
import { buildActionQuery, pendingQuery, readPending, waitingQuery, type Draft, type PendingPage } from './requests.ts';

type WaitingPages = InfiniteData<PendingPage, unknown>;

/** Removes decided drafts from all lists. */
export function dropWaiting(client: QueryClient, draftIds: Iterable<string>): void {
  const dropped = new Set(draftIds);
  const without = (page: PendingPage): PendingPage => {
    const drafts = page.drafts.filter(({ draft_id }) => !dropped.has(draft_id));
    return drafts.length === page.drafts.length ? page : { ...page, drafts };
  };
  const known = new Set(
    [...listWaitingDrafts(client.getQueryData(waitingQuery.queryKey)), ...getPendingHead(client)].map(getDraftId),
  );
  const droppedCount = [...dropped].filter((id) => known.has(id)).length;
  if (!droppedCount) return;
  client.setQueryData(
    pendingQuery.queryKey,
    (head) => head && { ...without(head), total: Math.max(0, (head.total ?? 0) - droppedCount) },
  );
  client.setQueryData(waitingQuery.queryKey, (list) => list && { ...list, pages: list.pages.map(without) });
}

/** Inserts drafts by age: new ones, or one whose decision the server rejected. */
export function addWaiting(client: QueryClient, drafts: readonly Draft[]): void {
  client.setQueryData(waitingQuery.queryKey, (list) => {
    const known = new Set(listWaitingDrafts(list).map(getDraftId));
    const fresh = drafts.filter(({ draft_id }) => !known.has(draft_id) && !isDecidedHere(draft_id));
    return list && fresh.length ? fresh.reduce<WaitingPages>(withDraft, list) : list;
  });
}

/** Replaces a draft in all lists. */
export function replaceWaiting(client: QueryClient, drafts: readonly Draft[]): void {
  const fresh = new Map(drafts.map((draft) => [draft.draft_id, draft]));
  const anew = (page: PendingPage): PendingPage => {
    const isOld = (draft: Draft) => {
      const now = fresh.get(draft.draft_id);
      return (
        now !== undefined &&
        (['content_hash', 'batch_id', 'expires_at'] as const).some((field) => now[field] !== draft[field])
      );
    };
    if (!page.drafts.some(isOld)) return page;
    return { ...page, drafts: page.drafts.map((draft) => fresh.get(draft.draft_id) ?? draft) };
  };
  client.setQueryData(pendingQuery.queryKey, (head) => head && anew(head));
  client.setQueryData(waitingQuery.queryKey, (list) => list && { ...list, pages: list.pages.map(anew) });
}

/** Refreshes a draft that was edited or extended, here or elsewhere. */
export async function readEdited(client: QueryClient, draftId: string): Promise<void> {
  const all = [...listWaitingDrafts(client.getQueryData(waitingQuery.queryKey)), ...getPendingHead(client)];
  if (!all.some(({ draft_id }) => draft_id === draftId)) return;
  replaceWaiting(client, [await client.fetchQuery({ ...buildActionQuery(draftId), staleTime: 0 })]);
}

/** Fetches new drafts, back to the first listed one. */
export async function readNewer(client: QueryClient, head: PendingPage): Promise<void> {
  const known = new Set(listWaitingDrafts(client.getQueryData(waitingQuery.queryKey)).map(getDraftId));
  const newer = [...head.drafts];
  let cursor = head.next_cursor;
  while (cursor && known.size && !newer.some(({ draft_id }) => known.has(draft_id))) {
    const page = await readPending({ cursor, limit: 100 });
    newer.push(...page.drafts);
    cursor = page.next_cursor;
  }
  addWaiting(client, newer);
  replaceWaiting(client, newer);
}

function withDraft(list: WaitingPages, draft: Draft): WaitingPages {
  const last = list.pages.length - 1;
  const at = list.pages.findIndex(({ drafts }) => drafts.some((other) => isNewer(draft, other)));
  // Older than all loaded drafts: the next page will contain it.
  if (at < 0 && list.pages[last]?.next_cursor) return list;
  const place = at < 0 ? last : at;
  const pages = list.pages.map((page, index) => {
    if (index !== place) return page;
    const before = page.drafts.findIndex((other) => isNewer(draft, other));
    return { ...page, drafts: page.drafts.toSpliced(before < 0 ? page.drafts.length : before, 0, draft) };
  });
  return { ...list, pages };
}

function isNewer(one: Draft, other: Draft): boolean {
  return one.created_at === other.created_at ? one.draft_id > other.draft_id : one.created_at > other.created_at;
}

function listWaitingDrafts(list: WaitingPages | undefined): Draft[] {
  return list?.pages.flatMap(({ drafts }) => drafts) ?? [];
}

function getPendingHead(client: QueryClient): Draft[] {
  return client.getQueryData(pendingQuery.queryKey)?.drafts ?? [];
}

function getDraftId({ draft_id }: Draft): string {
  return draft_id;
}
