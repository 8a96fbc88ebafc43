import { useQuery } from '@tanstack/react-query';
import { Link, linkOptions } from '@tanstack/react-router';
import { ListRow } from '../../design/list-row.tsx';
import { ObjectPage } from '../../design/object-page.tsx';
import { Card, Tag } from '../../design/page.tsx';
import type { QueryState } from '../../design/query-state.tsx';
import { Section } from '../../design/section.tsx';
import { Deadlines } from './deadlines.tsx';
import { Kpis } from './kpis.tsx';
import { buildWorkflowQuery, type Workflow } from './requests.ts';
import { useStateActions } from './state-actions.tsx';
import { Team } from './team.tsx';
import { WaitingDrafts } from './waiting-drafts.tsx';

/** One workflow: its charter, team, figures, deadlines, automations and boards. */
export function WorkflowPage({ workflowId }: { workflowId: string }) {
  const query = useQuery(buildWorkflowQuery(workflowId));
  const { data } = query;
  if (!data)
    return (
      <ObjectPage title="Workflow" noun="workflow" query={query}>
        {null}
      </ObjectPage>
    );
  return <Loaded of={data} query={query} />;
}

function Loaded({ of: workflow, query }: { of: Workflow; query: QueryState }) {
  const { state, action, more, dialogs } = useStateActions(workflow);
  return (
    <ObjectPage title={workflow.title} state={state} noun="workflow" query={query} action={action} more={more}>
      <div className="space-y-8">
        <Section title="Charter">
          <Card className="p-5 text-sm whitespace-pre-wrap">{workflow.charter}</Card>
        </Section>
        <WaitingDrafts of={workflow} />
        <Kpis of={workflow} />
        <Deadlines of={workflow} />
        <Team of={workflow} />
        <Automations of={workflow} />
        <Boards of={workflow} />
      </div>
      {dialogs}
    </ObjectPage>
  );
}

function Automations({ of: { automations } }: { of: Workflow }) {
  if (!automations.length) return null;
  return (
    <Section title="Automations" lead="You activate each on its page.">
      <Card>
        <ul className="divide-y divide-line">
          {automations.map(({ automation_id: automationId, name, state, paused_reason }) => (
            <ListRow
              key={automationId}
              name={name}
              detail={paused_reason}
              link={linkOptions({ to: '/automations/$automationId', params: { automationId } })}
            >
              <Tag tone={state === 'active' ? 'go' : 'plain'}>{state === 'active' ? 'Active' : 'Paused'}</Tag>
            </ListRow>
          ))}
        </ul>
      </Card>
    </Section>
  );
}

function Boards({ of: { boards } }: { of: Workflow }) {
  if (!boards.length) return null;
  return (
    <Section title="Boards">
      <ul className="flex flex-wrap gap-x-4 gap-y-2 text-sm">
        {boards.map(({ board_id: boardId, name }) => (
          <li key={boardId}>
            <Link to="/boards/$boardId" params={{ boardId }} className="underline underline-offset-2">
              <bdi>{name}</bdi>
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  );
}
