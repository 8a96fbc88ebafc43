import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { isOffline } from '../../api/api-error.ts';
import { notifySuccess, notifyFailure, notifyUndoable } from '../../design/toasts.tsx';
import { useCall } from '../../design/use-call.ts';
import { isDecidedHere, forgetDecided, noteDecided } from './decided-here.ts';
import { formatDoneMessage, getDraftHeadline } from './draft-words.ts';
import { buildActionQuery, confirmAction, discardAction, type Draft, type DraftStatus } from './requests.ts';
import { useUndo } from './use-undo.ts';
import { hasJustMovedOn } from './use-triage.ts';
import { addWaiting, dropWaiting, replaceWaiting } from './waiting.ts';

/** Moves to the next draft. False: stays on this one. */
export type MoveOn = (draftId: string) => boolean;

const failureTitles: Partial<Record<DraftStatus, string>> = {
  ambiguous: 'Approved. It may have been sent',
  confirming: 'Approved. Still sending',
};

/**
 * Approves or declines a draft as shown. It leaves the list at once, the next draft is shown, and the outcome is
 * reported later.
 */
export function useDecision(draft: Draft, moveOn: MoveOn) {
  const client = useQueryClient();
  const undoing = useUndo();
  const { draft_id } = draft;
  const headline = getDraftHeadline(draft);
  const done = formatDoneMessage(draft);
  const leave = () => {
    noteDecided([draft_id]);
    const hasLeft = moveOn(draft_id);
    // Sorting thousands of lines must not delay the next draft.
    runAfterPaint(() => isDecidedHere(draft_id) && dropWaiting(client, [draft_id]));
    return { hasLeft };
  };
  const restore = (title: string) => async (error: Error, _input: unknown, left?: { hasLeft: boolean }) => {
    forgetDecided([draft_id]);
    if (left?.hasLeft) notifyFailure(`${title}: ${headline}`, explainDecisionError(error));
    if (isOffline(error)) addWaiting(client, [draft]);
    else await putBack(client, draft);
  };
  const approving = useCall(confirmAction, {
    refreshes: ['actions'],
    onStart: leave,
    onSuccess: ({ status, error, undo }) => {
      if (status === 'confirmed' && undo)
        notifyUndoable(done, `You can undo this: ${undo.says}.`, () => undoing.call(draft_id));
      else if (status === 'confirmed') notifySuccess(done);
      else
        notifyFailure(
          `${failureTitles[status] ?? 'Approved, but not sent'}: ${headline}`,
          new Error(error ?? 'See Activity for details.'),
        );
    },
    onError: restore('Not approved'),
  });
  const declining = useCall(discardAction, {
    refreshes: ['actions'],
    onStart: leave,
    success: ['Declined', headline],
    onError: restore('Not declined'),
  });
  // After a successful decision, the buttons stay disabled until the new state arrives.
  const isDeciding =
    isDecidedHere(draft_id) || [approving, declining].some(({ isBusy, isSuccess }) => isBusy || isSuccess);
  const unlessMeantForAnother = (act: () => void) => () => void (hasJustMovedOn() || act());
  return {
    isDeciding,
    refusal: explainDecisionError(approving.error ?? declining.error),
    approve: {
      isRunning: approving.isBusy,
      run: unlessMeantForAnother(() => approving.call(draft)),
    },
    decline: { isRunning: declining.isBusy, run: unlessMeantForAnother(() => declining.call(draft_id)) },
  };
}

/** Resolves after the next paint, also in a hidden page, which is not painted. */
function runAfterPaint(act: () => void): void {
  if (document.hidden) act();
  else requestAnimationFrame(() => setTimeout(act));
}

/** The error message of a decision. Offline, it also says that the draft is unchanged. */
function explainDecisionError(error: Error | null): Error | null {
  if (!isOffline(error)) return error;
  return new Error('You are offline, so nothing was sent. The draft is still here. Try again when you are online.');
}

/** After a rejected decision, only drafts that are still pending return to the list. */
async function putBack(client: QueryClient, draft: Draft): Promise<void> {
  const query = { ...buildActionQuery(draft.draft_id), staleTime: 0, retry: false };
  const now = await client.fetchQuery(query).catch(() => draft);
  if (now.status !== 'pending') return;
  addWaiting(client, [now]);
  replaceWaiting(client, [now]);
}
