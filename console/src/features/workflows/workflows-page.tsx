import { useQuery } from '@tanstack/react-query';
import { linkOptions } from '@tanstack/react-router';
import { Target } from 'lucide-react';
import { formatCount } from '../../design/format-count.ts';
import { ListPage } from '../../design/list-page.tsx';
import { ListRow } from '../../design/list-row.tsx';
import { Tag } from '../../design/page.tsx';
import { workflowsQuery } from './requests.ts';
import { formatDue, stateWords } from './words.ts';

/** All workflows that the person may read. */
export function WorkflowsPage() {
  return (
    <ListPage
      title="Workflows"
      lead="Goals with a team, figures and dates."
      noun="workflows"
      query={useQuery(workflowsQuery)}
      getKey={({ workflow_id }) => workflow_id}
      getSearchText={({ title }) => title}
      renderRow={({ workflow_id: workflowId, title, state, automations, next_deadline: next }) => (
        <ListRow
          name={title}
          detail={next ? `${next.name}, due ${formatDue(next.due)}` : undefined}
          link={linkOptions({ to: '/workflows/$workflowId', params: { workflowId } })}
        >
          {next?.state === 'overdue' && state !== 'closed' && <Tag tone="stop">Overdue</Tag>}
          <span>{formatCount(automations, 'automation')}</span>
          <Tag tone={stateWords[state].tone}>{stateWords[state].label}</Tag>
        </ListRow>
      )}
      empty={{
        icon: <Target />,
        title: 'No workflows yet',
        children: 'Ask a connected agent: “Start a workflow for our launch in Spain.” It appears here.',
      }}
    />
  );
}
