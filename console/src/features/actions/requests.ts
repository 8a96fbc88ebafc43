import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import type { Verdict } from './policy-requests.ts';

export type DraftStatus =
  | 'pending'
  | 'confirming'
  | 'confirmed'
  | 'failed'
  | 'ambiguous'
  | 'discarded'
  | 'expired'
  | 'stale';

export type Preview = { title: string; fields: { label: string; text: string }[]; is_complete: boolean };

/** What will be sent; which fields there are depends on the action. */
export type Payload = Record<string, unknown>;

export type Draft = {
  draft_id: string;
  source: string;
  action: string;
  status: DraftStatus;
  preview: Preview;
  payload: Payload;
  /** The fields a person may change before it is sent. */
  editable: string[];
  batch_id: string | null;
  follows_id: string | null;
  /** Whose mailbox or calendar it goes out from. */
  account: string;
  /** What the policy answered, and by which rule. */
  policy: Verdict | null;
  drafted_by: string;
  created_at: string;
  expires_at: string;
  decided_at: string | null;
  decided_by: string | null;
  result: Record<string, unknown> | null;
  error: string | null;
};

export type LedgerEntry = { at: string; step: string; detail: Record<string, unknown>; hash: string };

/** A draft with everything that happened to it. */
export type Action = Draft & {
  ledger: LedgerEntry[];
  /** False: a row of the ledger was changed or is missing. */
  ledger_is_whole: boolean;
};

/** What an approval led to. */
export type Outcome = { status: DraftStatus; result?: Record<string, unknown>; error?: string };

// Events tell of changes at once; the interval is for when the stream is down.
const refetchInterval = 30_000;

/** Everything that waits for a person's yes. */
export const pendingQuery = queryOptions({
  queryKey: ['actions', 'pending'],
  queryFn: ({ signal }) => call<{ drafts: Draft[] }>('list_pending_actions', { limit: 100 }, { signal }),
  select: (answer) => answer.drafts,
  refetchInterval,
});

/** What may have been sent, and nobody knows. */
export const ambiguousQuery = queryOptions({
  queryKey: ['actions', 'ambiguous'],
  queryFn: ({ signal }) => call<{ actions: Draft[] }>('list_actions', { status: 'ambiguous', limit: 50 }, { signal }),
  select: (answer) => answer.actions,
  refetchInterval,
});

/** What was decided, newest first. */
export const historyQuery = queryOptions({
  queryKey: ['actions', 'history'],
  queryFn: ({ signal }) => call<{ actions: Draft[] }>('list_actions', { limit: 100 }, { signal }),
  select: (answer) => answer.actions.filter(({ status }) => status !== 'pending'),
});

/** One action with its ledger, whatever became of it. */
export function actionQuery(draftId: string) {
  return queryOptions({
    queryKey: ['actions', 'one', draftId],
    queryFn: ({ signal }) => call<Action>('get_action', { draft_id: draftId }, { signal }),
    refetchInterval: ({ state }) => (state.data && isUnderWay(state.data.status) ? 3_000 : false),
  });
}

function isUnderWay(status: DraftStatus): boolean {
  return status === 'confirming' || status === 'ambiguous';
}

export function confirmAction(input: { draft_id: string; edits?: Payload }): Promise<Outcome> {
  return call('confirm_action', input);
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

type Results = { results: { draft_id: string; status: DraftStatus; error?: string }[] };

export function confirmActions(draftIds: string[]): Promise<Results> {
  return call('confirm_actions', { draft_ids: draftIds });
}

export function discardActions(draftIds: string[]): Promise<Results> {
  return call('discard_actions', { draft_ids: draftIds });
}
