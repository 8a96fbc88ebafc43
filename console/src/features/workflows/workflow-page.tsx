import { useQuery } from '@tanstack/react-query';
import { Link, linkOptions } from '@tanstack/react-router';
import { ListRow } from '../../design/list-row.tsx';
import { ObjectPage } from '../../design/object-page.tsx';
import { Card, Tag } from '../../design/page.tsx';
import type { QueryState } from '../../design/query-state.tsx';
import { Section } from '../../design/section.tsx';
import { buildWorkflowQuery, type Workflow } from './requests.ts';
import { useStateActions } from './state-actions.tsx';
import { deadlineWords, formatDue, memberWords } from './words.ts';

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
        <Kpis of={workflow} />
        <Deadlines of={workflow} />
        <Roster of={workflow} />
        <Automations of={workflow} />
        <Boards of={workflow} />
      </div>
      {dialogs}
    </ObjectPage>
  );
}

function Kpis({ of: { kpis } }: { of: Workflow }) {
  if (!kpis.length) return null;
  return (
    <Section title="KPIs">
      <Card className="divide-y divide-line">
        {kpis.map(({ name, value, target, unit, problem }) => (
          <div key={name} className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 px-4 py-4 sm:px-5">
            <span className="min-w-0 flex-1 basis-52">
              <span className="block font-medium">
                <bdi>{name}</bdi>
              </span>
              {problem !== null && <span className="mt-0.5 block text-sm text-soft">{problem}</span>}
            </span>
            <span className="tabular-nums">
              {value === null ? 'No value' : `${value.toLocaleString()} ${unit}`}
              {target !== null && <span className="text-soft"> of {target.toLocaleString()}</span>}
            </span>
          </div>
        ))}
      </Card>
    </Section>
  );
}

function Deadlines({ of: { deadlines } }: { of: Workflow }) {
  if (!deadlines.length) return null;
  return (
    <Section title="Deadlines">
      <Card className="divide-y divide-line">
        {deadlines.map(({ name, due, state }) => (
          <div key={name} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-4 py-4 sm:px-5">
            <span className="min-w-0 flex-1 basis-52 font-medium">
              <bdi>{name}</bdi>
            </span>
            <span className="flex items-center gap-3 text-sm text-soft">
              {formatDue(due)}
              <Tag tone={deadlineWords[state].tone}>{deadlineWords[state].label}</Tag>
            </span>
          </div>
        ))}
      </Card>
    </Section>
  );
}

function Roster({ of: { roster } }: { of: Workflow }) {
  if (!roster.length) return null;
  return (
    <Section title="Team">
      <Card className="divide-y divide-line">
        {roster.map(({ id, kind, name, part }) => (
          <div key={id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-4 py-4 sm:px-5">
            <span className="min-w-0 flex-1 basis-52">
              <span className="block font-medium">
                <bdi>{name}</bdi>
              </span>
              <span className="mt-0.5 block text-sm text-soft">{part}</span>
            </span>
            <Tag>{memberWords[kind]}</Tag>
          </div>
        ))}
      </Card>
    </Section>
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
