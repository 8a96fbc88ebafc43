import { useQuery } from '@tanstack/react-query';
import { linkOptions } from '@tanstack/react-router';
import { Workflow } from 'lucide-react';
import { ListPage } from '../../design/list-page.tsx';
import { ListRow } from '../../design/list-row.tsx';
import { Tag } from '../../design/page.tsx';
import { Ago } from '../../design/time.tsx';
import { automationsQuery, type ListedAutomation } from './requests.ts';
import { formatCost, runTone, statusText, triggerText } from './words.ts';

/** All automations with their health, next run and cost. */
export function AutomationsPage() {
  return (
    <ListPage
      title="Automations"
      lead="Scripts that run by themselves, with only the tools you grant. Actions outside Thalamus wait for your approval."
      noun="automations"
      query={useQuery(automationsQuery)}
      getKey={({ automation_id }) => automation_id}
      getSearchText={({ name, triggers }) => [name, ...triggers.map(triggerText)].join(' ')}
      renderRow={(automation) => <AutomationRow of={automation} />}
      empty={{
        icon: <Workflow />,
        title: 'No automations yet',
        children:
          'Ask a connected agent: “Every Monday at 9, add last week’s numbers to a board.” It saves the automation paused, and you activate it here.',
      }}
    />
  );
}

function AutomationRow({ of: automation }: { of: ListedAutomation }) {
  const { automation_id: automationId, name, state, triggers, next_run_at, last_run } = automation;
  return (
    <ListRow
      name={name}
      detail={triggers.map(triggerText).join(' · ')}
      link={linkOptions({ to: '/automations/$automationId', params: { automationId } })}
    >
      {next_run_at && (
        <span>
          Next run <Ago at={next_run_at} />
        </span>
      )}
      {last_run && <Tag tone={runTone[last_run.status]}>{statusText[last_run.status]}</Tag>}
      {last_run && last_run.cost_usd > 0 && <span>{formatCost(last_run.cost_usd)}</span>}
      <Tag tone={state === 'active' ? 'go' : 'plain'}>{state === 'active' ? 'Active' : 'Paused'}</Tag>
    </ListRow>
  );
}
