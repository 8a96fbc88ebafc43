import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Check } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../design/button.tsx';
import { Drawer } from '../../design/drawer.tsx';
import { DrawerSection } from '../../design/drawer-section.tsx';
import { Tag } from '../../design/page.tsx';
import { Ago, formatExactMoment } from '../../design/time.tsx';
import { describeDraftStatus } from '../actions/draft-words.ts';
import { effectWords, describeRule } from '../actions/rule-words.ts';
import { brainsQuery } from '../../entities/brains.ts';
import { EditAgent } from './edit-agent.tsx';
import { NarrowButton, PauseButton, RenameAgent, RotateKey } from './agent-actions.tsx';
import { AgentTags } from './agent-row.tsx';
import { isInForce, type Agent } from './agents.ts';
import { buildAgentActivityQuery } from './requests.ts';
import { RevokeAgentDialog } from './revoke-agent-dialog.tsx';
import { describeScopes } from './scope-words.ts';

type Props = { agent: Agent | undefined; now: Date; onClose: () => void };

/** All details of one agent, beside the list. */
export function AgentDrawer({ agent, now, onClose }: Props) {
  const [isRevoking, setIsRevoking] = useState(false);
  return (
    <>
      <Drawer isOpen={agent !== undefined && !isRevoking} onClose={onClose} title={agent?.name ?? ''}>
        {agent && <AgentDetails agent={agent} now={now} onRevoke={() => setIsRevoking(true)} />}
      </Drawer>
      <RevokeAgentDialog agent={isRevoking ? agent : undefined} onClose={() => setIsRevoking(false)} />
    </>
  );
}

function AgentDetails({ agent, now, onRevoke }: { agent: Agent; now: Date; onRevoke: () => void }) {
  return (
    <div className="space-y-6">
      <div className="flex flex-wrap gap-1.5 empty:hidden">
        <AgentTags agent={agent} />
      </div>
      <Facts agent={agent} />
      <Permissions agent={agent} />
      <Activity agent={agent} />
      {isInForce(agent, now) && (
        <div className="flex flex-wrap gap-2 border-t border-line pt-4">
          <EditAgent key={agent.id} agent={agent} now={now} />
          <PauseButton agent={agent} />
          {agent.kind === 'key' && (
            <>
              <RenameAgent agent={agent} />
              <RotateKey key={agent.id} agent={agent} />
            </>
          )}
          <Button look="stop" onClick={onRevoke}>
            {agent.kind === 'key' ? 'Revoke' : 'Disconnect'}
          </Button>
        </div>
      )}
    </div>
  );
}

function Facts({ agent }: { agent: Agent }) {
  const { data: brains } = useQuery(brainsQuery);
  const brain = brains?.find(({ id }) => id === agent.brainId)?.name;
  const facts = [
    agent.kind === 'key'
      ? { label: 'Key', value: <span className="font-mono text-xs">{agent.mark}</span> }
      : { label: 'Runs at', value: agent.mark },
    ...(agent.person === null ? [] : [{ label: 'Connected by', value: agent.person }]),
    { label: 'Writes to', value: brain ?? '…' },
    {
      label: 'Reads',
      value: agent.reach === 'owner' ? 'Everything that its person may read' : 'That brain and those above',
    },
    { label: 'Last call', value: agent.lastUsedAt ? <Ago at={agent.lastUsedAt} /> : 'None yet' },
    { label: 'Connected', value: <Ago at={agent.createdAt} /> },
    ...(agent.previousUntil
      ? [{ label: 'Previous key', value: `Works until ${formatExactMoment(agent.previousUntil)}` }]
      : []),
    ...(agent.places.length ? [{ label: 'Networks', value: agent.places.map(({ place }) => place).join(', ') }] : []),
    ...(agent.expiresAt ? [{ label: 'Expires', value: formatExactMoment(agent.expiresAt) }] : []),
    ...(agent.revokedAt
      ? [{ label: agent.kind === 'key' ? 'Revoked' : 'Disconnected', value: formatExactMoment(agent.revokedAt) }]
      : []),
    ...(agent.endReason === null ? [] : [{ label: 'Why', value: agent.endReason }]),
  ];
  return (
    <dl className="grid grid-cols-[6.5rem_minmax(0,1fr)] gap-x-4 gap-y-2 text-sm">
      {facts.map(({ label, value }) => (
        <div key={label} className="contents">
          <dt className="text-faint">{label}</dt>
          <dd className="min-w-0 wrap-anywhere">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Permissions({ agent }: { agent: Agent }) {
  const extra = describeScopes(agent.beyondDefault);
  const usual = describeScopes(agent.scopes).filter((words) => !extra.includes(words));
  return (
    <DrawerSection title="Permissions">
      {extra.length > 0 && (
        <div className="mb-3 rounded-xl bg-wait-wash px-3.5 py-3 text-sm text-wait">
          <p className="mb-1.5 font-medium">More than a new agent gets</p>
          <ul aria-label="Extra permissions" className="mb-3 space-y-1">
            {extra.map((words) => (
              <li key={words}>{words}</li>
            ))}
          </ul>
          {!agent.revokedAt && <NarrowButton agent={agent} />}
        </div>
      )}
      <ul className="grid gap-x-4 gap-y-1 text-sm text-soft sm:grid-cols-2">
        {usual.map((words) => (
          <li key={words} className="flex gap-2">
            <Check className="mt-0.5 size-4 shrink-0 text-go" aria-hidden />
            {words}
          </li>
        ))}
      </ul>
      {agent.rules.length > 0 && (
        <ul aria-label="Own rules" className="mt-3 space-y-1.5 border-t border-line pt-3 text-sm text-soft">
          {agent.rules.map((rule) => (
            <li key={describeRule(rule)} className="flex flex-wrap gap-2">
              <Tag tone={effectWords[rule.effect].tone}>{effectWords[rule.effect].label}</Tag>
              {describeRule(rule)}
            </li>
          ))}
        </ul>
      )}
    </DrawerSection>
  );
}

function Activity({ agent }: { agent: Agent }) {
  const { data: drafts } = useQuery(buildAgentActivityQuery(agent.id));
  return (
    <DrawerSection title="Recent drafts">
      {drafts && !drafts.length && <p className="text-sm text-soft">Its drafts will appear here.</p>}
      <ul className="-mx-2">
        {drafts?.map((draft) => (
          <li key={draft.draft_id}>
            <Link
              to="/inbox/$draftId"
              params={{ draftId: draft.draft_id }}
              className="flex items-center gap-3 rounded-lg px-2 py-1.5 text-sm hover:bg-hover"
            >
              <span className="min-w-0 flex-1 truncate">{draft.preview.title}</span>
              <Tag tone={describeDraftStatus(draft).tone}>{describeDraftStatus(draft).label}</Tag>
              <span className="text-[13px] text-faint">
                <Ago at={draft.created_at} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </DrawerSection>
  );
}
