import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Bot, Plus } from 'lucide-react';
import { getButtonClass } from '../../design/button.tsx';
import { ListPage } from '../../design/list-page.tsx';
import { Card } from '../../design/page.tsx';
import { useNow } from '../../design/time.tsx';
import { useUnasked } from '../actions/without-approval.ts';
import { brainsQuery } from '../../entities/brains.ts';
import { AgentDrawer } from './agent-drawer.tsx';
import { AgentRow } from './agent-row.tsx';
import { isInForce, type Agent } from './agents.ts';
import { QuickConnect } from './quick-connect.tsx';
import { sharedMemory } from './shared-memory.ts';
import { waitingByAgentQuery } from './requests.ts';
import { useAgents } from './use-agents.ts';

type Props = {
  /** The agent whose drawer is open. */
  agentId: string | undefined;
  onOpen: (agentId: string | undefined) => void;
};

/** All agents and scripts: their permissions, their last call, and how to stop them. */
export function AgentsPage({ agentId, onOpen }: Props) {
  const share = useUnasked();
  const now = useNow(30_000);
  const { agents: known, error, retry } = useAgents(now);
  const agents = known ?? [];
  const ended = agents.filter((agent) => !isInForce(agent, now));
  return (
    <ListPage
      title="Agents"
      lead={share && sharedMemory[share]}
      action={
        <Link to="/agents/connect" className={getButtonClass('primary')}>
          <Plus className="size-4" aria-hidden /> Connect an agent
        </Link>
      }
      noun="agents"
      query={{
        isPending: !known,
        error,
        refetch: retry,
        data: known?.filter((agent) => isInForce(agent, now)),
      }}
      getKey={({ id }) => id}
      getSearchText={({ name, mark }) => `${name} ${mark}`}
      renderRow={(agent) => <Row agent={agent} now={now} onOpen={onOpen} />}
      empty={{
        icon: <Bot />,
        title: 'No agents yet',
        children: 'Claude, ChatGPT, Cursor and any other MCP client appear here once you connect them.',
        action: (
          <Link to="/agents/connect" className={getButtonClass()}>
            Connect an agent
          </Link>
        ),
      }}
    >
      <QuickConnect />
      {ended.length > 0 && (
        <details className="mt-6">
          <summary className="w-fit rounded text-sm text-faint hover:text-ink">
            {ended.length} revoked or expired
          </summary>
          <Card className="mt-3 overflow-hidden">
            <ul aria-label="Revoked or expired" className="divide-y divide-line">
              {ended.map((agent) => (
                <Row key={agent.id} agent={agent} now={now} onOpen={onOpen} />
              ))}
            </ul>
          </Card>
        </details>
      )}
      <AgentDrawer agent={agents.find(({ id }) => id === agentId)} now={now} onClose={() => onOpen(undefined)} />
    </ListPage>
  );
}

function Row({ agent, now, onOpen }: { agent: Agent; now: Date; onOpen: (agentId: string) => void }) {
  const { data: brains } = useQuery(brainsQuery);
  const { data: waiting } = useQuery(waitingByAgentQuery);
  return (
    <AgentRow
      agent={agent}
      brain={brains?.find(({ id }) => id === agent.brainId)?.name}
      waiting={waiting?.get(agent.id) ?? 0}
      now={now}
      onOpen={() => onOpen(agent.id)}
    />
  );
}
