import { AppWindow, Bot, ChevronRight, KeyRound } from 'lucide-react';
import { Tag } from '../../design/page.tsx';
import { Ago } from '../../design/time.tsx';
import { hasFullAccess, isInForce, computeAgentState, type Agent } from './agents.ts';

type Props = {
  agent: Agent;
  /** The name of the brain it writes to. Undefined until known. */
  brain: string | undefined;
  /** How many of its drafts wait for approval. */
  waiting: number;
  now: Date;
  onOpen: () => void;
};

/** One agent of the list. A click anywhere in the row opens it. */
export function AgentRow({ agent, brain, waiting, now, onOpen }: Props) {
  const Icon = agent.kind === 'client' ? AppWindow : hasFullAccess(agent) ? KeyRound : Bot;
  const isOver = !isInForce(agent, now);
  return (
    <li>
      <button
        onClick={onOpen}
        className="flex w-full items-center gap-3.5 px-4 py-3.5 text-left transition-colors hover:bg-hover focus-visible:-outline-offset-2 sm:px-5"
      >
        <span
          aria-hidden
          className="grid size-9 shrink-0 place-items-center rounded-xl border border-line bg-sunken text-soft"
        >
          <Icon className="size-4.5" />
        </span>
        <span className="grid min-w-0 flex-1 gap-x-6 gap-y-1 sm:grid-cols-[minmax(0,1fr)_auto] sm:items-center">
          <span className="min-w-0">
            <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
              <span className={`min-w-0 truncate text-sm font-medium ${isOver ? 'text-soft' : ''}`}>{agent.name}</span>
              <AgentTags agent={agent} />
            </span>
            <span className="mt-0.5 flex flex-wrap gap-x-2.5 text-[13px] text-faint">
              <span className={agent.kind === 'key' ? 'font-mono text-xs leading-5' : 'truncate'}>{agent.mark}</span>
              {brain && <span className="truncate">{brain}</span>}
            </span>
          </span>
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1 text-[13px] text-faint sm:justify-end">
            {waiting > 0 && <Tag tone="wait">{waiting === 1 ? '1 draft' : `${waiting} drafts`}</Tag>}
            <LastCall agent={agent} now={now} />
          </span>
        </span>
        <ChevronRight className="size-4 shrink-0 text-faint" aria-hidden />
      </button>
    </li>
  );
}

/** Unusual permissions of an agent. */
export function AgentTags({ agent }: { agent: Agent }) {
  const extra = agent.beyondDefault.length;
  return (
    <>
      {agent.pausedAt && !agent.revokedAt && <Tag tone="wait">Paused</Tag>}
      {hasFullAccess(agent) ? (
        <Tag tone="wait">Full access</Tag>
      ) : (
        extra > 0 && <Tag>{extra === 1 ? '1 extra permission' : `${extra} extra permissions`}</Tag>
      )}
      {agent.reach === 'brain' && <Tag>One brain</Tag>}
      {agent.rules.length > 0 && <Tag>Own rules</Tag>}
    </>
  );
}

function LastCall({ agent, now }: { agent: Agent; now: Date }) {
  const state = computeAgentState(agent, now);
  if (state === 'revoked' && agent.revokedAt)
    return (
      <span>
        Revoked <Ago at={agent.revokedAt} />
      </span>
    );
  if (state === 'expired' && agent.expiresAt)
    return (
      <span>
        Expired <Ago at={agent.expiresAt} />
      </span>
    );
  return agent.lastUsedAt ? (
    <span>
      Last call <Ago at={agent.lastUsedAt} />
    </span>
  ) : (
    <span>No call yet</span>
  );
}
