/** Shows a system notice for new drafts, one per batch, when nobody looks at the console. */
import type { QueryClient } from '@tanstack/react-query';
import { meQuery } from '../../entities/me.ts';
import { getDraftHeadline } from '../actions/draft-words.ts';
import { readPending, type Draft } from '../actions/requests.ts';
import { countUnder, dropFromNotices, getNoticeState, showNotice } from './browser-notices.ts';
import { isInView } from './visible-tabs.ts';

type OpenDraft = (draftId: string) => void;

/** Drafts within this time are handled together, so that a batch is fetched once. */
const gatherMs = 800;
/** More drafts than this share one notice. */
const mostNotices = 3;

const come = new Set<string>();
let isGathering = false;

/** A draft came. */
export function noteNewDraft(queryClient: QueryClient, draftId: string, open: OpenDraft): void {
  const me = queryClient.getQueryData(meQuery.queryKey);
  if (!me || document.visibilityState === 'visible' || getNoticeState(me.person.id) !== 'on') return;
  come.add(draftId);
  if (isGathering) return;
  isGathering = true;
  setTimeout(() => {
    isGathering = false;
    void notifyNewDrafts(open).catch(() => come.clear()); // the inbox shows them all the same
  }, gatherMs);
}

/** A draft was decided, wherever that was. */
export function noteDecidedDraft(draftId: string): void {
  come.delete(draftId);
  dropFromNotices(draftId);
}

async function notifyNewDrafts(open: OpenDraft): Promise<void> {
  if (await isInView()) return come.clear();
  const { drafts } = await readPending({ limit: 100 });
  const fresh = drafts.filter(({ draft_id }) => come.has(draft_id));
  come.clear();
  const groups = new Map<string, Draft[]>();
  for (const draft of fresh) {
    const tag = draft.batch_id ?? draft.draft_id;
    groups.set(tag, [...(groups.get(tag) ?? []), draft]);
  }
  if (groups.size > mostNotices) return showDraftNotice('thalamus-drafts', fresh, open);
  for (const [tag, group] of groups) showDraftNotice(tag, group, open);
}

function showDraftNotice(tag: string, drafts: readonly Draft[], open: OpenDraft): void {
  const [newest] = drafts;
  if (!newest) return;
  const ids = drafts.map(({ draft_id }) => draft_id);
  const count = countUnder(tag, ids);
  showNotice({
    tag,
    ids,
    title: count === 1 ? 'A draft waits for your approval' : `${count} drafts wait for your approval`,
    body: `${getDraftHeadline(newest)}\n${newest.drafted_by}${newest.delegated_by ? `, for ${newest.delegated_by}` : ''}`,
    onOpen: () => open(newest.draft_id),
  });
}
