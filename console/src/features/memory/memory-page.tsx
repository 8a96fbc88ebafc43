import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { BrainCircuit, Plus, SlidersHorizontal, Waypoints } from 'lucide-react';
import { useState, type ComponentProps } from 'react';
import { Button, getButtonClass } from '../../design/button.tsx';
import { formatCount } from '../../design/format-count.ts';
import { Kbd } from '../../design/kbd.tsx';
import { ListPage } from '../../design/list-page.tsx';
import { Card } from '../../design/page.tsx';
import { EmptyState } from '../../design/states.tsx';
import { useKeys } from '../../design/use-keys.ts';
import { AddMemoryDialog } from './add-memory-dialog.tsx';
import { buildContradictionsQuery, buildDuplicatesQuery } from './curation-requests.ts';
import { FoundMemories } from './found-memories.tsx';
import { MemoryDrawer, type FoundBy } from './memory-drawer.tsx';
import { countFinerFilters, MemoryFilters, type MemoryAddress } from './memory-filters.tsx';
import { MemoryRow } from './memory-row.tsx';
import { buildMemoryListQuery, type Hit } from './requests.ts';

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
  const finer = countFinerFilters(address);
  const list = useInfiniteQuery({ ...buildMemoryListQuery(filter), enabled: !q && !finer });
  const total = list.data?.pages[0]?.total ?? 0;
  const openHit = ({ id, why: { terms } }: Hit, parts: readonly string[]) => {
    setFound({ id, terms, parts });
    onOpen(id);
  };
  return (
    <ListPage
      title="Memory"
      lead="What your agents remember. Edit anything."
      action={<PageActions brain={filter.brain} onAdd={() => setIsAdding(true)} />}
      above={<MemoryFilters address={address} onChange={onChange} />}
      noun="memories"
      query={{ ...list, data: list.data?.pages.flatMap(({ memories }) => memories) }}
      getKey={({ id }) => id}
      renderRow={(each) => <MemoryRow memory={each} onOpen={() => onOpen(each.id)} />}
      status={
        total > 0 && (
          <>
            {formatCount(total, 'memory', 'memories')}, newest first
            <DuplicatesLink brain={filter.brain} />
            <ContradictionsLink brain={filter.brain} />
          </>
        )
      }
      isNarrowed={filter.type !== undefined}
      empty={describeNothing(() => setIsAdding(true))}
      instead={
        q ? <FoundMemories q={q} filter={filter} onOpen={openHit} onOpenOther={onOpen} /> : finer > 0 && <SearchFirst />
      }
    >
      <MemoryDrawer id={memory} found={found?.id === memory ? found : null} onOpen={onOpen} />
      <AddMemoryDialog isOpen={isAdding} onClose={() => setIsAdding(false)} brain={filter.brain} />
    </ListPage>
  );
}

function PageActions({ brain, onAdd }: { brain: string | undefined; onAdd: () => void }) {
  return (
    <>
      <Link to="/memory/graph" search={{ brain }} className={getButtonClass()}>
        <Waypoints className="size-4" aria-hidden /> Graph
      </Link>
      <Button look="primary" icon={<Plus className="size-4" />} onClick={onAdd}>
        Add memory <Kbd>N</Kbd>
      </Button>
    </>
  );
}

const linkClass = 'rounded underline decoration-edge underline-offset-4 hover:text-ink hover:decoration-ink';

/** A link to duplicates, if there are any. */
function DuplicatesLink({ brain }: { brain: string | undefined }) {
  const { data } = useInfiniteQuery(buildDuplicatesQuery(brain));
  const hasDuplicates = data?.pages.some(({ duplicates }) => duplicates.length);
  if (!hasDuplicates) return null;
  return (
    <>
      {' · '}
      <Link to="/memory/clean-up" search={{ brain }} className={linkClass}>
        Duplicates
      </Link>
    </>
  );
}

/** A link to contradictions, if there are open or hidden ones. */
function ContradictionsLink({ brain }: { brain: string | undefined }) {
  const open = useInfiniteQuery(buildContradictionsQuery(brain, false));
  const hidden = useInfiniteQuery(buildContradictionsQuery(brain, true));
  const pages = [...(open.data?.pages ?? []), ...(hidden.data?.pages ?? [])];
  if (!pages.some(({ contradictions, dismissed_kinds: kinds }) => contradictions.length || kinds.length)) return null;
  return (
    <>
      {' · '}
      <Link to="/memory/clean-up/contradictions" search={{ brain }} className={linkClass}>
        Contradictions
      </Link>
    </>
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

function describeNothing(onAdd: () => void): ComponentProps<typeof EmptyState> {
  return {
    icon: <BrainCircuit />,
    title: 'No memories yet',
    children: 'Connect an agent and tell it: “Always store important information to my brain.”',
    action: (
      <div className="flex flex-wrap justify-center gap-2">
        <Button onClick={onAdd}>Add the first memory</Button>
        <Link to="/agents/connect" className={getButtonClass('primary')}>
          Connect an agent
        </Link>
      </div>
    ),
  };
}
