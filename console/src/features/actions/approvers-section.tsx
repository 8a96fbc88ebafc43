import { useQuery } from '@tanstack/react-query';
import { UserPlus, Users } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../design/button.tsx';
import { Card, Tag } from '../../design/page.tsx';
import { Section } from '../../design/section.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../design/states.tsx';
import { formatExactMoment } from '../../design/time.tsx';
import { ApproverDialog } from './approver-dialog.tsx';
import { approversQuery, withdrawApprover, type Delegate } from './approver-requests.ts';
import { useCall } from '../../design/use-call.ts';

/** The delegations of a person, in both directions. */
export function ApproversSection() {
  const { data, error, refetch } = useQuery(approversQuery);
  const [isNaming, setIsNaming] = useState(false);
  const namedBy = data?.named_by ?? [];
  return (
    <Section
      title="Approvers"
      lead="People who can also approve or decline your drafts. Approved drafts are sent from your account. Approvers see nothing else of yours."
      action={
        <Button size="small" icon={<UserPlus className="size-3.5" aria-hidden />} onClick={() => setIsNaming(true)}>
          Add approver
        </Button>
      }
    >
      <Card>
        {!data && !error && <Skeleton rows={2} label="Loading the approvers" />}
        {error && <ErrorState error={error} onRetry={() => void refetch()} />}
        {data?.approvers.length === 0 && (
          <EmptyState icon={<Users />} title="Only you can approve">
            Add somebody who approves while you are away.
          </EmptyState>
        )}
        <NamingList label="Approvers" namings={data?.approvers ?? []} word="Remove" />
      </Card>
      {namedBy.length > 0 && (
        <>
          <h3 className="mt-5 mb-2 text-sm font-medium text-soft">You also approve for</h3>
          <Card>
            <NamingList label="You approve for" namings={namedBy} word="Step down" />
          </Card>
        </>
      )}
      <ApproverDialog isOpen={isNaming} onClose={() => setIsNaming(false)} />
    </Section>
  );
}

function NamingList({ label, namings, word }: { label: string; namings: readonly Delegate[]; word: string }) {
  return (
    <ul aria-label={label} className="divide-y divide-line">
      {namings.map((naming) => (
        <NamingRow key={naming.approver_id} naming={naming} word={word} />
      ))}
    </ul>
  );
}

function NamingRow({ naming, word }: { naming: Delegate; word: string }) {
  const ending = useCall(() => withdrawApprover(naming.approver_id), {
    refreshes: [approversQuery.queryKey],
    success: 'Removed',
    failure: 'Not removed',
  });
  const scope = [...(naming.sources ?? []), ...(naming.actions ?? [])];
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-5 py-4">
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-1.5">
          <span className="mr-1 truncate text-sm font-medium">{naming.name}</span>
          {scope.length ? scope.map((each) => <Tag key={each}>{each}</Tag>) : <Tag>All drafts</Tag>}
        </p>
        <p className="mt-1 text-[13px] wrap-anywhere text-faint">
          {naming.email && `${naming.email} · `}
          {naming.until ? `until ${formatExactMoment(naming.until)}` : 'until it is removed'}
        </p>
      </div>
      <Button
        look="quiet"
        size="small"
        aria-label={`${word}: ${naming.name}`}
        isBusy={ending.isBusy}
        onClick={() => ending.call()}
      >
        {word}
      </Button>
    </li>
  );
}
