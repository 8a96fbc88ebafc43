import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { BrainCircuit, Plus, SearchX } from 'lucide-react';
import { useState } from 'react';
import { Button, buttonClass } from '../../design/button.tsx';
import { Kbd } from '../../design/kbd.tsx';
import { Card, Page } from '../../design/page.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../design/states.tsx';
import { useKeys } from '../../design/use-keys.ts';
import { AddMemoryDialog } from './add-memory-dialog.tsx';
import { MemoryDrawer } from './memory-drawer.tsx';
import { MemoryFilters, type MemoryAddress } from './memory-filters.tsx';
import { MemoryRow } from './memory-row.tsx';
import { memoryListQuery, memorySearchQuery, type Hit, type Memory, type MemoryFilter } from './requests.ts';

type Props = { address: MemoryAddress; onChange: (address: MemoryAddress) => void };

/** Finds and browses what is remembered; what is asked for stands in the address, so it can be kept and shared. */
export function MemoryPage({ address, onChange }: Props) {
  const [opened, setOpened] = useState<Memory | Hit | null>(null);
  const [isAdding, setIsAdding] = useState(false);
  useKeys({ n: () => setIsAdding(true) });
  const { q, ...filter } = address;
  return (
    <Page
      title="Memory"
      lead="What your agents remember, and you may correct."
      action={
        <Button look="primary" icon={<Plus className="size-4" />} onClick={() => setIsAdding(true)}>
          Add a memory <Kbd>N</Kbd>
        </Button>
      }
    >
      <MemoryFilters address={address} onChange={onChange} />
      {q ? (
        <Found q={q} filter={filter} onOpen={setOpened} />
      ) : (
        <Browse filter={filter} onOpen={setOpened} onAdd={() => setIsAdding(true)} />
      )}
      <MemoryDrawer memory={opened} onClose={() => setOpened(null)} />
      <AddMemoryDialog isOpen={isAdding} onClose={() => setIsAdding(false)} brain={filter.brain} />
    </Page>
  );
}

function Found({ q, filter, onOpen }: { q: string; filter: MemoryFilter; onOpen: (memory: Hit) => void }) {
  const { data, error, isPending, isPlaceholderData, refetch } = useQuery(memorySearchQuery(q, filter));
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (isPending) return <Skeleton label="Searching" />;
  const { memories, pagination } = data;
  const total = pagination.total_available;
  return (
    <>
      <p role="status" className="mb-2 px-1 text-[13px] text-faint">
        {total === 0
          ? 'Nothing found'
          : `${total} found${pagination.has_more ? `, the best ${memories.length} shown` : ''}`}
      </p>
      <Card className={isPlaceholderData ? 'opacity-60' : ''}>
        {memories.length ? (
          <List memories={memories} onOpen={onOpen} />
        ) : (
          <EmptyState icon={<SearchX />} title="Nothing says that">
            Try fewer or other words. Put exact phrases in quotes, and a minus before words that must not occur.
          </EmptyState>
        )}
      </Card>
    </>
  );
}

type BrowseProps = { filter: MemoryFilter; onOpen: (memory: Memory) => void; onAdd: () => void };

function Browse({ filter, onOpen, onAdd }: BrowseProps) {
  const list = useInfiniteQuery(memoryListQuery(filter));
  if (list.error) return <ErrorState error={list.error} onRetry={() => void list.refetch()} />;
  if (list.isPending) return <Skeleton rows={6} label="Loading memories" />;
  const memories = list.data.pages.flatMap((page) => page.memories);
  const total = list.data.pages[0]?.total ?? 0;
  if (!memories.length) return <NothingYet isFiltered={Boolean(filter.type || filter.brain)} onAdd={onAdd} />;
  return (
    <>
      <p role="status" className="mb-2 px-1 text-[13px] text-faint">
        {total} {total === 1 ? 'memory' : 'memories'}, newest first
      </p>
      <Card className={list.isPlaceholderData ? 'opacity-60' : ''}>
        <List memories={memories} onOpen={onOpen} />
      </Card>
      {list.hasNextPage && (
        <div className="mt-4 text-center">
          <Button isBusy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            Show older
          </Button>
        </div>
      )}
    </>
  );
}

function List<Shown extends Memory>({ memories, onOpen }: { memories: Shown[]; onOpen: (memory: Shown) => void }) {
  return (
    <ul className="divide-y divide-line overflow-hidden rounded-2xl">
      {memories.map((memory) => (
        <MemoryRow key={memory.id} memory={memory} onOpen={() => onOpen(memory)} />
      ))}
    </ul>
  );
}

function NothingYet({ isFiltered, onAdd }: { isFiltered: boolean; onAdd: () => void }) {
  return (
    <Card>
      <EmptyState
        icon={<BrainCircuit />}
        title={isFiltered ? 'Nothing of this kind here' : 'Nothing is remembered yet'}
        action={
          <div className="flex flex-wrap justify-center gap-2">
            <Button onClick={onAdd}>Add the first by hand</Button>
            {!isFiltered && (
              <Link to="/connect" className={buttonClass('primary')}>
                Connect an agent
              </Link>
            )}
          </div>
        }
      >
        {!isFiltered && 'Connect an agent and tell it: “Always store important information to my brain.”'}
      </EmptyState>
    </Card>
  );
}
