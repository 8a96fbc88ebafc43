import { Check, PencilLine, X } from 'lucide-react';
import { useState } from 'react';
import { formatErrorMessage } from '../../api/api-error.ts';
import { Button } from '../../design/button.tsx';
import { joinClassNames } from '../../design/class-names.ts';
import { ConfirmDialog } from '../../design/confirm-dialog.tsx';
import { Kbd } from '../../design/kbd.tsx';
import { Notice } from '../../design/states.tsx';
import { useKeys } from '../../design/use-keys.ts';
import { useSecondsLeft } from './countdown.tsx';
import { approveWord } from './draft-words.ts';
import { KeyNotice, useIsSignedInByKey } from './key-notice.tsx';
import type { Draft } from './requests.ts';
import { useDecision, type MoveOn } from './use-decision.ts';
import { useEdit } from './use-edit.ts';

type Props = {
  draft: Draft;
  /** Whether the page shows everything that would be sent. */
  isShownWhole: boolean;
  moveOn: MoveOn;
  onEdit: () => void;
};

/** The buttons to approve and decline. After a click, both are disabled. */
export function DecisionBar({ draft, isShownWhole, moveOn, onEdit }: Props) {
  const { approve, decline, isDeciding, refusal } = useDecision(draft, moveOn);
  const restoring = useEdit(draft);
  const isExpired = useSecondsLeft(draft.expires_at) <= 0;
  const isSignedInByKey = useIsSignedInByKey();
  const isOfKey = draft.policy?.effect === 'require_human' && isSignedInByKey;
  const mayApprove = isShownWhole && !isExpired && !isDeciding && !isOfKey;
  const mayEdit = draft.editable.length > 0 && !isExpired && !isDeciding;
  const [isAsking, setIsAsking] = useState(false);
  const isDangerous = draft.danger.length > 0;
  const word = draft.edited && !isDangerous ? 'Approve with edits' : approveWord(draft);
  const press = isDangerous ? () => setIsAsking(true) : approve.run;
  useKeys({
    a: mayApprove ? press : undefined,
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
      {(refusal ?? restoring.error) && (
        <div className="w-full">
          <Notice tone="stop">{formatErrorMessage(refusal ?? restoring.error)}</Notice>
        </div>
      )}
      <Button
        look={isDangerous ? 'danger' : 'go'}
        className="max-sm:h-11 max-sm:flex-1"
        disabled={!mayApprove}
        isBusy={approve.isRunning}
        icon={<Check className="size-4" />}
        onClick={press}
      >
        {approve.isRunning ? 'Sending…' : word} <Kbd>A</Kbd>
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
      <EditButtons draft={draft} restoring={restoring} isOff={!mayEdit} onEdit={onEdit} />
      <AskOnceMore
        isOpen={isAsking && mayApprove}
        draft={draft}
        word={word}
        onClose={() => setIsAsking(false)}
        onApprove={approve.run}
      />
    </footer>
  );
}

type AskProps = { isOpen: boolean; draft: Draft; word: string; onClose: () => void; onApprove: () => void };

/** Neither a single key nor a single click decides a dangerous draft. */
function AskOnceMore({ isOpen, draft, word, onClose, onApprove }: AskProps) {
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title={`${word}?`}
      description={draft.danger.map(({ says }) => says).join(' ')}
      act={word}
      look="danger"
      onConfirm={() => {
        onClose();
        onApprove();
      }}
    />
  );
}

type EditProps = { draft: Draft; restoring: ReturnType<typeof useEdit>; isOff: boolean; onEdit: () => void };

function EditButtons({ draft, restoring, isOff, onEdit }: EditProps) {
  if (!draft.editable.length) return null;
  return (
    <span className={joinClassNames('flex gap-2', draft.edited && 'max-sm:w-full max-sm:justify-between')}>
      {draft.edited && (
        <Button
          look="quiet"
          disabled={isOff}
          isBusy={restoring.isBusy}
          onClick={() => restoring.call({ restore: true })}
        >
          Revert edits
        </Button>
      )}
      <Button look="quiet" disabled={isOff} icon={<PencilLine className="size-4" />} onClick={onEdit}>
        Edit <Kbd>E</Kbd>
      </Button>
    </span>
  );
}
