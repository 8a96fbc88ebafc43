import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CornerDownRight, Network, Plus } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../design/button.tsx';
import { Card, Page, Tag } from '../../design/page.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../design/states.tsx';
import { treeOf, type Branch } from './brain-tree.ts';
import { NewBrainDialog } from './new-brain-dialog.tsx';
import { brainsQuery } from './requests.ts';

/** The tree of brains: who may read what, and where memories are routed. */
export function BrainsPage() {
  const { data: brains, error, isPending, refetch } = useQuery(brainsQuery);
  const [isAdding, setIsAdding] = useState(false);
  return (
    <Page
      title="Brains"
      lead="A brain holds what a person, a team or a product knows. One below another inherits what stands above it."
      action={
        <Button look="primary" icon={<Plus className="size-4" />} onClick={() => setIsAdding(true)}>
          New brain
        </Button>
      }
    >
      <Card>
        {isPending && <Skeleton label="Loading brains" />}
        {error && <ErrorState error={error} onRetry={() => void refetch()} />}
        {brains?.length === 0 && (
          <EmptyState icon={<Network />} title="No brains yet">
            Create one for a team or a product.
          </EmptyState>
        )}
        <ul className="divide-y divide-line">
          {treeOf(brains ?? []).map((branch) => (
            <BrainRow key={branch.brain.id} {...branch} />
          ))}
        </ul>
      </Card>
      <NewBrainDialog isOpen={isAdding} onClose={() => setIsAdding(false)} />
    </Page>
  );
}

function BrainRow({ brain, depth }: Branch) {
  return (
    <li>
      <Link
        to="/memory"
        search={{ brain: brain.id }}
        className="flex gap-3 px-5 py-4 transition-colors hover:bg-hover focus-visible:-outline-offset-2"
        style={{ paddingLeft: `${1.25 + Math.min(depth, 5) * 1.5}rem` }}
      >
        {depth > 0 && <CornerDownRight className="mt-0.5 size-4 shrink-0 text-faint" aria-hidden />}
        <div className="min-w-0 flex-1">
          <p className="flex flex-wrap items-center gap-2 text-sm font-medium">
            {brain.name}
            {brain.is_personal && <Tag>Yours alone</Tag>}
          </p>
          <p className="mt-0.5 line-clamp-2 text-sm text-soft">
            {brain.description || 'No description yet, so nothing is routed here by itself.'}
          </p>
        </div>
        <p className="shrink-0 text-right text-[13px] text-faint">
          <span className="capitalize">{brain.access_level}</span>
          {!brain.is_personal && (
            <span className="block">
              {brain.member_count} {brain.member_count === 1 ? 'member' : 'members'}
            </span>
          )}
        </p>
      </Link>
    </li>
  );
}
