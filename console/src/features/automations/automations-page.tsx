import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Workflow } from 'lucide-react';
import { Card, Page, Tag } from '../../design/page.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../design/states.tsx';
import { Ago } from '../../design/time.tsx';
import { automationsQuery, type ListedAutomation } from './requests.ts';
import { costText, runTone, statusText, triggerText } from './words.ts';

/** All automations with their health, next run and cost. */
export function AutomationsPage() {
  const { data, error, isPending, refetch } = useQuery(automationsQuery);
  return (
    <Page
      title="Automations"
      lead="Scripts that run by themselves, with only the tools you grant. Actions outside Thalamus wait for your approval."
    >
      <Card>
        {isPending && <Skeleton label="Loading automations" />}
        {error && <ErrorState error={error} onRetry={() => void refetch()} />}
        {data && !data.length && (
          <EmptyState icon={<Workflow />} title="No automations yet">
            Ask a connected agent: “Every Monday at 9, add last week’s numbers to a board.” It saves the automation
            paused, and you activate it here.
          </EmptyState>
        )}
        {data && data.length > 0 && (
          <ul className="divide-y divide-line">
            {data.map((each) => (
              <AutomationRow key={each.automation_id} of={each} />
            ))}
          </ul>
        )}
      </Card>
    </Page>
  );
}

function AutomationRow({ of: automation }: { of: ListedAutomation }) {
  const { automation_id: automationId, name, state, triggers, next_run_at, last_run } = automation;
  return (
    <li>
      <Link
        to="/automations/$automationId"
        params={{ automationId }}
        className="flex flex-wrap items-center gap-x-4 gap-y-1 px-5 py-4 hover:bg-hover"
      >
        <span className="min-w-0 flex-1">
          <span className="block truncate font-medium">{name}</span>
          <span className="block truncate text-sm text-soft">{triggers.map(triggerText).join(' · ')}</span>
        </span>
        <span className="text-sm text-soft">
          {next_run_at && (
            <>
              Next run <Ago at={next_run_at} />
            </>
          )}
        </span>
        {last_run && <Tag tone={runTone[last_run.status]}>{statusText[last_run.status]}</Tag>}
        {last_run && last_run.cost_usd > 0 && <span className="text-sm text-soft">{costText(last_run.cost_usd)}</span>}
        <Tag tone={state === 'active' ? 'go' : 'plain'}>{state === 'active' ? 'Active' : 'Paused'}</Tag>
      </Link>
    </li>
  );
}
