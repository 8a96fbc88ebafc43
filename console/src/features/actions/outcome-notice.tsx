import { CircleCheck, CircleHelp, CircleX, MinusCircle, RotateCw, Undo2 } from 'lucide-react';
import { Button } from '../../design/button.tsx';
import { Notice } from '../../design/states.tsx';
import { formatExactMoment } from '../../design/time.tsx';
import { describeOutcome, describeDraftStatus } from './draft-words.ts';
import { canBeDraftedAgain, type Action, type Undo } from './requests.ts';
import { useRedraft } from './use-redraft.ts';
import { useUndo } from './use-undo.ts';

const icons = { go: <CircleCheck />, stop: <CircleX />, wait: <CircleHelp />, plain: <MinusCircle /> };

/** The outcome of a draft, who decided it, and the provider's answer. */
export function OutcomeNotice({ action }: { action: Action }) {
  const { tone } = describeDraftStatus(action);
  const answer = Object.entries(action.result ?? {}).filter(([, value]) => typeof value !== 'object');
  return (
    <Notice tone={tone} icon={icons[tone]}>
      <p className="font-medium">{describeOutcome(action)}</p>
      {action.decided_at && (
        <p className="mt-0.5 text-[13px]">
          {action.decided_by ? `By ${action.decided_by}, ` : ''}
          {formatExactMoment(action.decided_at)}
        </p>
      )}
      {answer.map(([name, value]) => (
        <p key={name} className="mt-0.5 text-[13px]">
          {name.replaceAll('_', ' ')} <code className="font-mono">{String(value)}</code>
        </p>
      ))}
      {action.undo && <UndoButton draftId={action.draft_id} undo={action.undo} />}
      {canBeDraftedAgain(action) && <RedraftButton action={action} />}
    </Notice>
  );
}

function UndoButton({ draftId, undo }: { draftId: string; undo: Undo }) {
  const undoing = useUndo();
  return (
    <div className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1">
      <Button
        size="small"
        icon={<Undo2 className="size-4" />}
        isBusy={undoing.isBusy}
        disabled={undoing.isSuccess}
        onClick={() => undoing.call(draftId)}
      >
        Undo
      </Button>
      <span className="text-[13px]">
        {undo.says}. Undo available until {formatExactMoment(undo.until)}.
      </span>
    </div>
  );
}

function RedraftButton({ action }: { action: Action }) {
  const redrafting = useRedraft();
  return (
    <Button
      className="mt-2"
      size="small"
      icon={<RotateCw className="size-4" />}
      isBusy={redrafting.isBusy}
      disabled={redrafting.isSuccess}
      onClick={() => redrafting.call(action)}
    >
      Draft again
    </Button>
  );
}
