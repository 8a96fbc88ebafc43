import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { Input, Output } from '#sdk';
import { call, readText } from '../../api/call.ts';
import { decidedHere } from './decided-here.ts';
import type { Block } from './day.ts';

export type DraftStatus = Draft['status'];

export type Preview = Draft['preview'];

/** What will be sent; which fields there are depends on the action. */
export type Payload = Record<string, unknown>;

export type Undo = NonNullable<Draft['undo']>;

/** A draft as it is listed in full. */
export type Draft = Omit<Action, 'ledger' | 'ledger_is_whole' | 'can_redraft'>;

export type LedgerEntry = Action['ledger'][number];

/** A draft with everything that happened to it. */
export type Action = Output<'get_action'>;

/** What an approval led to. */
export type Outcome = Output<'confirm_action'>;

// Events tell of changes at once; the interval is for when the stream is down.
const refetchInterval = 30_000;

/** A page of what waits; `total` is told with the first page alone. */
export type Pending = Omit<Output<'list_pending_actions'>, 'drafts'> & { drafts: Draft[] };

type PendingInput = Input<'list_pending_actions'>;

/** Rows that were asked for in full lack nothing. */
function inFull(rows: Output<'list_actions'>['actions']): Draft[] {
  return rows as Draft[];
}

/** Reads a page of what waits, newest first, without what was decided here a moment ago. */
export async function readPending(input: PendingInput, signal?: AbortSignal): Promise<Pending> {
  const page = await call('list_pending_actions', { ...input, detail: 'full' }, signal ? { signal } : {});
  const drafts = inFull(page.drafts).filter(({ draft_id }) => !decidedHere(draft_id));
  return { ...page, drafts, total: page.total && page.total - (page.drafts.length - drafts.length) };
}

/** The newest of what waits for a person's yes, and how much waits in all. */
export const pendingQuery = queryOptions({
  queryKey: ['actions', 'pending'],
  queryFn: ({ signal }) => readPending({ limit: 20 }, signal),
  refetchInterval,
});

/** All that waits, a page at a time. Events change it in place (`waiting.ts`); it is not read again for each. */
export const waitingQuery = infiniteQueryOptions({
  queryKey: ['waiting'],
  queryFn: ({ pageParam, signal }) => readPending({ limit: 100, ...(pageParam && { cursor: pageParam }) }, signal),
  initialPageParam: '',
  getNextPageParam: (last) => last.next_cursor ?? undefined,
  staleTime: Infinity,
  structuralSharing: false, // it would compare by place, and copy all that moved up
});

/** The drafts of one batch, as many as there are: read for each look, and then no event changes what is looked at. */
export function batchQuery(batchId: string) {
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
    const page: Pending = await readPending({ batch_id: batchId, limit: 100, ...(cursor && { cursor }) }, signal);
    drafts.push(...page.drafts);
    cursor = page.next_cursor;
  }
  return drafts.toReversed();
}

/** What may have been sent, and nobody knows. */
export const ambiguousQuery = queryOptions({
  queryKey: ['actions', 'ambiguous'],
  queryFn: ({ signal }) => call('list_actions', { status: 'ambiguous', limit: 50, detail: 'full' }, { signal }),
  select: (answer) => inFull(answer.actions),
  refetchInterval,
});

type EventPage = { id: string; title: string; frontmatter: Record<string, unknown> };

/** The events that are known of a day, but those of whole days. */
export function dayQuery(day: Date) {
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
    select: ({ pages }) => pages.filter(({ frontmatter }) => frontmatter['all_day'] !== true).flatMap(blockOf),
  });
}

function blockOf({ id, title, frontmatter }: EventPage): Block[] {
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

/** What was decided, or was not in time, the last first, a page at a time. */
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
  select: ({ pages }) => pages.flatMap(({ actions }) => inFull(actions)),
});

/** One action with its ledger, whatever became of it. */
export function actionQuery(draftId: string) {
  return queryOptions({
    queryKey: ['actions', 'one', draftId],
    queryFn: ({ signal }) => call('get_action', { draft_id: draftId }, { signal }),
    refetchInterval: ({ state }) => (state.data && isUnderWay(state.data.status) ? 3_000 : false),
  });
}

const mostShown = 100_000;

/** The beginning of a file that is sent with a draft, as text; its bytes do not change. */
export function fileTextQuery(href: string) {
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

/** Which draft, and as which content it was shown: another one is refused. */
export type Seen = Pick<Draft, 'draft_id' | 'content_hash'>;

export function confirmAction({ draft_id, content_hash }: Seen): Promise<Outcome> {
  return call('confirm_action', { draft_id, content_hash });
}

/** New values for some fields, or back to what was drafted. */
export type Edit = { edits: Payload } | { restore: true };

/** Keeps edits with the draft; the error names each field that could not be sent so. */
export function editAction({ draft_id, content_hash, ...edit }: Seen & Edit): Promise<Draft> {
  return call('edit_action', { draft_id, content_hash, ...edit });
}

export type PersonsAnswer = 'it_happened' | 'it_did_not' | 'send_again';

/** What a person saw who looked; of `send_again` the new draft. */
export function answerAction(input: {
  draft_id: string;
  answer: PersonsAnswer;
}): Promise<{ again: { draft_id: string } | null }> {
  return call('answer_action', input);
}

export function discardAction(draftId: string): Promise<{ status: DraftStatus }> {
  return call('discard_action', { draft_id: draftId });
}

export function undoAction(draftId: string): Promise<{ status: DraftStatus }> {
  return call('undo_action', { draft_id: draftId });
}

/** The same wish as a new draft, which is asked about anew. */
export function draftAgain({
  draft_id,
  source,
  account,
  action,
  payload,
}: Draft): Promise<Output<'act_on_integration'>> {
  const wish = { source, account, action_name: action, input: payload };
  return call('act_on_integration', { ...wish, follows_id: draft_id });
}

/** Whether it can be drafted again from what is known of it: files are not kept for so long. */
export function canBeDraftedAgain({ can_redraft, payload }: Action): boolean {
  return can_redraft && !('attachments' in payload);
}

/** What a decision about several led to, one by one. */
export type Results = Output<'confirm_actions' | 'discard_actions'>;

export function confirmActions(drafts: readonly Seen[]): Promise<Results> {
  const content_hashes = drafts.map(({ content_hash }) => content_hash);
  return call('confirm_actions', { draft_ids: drafts.map(({ draft_id }) => draft_id), content_hashes });
}

export function discardActions(drafts: readonly Seen[]): Promise<Results> {
  return call('discard_actions', { draft_ids: drafts.map(({ draft_id }) => draft_id) });
}
