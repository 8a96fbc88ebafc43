import { useInfiniteQuery } from '@tanstack/react-query';
import { Copy } from 'lucide-react';
import { Button } from '../../design/button.tsx';
import { ListPage } from '../../design/list-page.tsx';
import { Tag } from '../../design/page.tsx';
import { Ago } from '../../design/time.tsx';
import { useMayWrite } from '../../entities/brains.ts';
import { CleanUpFilters } from './clean-up-filters.tsx';
import { buildDuplicatesQuery, type DuplicatePair } from './curation-requests.ts';
import { formatSimilarity } from './memory-twins.tsx';
import { MemoryDrawer } from './memory-drawer.tsx';
import type { Memory } from './requests.ts';
import { useCuration } from './use-curation.ts';

/** Search parameters of the duplicates page. */
export type DuplicatesAddress = { brain?: string | undefined; memory?: string | undefined };

type Props = { address: DuplicatesAddress; onChange: (address: DuplicatesAddress) => void };

/** Duplicate memories side by side: keep one, or both. */
export function DuplicatesPage({ address, onChange }: Props) {
  const list = useInfiniteQuery(buildDuplicatesQuery(address.brain));
  const open = (memory: string | undefined) => onChange({ ...address, memory });
  return (
    <ListPage
      title="Duplicates"
      lead="Memories with the same content. Keep one: it gets the links, topics and triggers of the other."
      noun="duplicates"
      query={{ ...list, data: list.data?.pages.flatMap(({ duplicates }) => duplicates) }}
      getKey={({ memory, duplicate_of }) => `${memory.id} ${duplicate_of.id}`}
      renderRow={(pair) => (
        <li>
          <Pair pair={pair} onOpen={open} />
        </li>
      )}
      filters={
        <CleanUpFilters
          chosen="duplicates"
          brain={address.brain}
          onBrain={(brain) => onChange({ ...address, brain })}
        />
      }
      empty={{
        icon: <Copy />,
        title: 'No duplicates',
        children: 'New memories that repeat an earlier one appear here.',
      }}
    >
      <MemoryDrawer id={address.memory} onOpen={open} />
    </ListPage>
  );
}

function Pair({ pair, onOpen }: { pair: DuplicatePair; onOpen: (id: string) => void }) {
  const { kind, similarity, memory, duplicate_of: other } = pair;
  const { merging, dismissing } = useCuration();
  const mayWrite = [useMayWrite(memory.brain_id), useMayWrite(other.brain_id)].every(Boolean);
  const isMergeable = mayWrite && memory.brain_id === other.brain_id;
  const side = (keep: Memory, retire: Memory, name: string) => (
    <Side
      memory={keep}
      onOpen={() => onOpen(keep.id)}
      keepLabel={`Keep the ${name}`}
      isBusy={merging.isBusy}
      onKeep={isMergeable ? () => merging.call({ keep_id: keep.id, retire_ids: [retire.id] }) : undefined}
    />
  );
  return (
    <>
      <div className="flex flex-wrap items-center gap-2 bg-sunken py-2 pr-2 pl-4">
        <Tag>{formatSimilarity(kind, similarity)}</Tag>
        <span className="flex-1 text-[13px] text-faint">
          {memory.brain_id !== other.brain_id && 'They are in different brains. Move one to merge them.'}
        </span>
        {mayWrite && (
          <Button
            look="quiet"
            size="small"
            isBusy={dismissing.isBusy}
            onClick={() => dismissing.call({ memory_id: memory.id, duplicate_of: other.id })}
          >
            Keep both
          </Button>
        )}
      </div>
      <div className="grid divide-line max-sm:divide-y sm:grid-cols-2 sm:divide-x">
        {side(other, memory, 'earlier')}
        {side(memory, other, 'later')}
      </div>
    </>
  );
}

type SideProps = {
  memory: Memory;
  keepLabel: string;
  isBusy: boolean;
  onOpen: () => void;
  onKeep: (() => void) | undefined;
};

function Side({ memory, keepLabel, isBusy, onOpen, onKeep }: SideProps) {
  return (
    <div className="flex flex-col items-start gap-3 p-4">
      <button onClick={onOpen} className="w-full flex-1 rounded text-left hover:underline">
        <span className="line-clamp-5 text-[15px] leading-relaxed wrap-anywhere">{memory.content}</span>
      </button>
      <p className="text-[13px] text-faint">
        {memory.author ?? memory.stored_by} · {memory.brain_name} · <Ago at={memory.occurred_at} />
      </p>
      {onKeep && (
        <Button size="small" isBusy={isBusy} onClick={onKeep}>
          {keepLabel}
        </Button>
      )}
    </div>
  );
}
