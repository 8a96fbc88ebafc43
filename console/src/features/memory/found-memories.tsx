import { useInfiniteQuery } from '@tanstack/react-query';
import { CircleHelp, SearchX } from 'lucide-react';
import { Button } from '../../design/button.tsx';
import { Card } from '../../design/page.tsx';
import { EmptyState, ErrorState, Notice, Skeleton } from '../../design/states.tsx';
import { MemoryRow } from './memory-row.tsx';
import { FoundDocument } from './found-document.tsx';
import {
  isMemory,
  buildMemorySearchPagesQuery,
  type Hit,
  type MemoryFilter,
  type SearchAnswer,
  type TriggeredMemory,
} from './requests.ts';
import { listMatchReasons } from './match-reasons.ts';

/** Below this the server itself says that there is likely no answer among the hits. */
const leastConfidence = 0.3;
const strongConfidence = 0.8;

type Props = {
  q: string;
  filter: MemoryFilter;
  onOpen: (hit: Hit, why: readonly string[]) => void;
  onOpenOther: (id: string) => void;
};

/** Search results, with reasons and confidence. Former results stay until new ones arrive. */
export function FoundMemories({ q, filter, onOpen, onOpenOther }: Props) {
  const found = useInfiniteQuery(buildMemorySearchPagesQuery(q, filter));
  if (found.error) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />;
  if (found.isPending) return <Skeleton label="Searching" />;
  const hits = found.data.pages.flatMap(({ memories }) => memories);
  const memories = hits.filter(isMemory);
  const [first] = found.data.pages;
  return (
    <div className={found.isPlaceholderData ? 'opacity-60 transition-opacity delay-150' : ''}>
      {first && <Verdict answer={first} shown={hits.length} />}
      <Card>
        {hits.length ? (
          <ul className="divide-y divide-line overflow-hidden rounded-2xl">
            {hits.map((hit) => {
              if (!isMemory(hit)) return <FoundDocument key={hit.id} found={hit} />;
              const why = listMatchReasons(hit, memories);
              return (
                <MemoryRow key={hit.id} memory={hit} terms={hit.why.terms} why={why} onOpen={() => onOpen(hit, why)} />
              );
            })}
          </ul>
        ) : (
          <EmptyState icon={<SearchX />} title="No memories found">
            Try fewer or other words. Use quotes for exact phrases and a minus to exclude a word.
          </EmptyState>
        )}
      </Card>
      {found.hasNextPage && (
        <div className="mt-4 text-center">
          <Button isBusy={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()}>
            Show more
          </Button>
        </div>
      )}
      {first && <CameUp memories={first.triggered_memories} onOpen={onOpenOther} />}
    </div>
  );
}

/** The number of results, and the confidence that the best ones contain an answer. */
function Verdict({ answer, shown }: { answer: SearchAnswer; shown: number }) {
  const { confidence, pagination, notice } = answer;
  const total = pagination.total_available;
  const isDoubtful = total > 0 && confidence < leastConfidence;
  return (
    <>
      <p role="status" className="mb-2 px-1 text-[13px] text-faint">
        {total === 0
          ? 'No memories found'
          : `${total} found${shown < total ? `, showing the best ${shown}` : ''}${confidence >= strongConfidence ? ' · strong match' : ''}`}
      </p>
      {isDoubtful && (
        <div className="mb-3">
          <Notice tone="wait" icon={<CircleHelp />}>
            Probably not relevant. These are the closest matches.
          </Notice>
        </div>
      )}
      {notice && (
        <div className="mb-3">
          <Notice tone="plain">{notice}</Notice>
        </div>
      )}
    </>
  );
}

/** Memories whose trigger matches the search, though no word does. */
function CameUp({ memories, onOpen }: { memories: readonly TriggeredMemory[]; onOpen: (id: string) => void }) {
  if (!memories.length) return null;
  return (
    <section className="mt-8" aria-labelledby="came-up">
      <h2 id="came-up" className="mb-2 px-1 text-[15px] font-semibold">
        Triggered memories
      </h2>
      <Card>
        <ul className="divide-y divide-line overflow-hidden rounded-2xl">
          {memories.map((memory) => (
            <MemoryRow
              key={memory.id}
              memory={memory}
              why={[`its trigger “${memory.fired.condition}”: ${memory.fired.reason}`]}
              onOpen={() => onOpen(memory.id)}
            />
          ))}
        </ul>
      </Card>
    </section>
  );
}
