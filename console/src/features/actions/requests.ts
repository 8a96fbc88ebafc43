import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { Input, Output } from '#sdk';
import { call, readText } from '../../api/call.ts';
import { isDecidedHere } from './decided-here.ts';
import type { Block } from './day.ts';

export type DraftStatus = Draft['status'];

export type Preview = Draft['preview'];

/** The payload. Its fields depend on the action. */
export type Payload = Record<string, unknown>;

export type Undo = NonNullable<Draft['undo']>;

/** A draft as it is listed in full. */
export type Draft = Omit<Action, 'ledger' | 'ledger_is_whole' | 'can_redraft'>;

export type LedgerEntry = Action['ledger'][number];

/** A draft with everything that happened to it. */
export type Action = Output<'get_action'>;

/** The outcome of an approval. */
export type Outcome = Output<'confirm_action'>;

// Events report changes at once. The interval is a fallback for a closed stream.
const refetchInterval = 30_000;

/** A page of pending drafts. Only the first page has `total`. */
export type PendingPage = Omit<Output<'list_pending_actions'>, 'drafts'> & { drafts: Draft[] };

type PendingInput = Input<'list_pending_actions'>;

/** Rows that were asked for in full lack nothing. */
function toFullDrafts(rows: Output<'list_actions'>['actions']): Draft[] {
  return rows as Draft[];
}

/** Fetches a page of pending drafts, newest first, without those decided here a moment ago. */
export async function readPending(input: PendingInput, signal?: AbortSignal): Promise<PendingPage> {
  const page = await call('list_pending_actions', { ...input, detail: 'full' }, signal ? { signal } : {});
  const drafts = toFullDrafts(page.drafts).filter(({ draft_id }) => !isDecidedHere(draft_id));
  return { ...page, drafts, total: page.total && page.total - (page.drafts.length - drafts.length) };
}

/** The newest pending drafts, and their total number. */
export const pendingQuery = queryOptions({
  queryKey: ['actions', 'pending'],
  queryFn: ({ signal }) => readPending({ limit: 20 }, signal),
  refetchInterval,
});

/** All pending drafts, page by page. Events change the cache (`waiting.ts`) without another fetch. */
export const waitingQuery = infiniteQueryOptions({
  queryKey: ['waiting'],
  queryFn: ({ pageParam, signal }) => readPending({ limit: 100, ...(pageParam && { cursor: pageParam }) }, signal),
  initialPageParam: '',
  getNextPageParam: (last) => last.next_cursor ?? undefined,
  staleTime: Infinity,
  structuralSharing: false, // it would compare by place, and copy all that moved up
});

/** All drafts of one batch. Fetched when opened, and not changed by events while open. */
export function buildBatchQuery(batchId: string) {
  return queryOptions({
    queryKey: ['batch', batchId],
    queryFn: ({ signal }) => readBatch(batchId, signal),
    staleTime: 'static',
    gcTime: 0,
  });
}

async function readBatch(batchId: string, signal: AbortSignal): Promise<Draft[]> {
  const drafts: Draft[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const page: PendingPage = await readPending({ batch_id: batchId, limit: 100, ...(cursor && { cursor }) }, signal);
    drafts.push(...page.drafts);
    cursor = page.next_cursor;
  }
  return drafts.toReversed();
}

/** Drafts with an unknown outcome. */
export const ambiguousQuery = queryOptions({
  queryKey: ['actions', 'ambiguous'],
  queryFn: ({ signal }) => call('list_actions', { status: 'ambiguous', limit: 50, detail: 'full' }, { signal }),
  select: (answer) => toFullDrafts(answer.actions),
  refetchInterval,
});

/** The known events of a day, without whole-day events. */
export function buildDayQuery(day: Date) {
  const next = new Date(day);
  next.setDate(day.getDate() + 1);
  const input = {
    type: 'calendar_event',
    where: { start: { lt: next.toISOString() }, end: { gt: day.toISOString() } },
    limit: 50,
  };
  return queryOptions({
    queryKey: ['pages', 'day', day.toISOString()],
    queryFn: ({ signal }) => call('query', input, { signal }),
    select: ({ pages }) => pages.filter(({ frontmatter }) => frontmatter['all_day'] !== true).flatMap(toDayBlocks),
  });
}

function toDayBlocks({ id, title, frontmatter }: Output<'query'>['pages'][number]): Block[] {
  const [start, end] = [frontmatter['start'], frontmatter['end']].map((at) => new Date(String(at)));
  const eventId = String(frontmatter['event_id'] ?? '');
  return start && end && start < end ? [{ id, eventId, title, start, end }] : [];
}

const decidedStates: readonly DraftStatus[] = [
  'confirming',
  'confirmed',
  'failed',
  'ambiguous',
  'discarded',
  'expired',
  'stale',
  'undone',
];

