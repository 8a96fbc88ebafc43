import { Check, PencilLine, X } from 'lucide-react';
import { messageOf } from '../../api/api-error.ts';
import { Button } from '../../design/button.tsx';
import { Kbd } from '../../design/kbd.tsx';
import { Notice } from '../../design/states.tsx';
import { useKeys } from '../../design/use-keys.ts';
import { useSecondsLeft } from './countdown.tsx';
import { approveWord } from './draft-words.ts';
import { KeyNotice, useIsSignedInByKey } from './key-notice.tsx';
import type { Draft, Payload } from './requests.ts';
import { useDecision, type MoveOn } from './use-decision.ts';

type Props = { draft: Draft; edits: Payload; moveOn: MoveOn; onEdit: () => void; onReset: () => void };

/** Yes or no. Once pressed, neither can be pressed again. */
export function DecisionBar({ draft, edits, moveOn, onEdit, onReset }: Props) {
  const { approve, decline, isDeciding, refusal } = useDecision(draft, edits, moveOn);
  const isExpired = useSecondsLeft(draft.expires_at) <= 0;
  const isSignedInByKey = useIsSignedInByKey();
  const isOfKey = draft.policy?.effect === 'require_human' && isSignedInByKey;
  const mayApprove = draft.preview.is_complete && !isExpired && !isDeciding && !isOfKey;
  const mayEdit = draft.editable.length > 0 && !isExpired && !isDeciding;
  const isEdited = Object.keys(edits).length > 0;
  useKeys({
    a: mayApprove ? approve.run : undefined,
    d: isDeciding ? undefined : decline.run,
    e: mayEdit ? onEdit : undefined,
  });
  return (
    <footer className="sticky bottom-14 z-20 -mx-4 flex flex-wrap items-center gap-2 border-t border-line bg-canvas px-4 py-3 sm:-mx-8 sm:px-8 md:bottom-0 md:py-4">
      {isOfKey && (
        <div className="w-full">
          <KeyNotice />
        </div>
      )}
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
