import { Button } from '../../design/button.tsx';
import { Card } from '../../design/page.tsx';
import type { Memory } from '../memory/requests.ts';
import { useDismissingContradiction } from '../memory/use-dismissing-contradiction.ts';
import type { Conflict } from './analytics-requests.ts';
import { useMayWrite } from './use-may-write.ts';

type Props = { conflicts: readonly Conflict[]; onOpen: (id: string) => void };

/** Pairs of memories that contradict each other, and why. A person can hide a pair, or all of its kind. */
export function ConflictList({ conflicts, onOpen }: Props) {
  return (
    <Card>
      <ul className="divide-y divide-line overflow-hidden rounded-2xl">
        {conflicts.map((conflict) => (
          <li key={`${conflict.memory.id} ${conflict.conflicts_with.id}`} className="px-4 py-3.5 sm:px-5">
            <Pair conflict={conflict} onOpen={onOpen} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

const kindLabels: Record<NonNullable<Conflict['kind']>, string> = {
  replacement: 'Hide all replacements',
  number: 'Hide all other numbers',
  opposite: 'Hide all opposites',
  negation: 'Hide all denials',
  value: 'Hide all other names',
};

function Pair({ conflict, onOpen }: { conflict: Conflict; onOpen: (id: string) => void }) {
  const { memory, conflicts_with: other, kind, reason } = conflict;
  const dismissing = useDismissingContradiction();
  const mayWrite = [useMayWrite(memory.brain_id), useMayWrite(other.brain_id)].every(Boolean);
  const dismiss = (with_kind: boolean) =>
    dismissing.mutate({ memory_id: memory.id, conflicts_with: other.id, with_kind });
  return (
    <>
      <div className="grid gap-x-6 gap-y-2 sm:grid-cols-2">
        <Side memory={memory} onOpen={onOpen} />
        <Side memory={other} onOpen={onOpen} />
      </div>
      {reason && <p className="mt-2 text-[13px] text-stop wrap-anywhere">{reason}</p>}
      {mayWrite && (
        <div className="mt-2 flex flex-wrap gap-2">
          <Button size="small" disabled={dismissing.isPending} onClick={() => dismiss(false)}>
            Both are true
          </Button>
          {kind && (
            <Button
              look="quiet"
              size="small"
              title="In this brain, now and in the future"
              disabled={dismissing.isPending}
              onClick={() => dismiss(true)}
            >
              {kindLabels[kind]}
            </Button>
          )}
        </div>
      )}
    </>
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
