import { useQuery } from '@tanstack/react-query';
import { BrainCircuit } from 'lucide-react';
import { ErrorState, Skeleton } from '../../design/states.tsx';
import { Ago } from '../../design/time.tsx';
import { newestMemoriesQuery } from '../memory/requests.ts';
import { TypeLabel } from '../memory/type-label.tsx';
import { HomeCard, HomeEmpty } from './home-card.tsx';

/** The newest memories. */
export function NewestMemories() {
  const { data, error, isPending, refetch } = useQuery(newestMemoriesQuery);
  return (
    <HomeCard title="Recent memories" to="/memory">
      {isPending && <Skeleton rows={2} label="Loading memories" />}
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data?.memories.length === 0 && (
        <HomeEmpty icon={<BrainCircuit />}>Memories that your agents store appear here.</HomeEmpty>
      )}
      <ul className="divide-y divide-line">
        {data?.memories.map((memory) => (
          <li key={memory.id} className="px-5 py-3">
            <p className="line-clamp-2 text-sm leading-relaxed wrap-anywhere">{memory.content}</p>
            <p className="mt-1 flex gap-3 text-[13px] text-faint">
              <TypeLabel type={memory.type} />
              <span className="truncate">{memory.stored_by}</span>
              <Ago at={memory.created_at} />
            </p>
          </li>
        ))}
      </ul>
    </HomeCard>
  );
}
