import { useQuery } from '@tanstack/react-query';
import { UserPlus, Users } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../design/button.tsx';
import { ListPage } from '../../design/list-page.tsx';
import { Card, Tag } from '../../design/page.tsx';
import { Section } from '../../design/section.tsx';
import { formatExactMoment } from '../../design/time.tsx';
import { useCall } from '../../design/use-call.ts';
import { ApproverDialog } from './approver-dialog.tsx';
import { approversQuery, withdrawApprover, type Delegate } from './approver-requests.ts';

/** The delegations of a person, in both directions. */
export function ApproversPage() {
  const query = useQuery(approversQuery);
  const [isNaming, setIsNaming] = useState(false);
  const namedBy = query.data?.named_by ?? [];
  return (
    <ListPage
      title="Approvers"
      lead="People who can also approve or decline your drafts. Approved drafts are sent from your account. Approvers see nothing else of yours."
      action={
        <Button look="primary" icon={<UserPlus className="size-4" aria-hidden />} onClick={() => setIsNaming(true)}>
          Add approver
        </Button>
      }
      noun="approvers"
      query={{ ...query, data: query.data?.approvers }}
      getKey={({ approver_id }) => approver_id}
      getSearchText={({ name, email }) => `${name} ${email}`}
      renderRow={(naming) => <NamingRow naming={naming} word="Remove" />}
      empty={{
        icon: <Users />,
        title: 'Only you can approve',
        children: 'Add somebody who approves while you are away.',
      }}
    >
      {namedBy.length > 0 && (
        <div className="mt-9">
          <Section title="You also approve for" lead="Their drafts are in your inbox, too.">
            <Card>
              <ul aria-label="You approve for" className="divide-y divide-line">
                {namedBy.map((naming) => (
                  <NamingRow key={naming.approver_id} naming={naming} word="Step down" />
                ))}
              </ul>
            </Card>
          </Section>
        </div>
      )}
      <ApproverDialog isOpen={isNaming} onClose={() => setIsNaming(false)} />
    </ListPage>
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
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-4 sm:px-5">
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
