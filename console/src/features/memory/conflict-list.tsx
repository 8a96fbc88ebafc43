import { Button } from '../../design/button.tsx';
import { Card } from '../../design/page.tsx';
import type { Memory } from './requests.ts';
import type { Conflict, DismissedKind } from './curation-requests.ts';
import { useDismissingContradiction, useReopeningContradiction } from './use-dismissing-contradiction.ts';
import { useMayWrite } from '../../entities/brains.ts';

type Props = { conflicts: readonly Conflict[]; onOpen: (id: string) => void };

/** Pairs of memories that contradict each other, and why. A person can hide a pair, or all of its kind, and show it again. */
export function ConflictList({ conflicts, onOpen }: Props) {
  return (
    <Card>
      <ul className="divide-y divide-line overflow-hidden rounded-2xl">
        {conflicts.map((conflict) => (
          <ConflictRow key={getConflictKey(conflict)} conflict={conflict} onOpen={onOpen} />
        ))}
      </ul>
    </Card>
  );
}

export const kindNames: Record<NonNullable<Conflict['kind']>, string> = {
  replacement: 'replacements',
  number: 'other numbers',
  opposite: 'opposites',
  negation: 'denials',
  value: 'other names',
};

/** The same for a pair as long as it is there. */
export function getConflictKey({ memory, conflicts_with: other }: Conflict): string {
  return `${memory.id} ${other.id}`;
}

type RowProps = {
  conflict: Conflict;
  onOpen: (id: string) => void;
  /** Given where the conflicts are hidden ones: the kinds that are hidden with all of theirs. */
  hiddenKinds?: readonly DismissedKind[] | undefined;
};

/** One pair as a line of a list. */
export function ConflictRow({ conflict, onOpen, hiddenKinds }: RowProps) {
  const { memory, conflicts_with: other, reason } = conflict;
  const mayWrite = [useMayWrite(memory.brain_id), useMayWrite(other.brain_id)].every(Boolean);
  return (
    <li className="px-4 py-3.5 sm:px-5">
      <div className="grid gap-x-6 gap-y-2 sm:grid-cols-2">
        <Side memory={memory} onOpen={onOpen} />
        <Side memory={other} onOpen={onOpen} />
      </div>
      {reason && <p className="mt-2 text-[13px] text-stop wrap-anywhere">{reason}</p>}
      {mayWrite && (hiddenKinds ? <ShowAgain {...{ conflict, hiddenKinds }} /> : <Hide conflict={conflict} />)}
    </li>
  );
}

function Hide({ conflict: { memory, conflicts_with: other, kind } }: { conflict: Conflict }) {
  const dismissing = useDismissingContradiction();
  const dismiss = (with_kind: boolean) =>
    dismissing.call({ memory_id: memory.id, conflicts_with: other.id, with_kind });
  return (
    <div className="mt-2 flex flex-wrap gap-2">
      <Button size="small" disabled={dismissing.isBusy} onClick={() => dismiss(false)}>
        Both are true
      </Button>
      {kind && (
        <Button
          look="quiet"
          size="small"
          title="In this brain, now and in the future"
          disabled={dismissing.isBusy}
          onClick={() => dismiss(true)}
        >
          Hide all {kindNames[kind]}
        </Button>
      )}
    </div>
  );
}

type ShowAgainProps = { conflict: Conflict; hiddenKinds: readonly DismissedKind[] };

function ShowAgain({ conflict: { memory, conflicts_with: other, kind }, hiddenKinds }: ShowAgainProps) {
  const reopening = useReopeningContradiction();
  const isWithKind = hiddenKinds.some((each) => each.kind === kind && each.brain_id === memory.brain_id);
  if (kind && isWithKind)
    return <p className="mt-2 text-[13px] text-faint">Hidden with its kind: {kindNames[kind]}. Show the kind first.</p>;
  return (
    <Button
      className="mt-2"
      size="small"
      isBusy={reopening.isBusy}
      onClick={() => reopening.call({ memory_id: memory.id, conflicts_with: other.id })}
    >
      Show again
    </Button>
  );
}

function Side({ memory, onOpen }: { memory: Memory; onOpen: (id: string) => void }) {
  return (
    <div className="min-w-0">
      <button onClick={() => onOpen(memory.id)} className="w-full rounded text-left text-sm hover:underline">
        <span className="line-clamp-4 leading-relaxed wrap-anywhere">{memory.content}</span>
      </button>
      <p className="mt-0.5 text-[13px] text-faint wrap-anywhere">
        {memory.author ?? memory.stored_by} · {memory.brain_name}
      </p>
    </div>
  );
}
