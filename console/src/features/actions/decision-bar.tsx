import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Check, PencilLine, X } from 'lucide-react';
import { messageOf } from '../../api/api-error.ts';
import { Button } from '../../design/button.tsx';
import { Kbd } from '../../design/kbd.tsx';
import { Notice } from '../../design/states.tsx';
import { tell, tellFailure } from '../../design/toasts.tsx';
import { useKeys } from '../../design/use-keys.ts';
import { useSecondsLeft } from './countdown.tsx';
import { approveWord } from './draft-words.ts';
import { confirmAction, discardAction, type Draft, type DraftStatus, type Payload } from './requests.ts';

type Props = { draft: Draft; edits: Payload; onEdit: () => void; onReset: () => void };

/** Yes or no. Once pressed, neither can be pressed again. */
export function DecisionBar({ draft, edits, onEdit, onReset }: Props) {
  const { approve, decline, isDeciding, refusal } = useDecision(draft, edits);
  const isExpired = useSecondsLeft(draft.expires_at) <= 0;
  const mayApprove = draft.preview.is_complete && !isExpired && !isDeciding;
  const mayEdit = draft.editable.length > 0 && !isExpired && !isDeciding;
  const isEdited = Object.keys(edits).length > 0;
  useKeys({
    a: mayApprove ? approve.run : undefined,
    d: isDeciding ? undefined : decline.run,
    e: mayEdit ? onEdit : undefined,
  });
  return (
    <footer className="sticky bottom-14 z-20 -mx-4 flex flex-wrap items-center gap-2 border-t border-line bg-canvas px-4 py-3 sm:-mx-8 sm:px-8 md:bottom-0 md:py-4">
      {refusal && (
        <div className="w-full">
          <Notice tone="stop">{messageOf(refusal)}</Notice>
        </div>
      )}
      <Button
        look="go"
        className="max-sm:h-11 max-sm:flex-1"
        disabled={!mayApprove}
        isBusy={approve.isRunning}
        icon={<Check className="size-4" />}
        onClick={approve.run}
      >
        {approve.isRunning ? 'Sending…' : isEdited ? 'Approve with edits' : approveWord(draft)} <Kbd>A</Kbd>
      </Button>
      <Button
        className="max-sm:h-11 max-sm:flex-1"
        disabled={isDeciding}
        isBusy={decline.isRunning}
        icon={<X className="size-4" />}
        onClick={decline.run}
      >
        Decline <Kbd>D</Kbd>
      </Button>
      <span className="flex-1 max-sm:hidden" />
      {isEdited && (
        <Button look="quiet" disabled={isDeciding} onClick={onReset}>
          Undo edits
        </Button>
      )}
      {draft.editable.length > 0 && (
        <Button look="quiet" disabled={!mayEdit} icon={<PencilLine className="size-4" />} onClick={onEdit}>
          Edit <Kbd>E</Kbd>
        </Button>
      )}
    </footer>
  );
}

const failureTitles: Partial<Record<DraftStatus, string>> = {
  ambiguous: 'Approved; whether it arrived is not known yet',
  confirming: 'Approved; it is still being sent',
};

function useDecision(draft: Draft, edits: Payload) {
  const queryClient = useQueryClient();
  const onSettled = () => queryClient.invalidateQueries({ queryKey: ['actions'] });
  const approving = useMutation({
    mutationFn: confirmAction,
    onSuccess: ({ status, error }) => {
      if (status === 'confirmed') tell('Approved and carried out');
      else
        tellFailure(
          failureTitles[status] ?? 'Approved, but not carried out',
          new Error(error ?? 'The ledger tells more.'),
        );
    },
    onSettled,
  });
  const declining = useMutation({
    mutationFn: discardAction,
    onSuccess: () => tell('Declined', 'Nothing left this server.'),
    onSettled,
  });
  // A decision that went through keeps its buttons shut until the fresh state replaces them.
  const isDeciding = [approving, declining].some(({ status }) => status === 'pending' || status === 'success');
  const hasEdits = Object.keys(edits).length > 0;
  return {
    isDeciding,
    refusal: approving.error ?? declining.error,
    approve: {
      isRunning: approving.isPending,
      run: () => approving.mutate({ draft_id: draft.draft_id, ...(hasEdits && { edits }) }),
    },
    decline: { isRunning: declining.isPending, run: () => declining.mutate(draft.draft_id) },
  };
}
