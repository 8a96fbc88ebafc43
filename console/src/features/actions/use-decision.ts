import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { isOffline } from '../../api/api-error.ts';
import { tell, tellFailure, tellUndoable } from '../../design/toasts.tsx';
import { decidedHere, forgetDecided, noteDecided } from './decided-here.ts';
import { doneWord, headlineOf } from './draft-words.ts';
import { actionQuery, confirmAction, discardAction, type Draft, type DraftStatus } from './requests.ts';
import { useUndo } from './use-undo.ts';
import { hasJustMovedOn } from './use-triage.ts';
import { addWaiting, dropWaiting, replaceWaiting } from './waiting.ts';

/** Leaves the draft for the next one; false when it stays where it is. */
export type MoveOn = (draftId: string) => boolean;

const failureTitles: Partial<Record<DraftStatus, string>> = {
  ambiguous: 'Approved. It may have been sent',
  confirming: 'Approved. Still sending',
};

/** Yes or no to a draft, as it is shown. It leaves the list at once and the next one is shown; what came of it is told when it is known. */
export function useDecision(draft: Draft, moveOn: MoveOn) {
  const client = useQueryClient();
  const undoing = useUndo();
  const { draft_id } = draft;
  const headline = headlineOf(draft);
  const done = `${doneWord(draft.action)} “${headline}”`;
  const leave = () => {
    noteDecided([draft_id]);
    const hasLeft = moveOn(draft_id);
    // Thousands of lines are put in order anew, which the next draft does not wait for.
    afterPaint(() => decidedHere(draft_id) && dropWaiting(client, [draft_id]));
    return { hasLeft };
  };
  const restored = (title: string) => async (error: Error, _input: unknown, left?: { hasLeft: boolean }) => {
    forgetDecided([draft_id]);
    if (left?.hasLeft) tellFailure(`${title}: ${headline}`, inWords(error));
    if (isOffline(error)) addWaiting(client, [draft]);
    else await putBack(client, draft);
  };
  const onSettled = () => client.invalidateQueries({ queryKey: ['actions'] });
  const approving = useMutation({
    mutationFn: confirmAction,
    onMutate: leave,
    onSuccess: ({ status, error, undo }) => {
      if (status === 'confirmed' && undo)
        tellUndoable(done, `You can undo this: ${undo.says}.`, () => undoing.mutate(draft_id));
      else if (status === 'confirmed') tell(done);
      else
        tellFailure(
          `${failureTitles[status] ?? 'Approved, but not sent'}: ${headline}`,
          new Error(error ?? 'See Activity for details.'),
        );
    },
    onError: restored('Not approved'),
    onSettled,
  });
  const declining = useMutation({
    mutationFn: discardAction,
    onMutate: leave,
    onSuccess: () => tell('Declined', headline),
    onError: restored('Not declined'),
    onSettled,
  });
  // A decision that went through keeps its buttons shut until the fresh state replaces them.
  const isDeciding = decidedHere(draft_id) || [approving, declining].some(({ status }) => isOn(status));
  const unlessMeantForAnother = (act: () => void) => () => void (hasJustMovedOn() || act());
  return {
    isDeciding,
    refusal: inWords(approving.error ?? declining.error),
    approve: {
      isRunning: approving.isPending,
      run: unlessMeantForAnother(() => approving.mutate(draft)),
    },
    decline: { isRunning: declining.isPending, run: unlessMeantForAnother(() => declining.mutate(draft_id)) },
  };
}

/** Once the browser has shown what was drawn; also in a page that nobody sees, which is not drawn. */
function afterPaint(act: () => void): void {
  if (document.hidden) act();
  else requestAnimationFrame(() => setTimeout(act));
}

function isOn(status: string): boolean {
  return status === 'pending' || status === 'success';
}

/** Why it was not decided; without a connection a person wants to know what became of the draft. */
function inWords(error: Error | null): Error | null {
  if (!isOffline(error)) return error;
  return new Error('You are offline, so nothing was sent. The draft is still here. Try again when you are online.');
}

/** The server refused. Only what still waits goes back to the list: somebody else may have decided. */
async function putBack(client: QueryClient, draft: Draft): Promise<void> {
  const query = { ...actionQuery(draft.draft_id), staleTime: 0, retry: false };
  const now = await client.fetchQuery(query).catch(() => draft);
  if (now.status !== 'pending') return;
  addWaiting(client, [now]);
  replaceWaiting(client, [now]);
}