/** Decided and expired drafts, newest first, page by page. */
export const historyQuery = infiniteQueryOptions({
  queryKey: ['actions', 'history'],
  queryFn: ({ pageParam, signal }) => {
    const input = {
      statuses: [...decidedStates],
      order: 'ended' as const,
      limit: 50,
      detail: 'full' as const,
      ...(pageParam && { cursor: pageParam }),
    };
    return call('list_actions', input, { signal });
  },
  initialPageParam: '',
  getNextPageParam: (last) => last.next_cursor ?? undefined,
  select: ({ pages }) => pages.flatMap(({ actions }) => toFullDrafts(actions)),
});

/** One action with its ledger, in any state. */
export function buildActionQuery(draftId: string) {
  return queryOptions({
    queryKey: ['actions', 'one', draftId],
    queryFn: ({ signal }) => call('get_action', { draft_id: draftId }, { signal }),
    refetchInterval: ({ state }) => (state.data && isUnderWay(state.data.status) ? 3_000 : false),
  });
}

export type DraftValues = Output<'show_draft_values'>;

/** The values that agents wrote into a draft: fetched for the page that shows them, and forgotten with it. */
export function buildDraftValuesQuery({ draft_id, content_hash }: Pick<Draft, 'draft_id' | 'content_hash'>) {
  return queryOptions({
    queryKey: ['draft-values', draft_id, content_hash],
    queryFn: ({ signal }) => call('show_draft_values', { draft_id }, { signal }),
    staleTime: 'static',
    gcTime: 0,
    retry: false,
  });
}

const mostShown = 100_000;

/** The beginning of a file that is sent with a draft, as text; its bytes do not change. */
export function buildFileTextQuery(href: string) {
  return queryOptions({
    queryKey: ['file', href],
    queryFn: ({ signal }) => readText(href, { signal }),
    select: (text) => ({ text: text.slice(0, mostShown), isCut: text.length > mostShown }),
    staleTime: Infinity,
    gcTime: 0,
  });
}

function isUnderWay(status: DraftStatus): boolean {
  return status === 'confirming' || status === 'ambiguous';
}

/** The draft, and the hash of its shown content. Changed content is refused. */
export type SeenDraft = Pick<Draft, 'draft_id' | 'content_hash'>;

export function confirmAction({ draft_id, content_hash }: SeenDraft): Promise<Output<'confirm_action'>> {
  return call('confirm_action', { draft_id, content_hash });
}

/** New values for some fields, or back to what was drafted. */
export type Edit = { edits: Payload } | { restore: true };

/** Saves edits of a draft. The error names each invalid field. */
export function editAction({ draft_id, content_hash, ...edit }: SeenDraft & Edit): Promise<Output<'edit_action'>> {
  return call('edit_action', { draft_id, content_hash, ...edit });
}

/** Extends a draft by a number of minutes from now. */
export function extendAction(draftId: string, minutes: number): Promise<Output<'extend_action'>> {
  return call('extend_action', { draft_id: draftId, expires_in_minutes: minutes });
}

export type PersonsAnswer = 'it_happened' | 'it_did_not' | 'send_again';

/** A person's answer about the outcome. `send_again` returns the new draft. */
export function answerAction(input: { draft_id: string; answer: PersonsAnswer }): Promise<Output<'answer_action'>> {
  return call('answer_action', input);
}

export function discardAction(draftId: string): Promise<Output<'discard_action'>> {
  return call('discard_action', { draft_id: draftId });
}

export function undoAction(draftId: string): Promise<Output<'undo_action'>> {
  return call('undo_action', { draft_id: draftId });
}

/** Drafts the same action again. The new draft needs approval. */
export function repeatAction({
  draft_id,
  source,
  account,
  action,
  payload,
}: Draft): Promise<Output<'act_on_integration'>> {
  const request = { source, account, action_name: action, input: payload };
  return call('act_on_integration', { ...request, follows_id: draft_id });
}

/** Whether the draft can be repeated. Not if it had files, because they are deleted. */
export function canBeDraftedAgain({ can_redraft, payload }: Action): boolean {
  return can_redraft && !('attachments' in payload);
}

/** The outcomes of a batch decision, one by one. */
export type Results = Output<'confirm_actions' | 'discard_actions'>;

export function confirmActions(drafts: readonly SeenDraft[]): Promise<Results> {
  const content_hashes = drafts.map(({ content_hash }) => content_hash);
  return call('confirm_actions', { draft_ids: drafts.map(({ draft_id }) => draft_id), content_hashes });
}

export function discardActions(drafts: readonly SeenDraft[]): Promise<Output<'discard_actions'>> {
  return call('discard_actions', { draft_ids: drafts.map(({ draft_id }) => draft_id) });
}
