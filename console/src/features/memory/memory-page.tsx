import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { BrainCircuit, Copy, Plus, Scale, SlidersHorizontal, Waypoints } from 'lucide-react';
import { useState } from 'react';
import { Button, getButtonClass } from '../../design/button.tsx';
import { Kbd } from '../../design/kbd.tsx';
import { Card, Page } from '../../design/page.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../design/states.tsx';
import { useKeys } from '../../design/use-keys.ts';
import { AddMemoryDialog } from './add-memory-dialog.tsx';
import { buildContradictionsQuery, buildDuplicatesQuery } from './curation-requests.ts';
import { FoundMemories } from './found-memories.tsx';
import { MemoryDrawer, type FoundBy } from './memory-drawer.tsx';
import { countFinerFilters, MemoryFilters, type MemoryAddress } from './memory-filters.tsx';
import { MemoryRow } from './memory-row.tsx';
import { buildMemoryListQuery, type ListFilter } from './requests.ts';

type Props = {
  address: MemoryAddress;
  /** Changes search parameters. */
  onChange: (change: MemoryAddress) => void;
  /** Opens one beside the list, in the address; undefined closes it. */
  onOpen: (id: string | undefined) => void;
};

/** Searches and lists memories. Search and filters are in the URL, so people can bookmark and share them. */
export function MemoryPage({ address, onChange, onOpen }: Props) {
  const [isAdding, setIsAdding] = useState(false);
  const [found, setFound] = useState<FoundBy | null>(null);
  useKeys({ n: () => setIsAdding(true) });
  const { q, memory, ...filter } = address;
  return (
    <Page
      title="Memory"
      lead="What your agents remember. Edit anything."
      isWide
      action={
        <div className="flex flex-wrap gap-2">
          <DuplicatesLink brain={filter.brain} />
          <ContradictionsLink brain={filter.brain} />
          <Link to="/memory/graph" search={{ brain: filter.brain }} className={getButtonClass()}>
            <Waypoints className="size-4" aria-hidden /> Graph
          </Link>
          <Button look="primary" icon={<Plus className="size-4" />} onClick={() => setIsAdding(true)}>
            Add memory <Kbd>N</Kbd>
          </Button>
        </div>
      }
    >
      <MemoryFilters address={address} onChange={onChange} />
      {q ? (
        <FoundMemories
          q={q}
          filter={filter}
          onOpen={({ id, why: { terms } }, parts) => {
            setFound({ id, terms, parts });
            onOpen(id);
          }}
          onOpenOther={onOpen}
        />
      ) : countFinerFilters(address) ? (
        <SearchFirst />
      ) : (
        <Browse filter={filter} onOpen={onOpen} onAdd={() => setIsAdding(true)} />
      )}
      <MemoryDrawer id={memory} found={found?.id === memory ? found : null} onOpen={onOpen} />
      <AddMemoryDialog isOpen={isAdding} onClose={() => setIsAdding(false)} brain={filter.brain} />
    </Page>
  );
}

/** A link to duplicates, if there are any. */
function DuplicatesLink({ brain }: { brain: string | undefined }) {
  const { data } = useInfiniteQuery(buildDuplicatesQuery(brain));
  const hasDuplicates = data?.pages.some(({ duplicates }) => duplicates.length);
  if (!hasDuplicates) return null;
  return (
    <Link to="/memory/duplicates" search={{ brain }} className={getButtonClass('plain')}>
      <Copy className="size-4" aria-hidden /> Duplicates
    </Link>
  );
}

/** A link to contradictions, if there are open or hidden ones. */
function ContradictionsLink({ brain }: { brain: string | undefined }) {
  const open = useInfiniteQuery(buildContradictionsQuery(brain, false));
  const hidden = useInfiniteQuery(buildContradictionsQuery(brain, true));
  const pages = [...(open.data?.pages ?? []), ...(hidden.data?.pages ?? [])];
  if (!pages.some(({ contradictions, dismissed_kinds: kinds }) => contradictions.length || kinds.length)) return null;
  return (
    <Link to="/memory/contradictions" search={{ brain }} className={getButtonClass('plain')}>
      <Scale className="size-4" aria-hidden /> Contradictions
    </Link>
  );
}

function SearchFirst() {
  return (
    <Card>
      <EmptyState icon={<SlidersHorizontal />} title="Search to use these filters">
        Filter by importance, source, author or date. Type a search above first.
      </EmptyState>
    </Card>
  );
}

type BrowseProps = { filter: ListFilter; onOpen: (id: string) => void; onAdd: () => void };

function Browse({ filter, onOpen, onAdd }: BrowseProps) {
  const list = useInfiniteQuery(buildMemoryListQuery(filter));
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
        <ul className="divide-y divide-line overflow-hidden rounded-2xl">
          {memories.map((memory) => (
            <MemoryRow key={memory.id} memory={memory} onOpen={() => onOpen(memory.id)} />
          ))}
        </ul>
      </Card>
      {list.hasNextPage && (
        <div className="mt-4 text-center">
          <Button isBusy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            Show more
          </Button>
        </div>
      )}
    </>
  );
}

function NothingYet({ isFiltered, onAdd }: { isFiltered: boolean; onAdd: () => void }) {
  return (
    <Card>
      <EmptyState
        icon={<BrainCircuit />}
        title={isFiltered ? 'No matching memories' : 'No memories yet'}
        action={
          <div className="flex flex-wrap justify-center gap-2">
            <Button onClick={onAdd}>Add the first memory</Button>
            {!isFiltered && (
              <Link to="/agents/connect" className={getButtonClass('primary')}>
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
