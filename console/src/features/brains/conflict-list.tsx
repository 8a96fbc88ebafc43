import { Card } from '../../design/page.tsx';
import type { Memory } from '../memory/requests.ts';
import type { Conflict } from './analytics-requests.ts';

type Props = { conflicts: readonly Conflict[]; onOpen: (id: string) => void };

/** Pairs of memories that contradict each other, and why. */
export function ConflictList({ conflicts, onOpen }: Props) {
  return (
    <Card>
      <ul className="divide-y divide-line overflow-hidden rounded-2xl">
        {conflicts.map(({ memory, conflicts_with: other, reason }) => (
          <li key={`${memory.id} ${other.id}`} className="px-4 py-3.5 sm:px-5">
            <div className="grid gap-x-6 gap-y-2 sm:grid-cols-2">
              <Side memory={memory} onOpen={onOpen} />
              <Side memory={other} onOpen={onOpen} />
            </div>
            {reason && <p className="mt-2 text-[13px] text-stop wrap-anywhere">{reason}</p>}
          </li>
        ))}
      </ul>
    </Card>
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
