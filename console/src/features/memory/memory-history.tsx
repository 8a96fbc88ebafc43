import { Button } from '../../design/button.tsx';
import { DrawerSection } from '../../design/drawer-section.tsx';
import { formatExactMoment } from '../../design/time.tsx';
import { useMayWrite } from '../../entities/brains.ts';
import type { Change, WholeMemory } from './curation-requests.ts';
import { useCuration } from './use-curation.ts';

/** Former texts and other changes of a memory, newest first. */
export function MemoryHistory({ whole: { memory, versions, changes } }: { whole: WholeMemory }) {
  return (
    <DrawerSection title="History">
      <ol className="space-y-3 border-l border-line pl-4 text-sm">
        {changes.map((change) => (
          <li key={change.id}>
            <ChangeLine change={change} brainId={memory.brain_id} />
          </li>
        ))}
        {versions.map(({ version, content, replaced_at, replaced_by, reason }) => (
          <li key={version}>
            <p className="text-[13px] text-faint">
              Corrected by {replaced_by} · {formatExactMoment(replaced_at)}
              {reason && ` · ${reason}`}
            </p>
            <p className="mt-0.5 whitespace-pre-wrap text-soft wrap-anywhere">
              <span className="sr-only">Before: </span>
              <del className="decoration-edge">{content}</del>
            </p>
          </li>
        ))}
        <li className="text-[13px] text-faint">
          Stored by {memory.stored_by} · {formatExactMoment(memory.created_at)}
        </li>
      </ol>
    </DrawerSection>
  );
}

function ChangeLine({ change, brainId }: { change: Change; brainId: string }) {
  const { unmerging } = useCuration();
  const mayWrite = useMayWrite(brainId);
  const { id, kind, reason, made_by, made_at, undone_at } = change;
  return (
    <div className="flex flex-wrap items-center gap-x-2">
      <p className="text-[13px] text-faint">
        {kind === 'merge' ? 'Merged' : 'Archived'} by {made_by} · {formatExactMoment(made_at)}
        {reason && ` · ${reason}`}
        {undone_at && ` · undone ${formatExactMoment(undone_at)}`}
      </p>
      {kind === 'merge' && !undone_at && mayWrite && (
        <Button look="quiet" size="small" isBusy={unmerging.isBusy} onClick={() => unmerging.call(id)}>
          Undo merge
        </Button>
      )}
    </div>
  );
}
