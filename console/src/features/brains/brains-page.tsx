import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Network, Plus } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../design/button.tsx';
import { joinClassNames } from '../../design/class-names.ts';
import { useTitle } from '../../design/page.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../design/states.tsx';
import { MemoryDrawer } from '../memory/memory-drawer.tsx';
import { AllBrains } from './all-brains.tsx';
import { BrainView } from './brain-view.tsx';
import { buildBrainTree, type Branch } from '../../entities/brain-tree.ts';
import { NewBrainDialog } from './new-brain-dialog.tsx';
import { brainsQuery } from '../../entities/brains.ts';
import type { BrainAddress } from './tab-names.ts';

type Props = {
  brainId: string | undefined;
  address: BrainAddress;
  /** Changes search parameters. */
  onChange: (change: BrainAddress) => void;
};

/** The tree of brains and, beside it, the selected one. A phone shows one of the two. */
export function BrainsPage({ brainId, address, onChange }: Props) {
  const { data: brains, error, isPending, refetch } = useQuery(brainsQuery);
  const [isAdding, setIsAdding] = useState(false);
  const chosen = brains?.find(({ id }) => id === brainId);
  useTitle(chosen?.name ?? 'Brains');
  const Heading = brainId ? 'p' : 'h1';
  return (
    <div className="md:grid md:grid-cols-[minmax(13rem,17rem)_minmax(0,1fr)]">
      <section
        aria-label="Brain tree"
        className={joinClassNames(
          'border-line md:sticky md:top-0 md:h-dvh md:overflow-y-auto md:border-r',
          brainId && 'max-md:hidden',
        )}
      >
        <header className="flex items-center justify-between gap-3 px-4 py-3 max-md:pt-6">
          <Heading className="text-lg font-semibold tracking-tight">
            {brainId ? <Link to="/brains">Brains</Link> : 'Brains'}
          </Heading>
          <Button size="small" icon={<Plus className="size-4" aria-hidden />} onClick={() => setIsAdding(true)}>
            New brain
          </Button>
        </header>
        {isPending && <Skeleton label="Loading brains" />}
        {error && <ErrorState error={error} onRetry={() => void refetch()} />}
        <nav aria-label="Brains" className="px-2 pb-6">
          <ul className="space-y-0.5">
            {buildBrainTree(brains ?? []).map((branch) => (
              <Branchlet key={branch.brain.id} {...branch} isChosen={branch.brain.id === brainId} />
            ))}
          </ul>
        </nav>
      </section>
      <div className="min-w-0">
        {!brainId && brains && <AllBrains address={address} onChange={onChange} />}
        {chosen && <BrainView key={chosen.id} brain={chosen} address={address} onChange={onChange} />}
        {brainId && brains && !chosen && <NoSuchBrain />}
      </div>
      <MemoryDrawer id={address.memory} onOpen={(memory) => onChange({ memory })} />
      <NewBrainDialog isOpen={isAdding} onClose={() => setIsAdding(false)} parent={chosen} />
    </div>
  );
}

const deepestIndent = 5;

function Branchlet({ brain, depth, isChosen }: Branch & { isChosen: boolean }) {
  return (
    <li>
      <Link
        to="/brains/$brainId"
        params={{ brainId: brain.id }}
        search={(search: BrainAddress) => ({ tab: search.tab })}
        aria-current={isChosen ? 'page' : undefined}
        className="flex min-h-8.5 items-center gap-2 rounded-lg py-1.5 pr-2.5 text-sm text-soft transition-colors hover:bg-hover hover:text-ink aria-[current=page]:bg-hover aria-[current=page]:font-medium aria-[current=page]:text-ink max-md:min-h-11"
        style={{ paddingLeft: `${0.625 + Math.min(depth, deepestIndent) * 0.9}rem` }}
      >
        {depth > 0 && (
          <span aria-hidden className="-mt-2 h-2.5 w-2 shrink-0 rounded-bl border-b border-l border-edge" />
        )}
        <span className="min-w-0 flex-1 wrap-anywhere">{brain.name}</span>
        <span className="text-xs text-faint">
          {brain.memory_count}
          <span className="sr-only"> memories</span>
        </span>
      </Link>
    </li>
  );
}

function NoSuchBrain() {
  return (
    <>
      <h1 className="sr-only">No such brain</h1>
      <EmptyState icon={<Network />} title="Brain not found">
        It was deleted, or you are not a member. Ask the person who sent you the link.
      </EmptyState>
    </>
  );
}
