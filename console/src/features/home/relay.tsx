import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { joinClassNames } from '../../design/class-names.ts';
import { Mark } from '../../design/mark.tsx';
import { Card } from '../../design/page.tsx';
import { Ago, useNow } from '../../design/time.tsx';
import { hasFullAccess, isInForce } from '../accounts/agents.ts';
import { useAgents } from '../accounts/use-agents.ts';
import { useUnasked, type AllowedShare } from '../actions/without-approval.ts';
import { useWaitingCount } from '../actions/use-waiting-count.ts';
import { integrationsQuery, type Account, type Integration } from '../integrations/requests.ts';

const mostShown = 4;
const recentMs = 24 * 3_600_000;

/** The whole product in one picture: agents on one side, your accounts on the other, the gate between them. */
export function Relay() {
  const waiting = useWaitingCount();
  return (
    <Card className="grid items-stretch overflow-hidden md:grid-cols-[1fr_auto_1fr]">
      <Agents />
      <Gate waiting={waiting} />
      <Accounts />
    </Card>
  );
}

function Agents() {
  const now = useNow(60_000);
  const agents = (useAgents(now).agents ?? [])
    .filter((agent) => isInForce(agent, now) && !hasFullAccess(agent))
    .toSorted((one, other) => (other.lastUsedAt ?? '').localeCompare(one.lastUsedAt ?? ''));
  return (
    <Side
      title="Agents"
      to="/agents/connect"
      action="Connect"
      isEmpty={!agents.length}
      empty="No agents connected yet."
    >
      {agents.slice(0, mostShown).map(({ id, name, lastUsedAt }) => (
        <Node
          key={id}
          name={name}
          isLit={lastUsedAt !== null && now.getTime() - Date.parse(lastUsedAt) < recentMs}
          state={lastUsedAt ? <Ago at={lastUsedAt} /> : 'no call yet'}
        />
      ))}
    </Side>
  );
}

function Accounts() {
  const { data: integrations = [] } = useQuery(integrationsQuery);
  const ordered = integrations.toSorted((one, other) => rankIntegration(one) - rankIntegration(other));
  const linked = integrations.filter((each) => rankIntegration(each) < unlinked).length;
  return (
    <Side
      title="Accounts"
      to="/integrations"
      action="Connect"
      isEmpty={!integrations.length}
      empty="No accounts connected yet."
    >
      {ordered.slice(0, mostShown).map((each) => (
        <Node
          key={each.name}
          name={each.label}
          isLit={rankIntegration(each) === working}
          state={describeAccounts(each.accounts)}
        />
      ))}
      {linked > mostShown && <li className="text-[13px] text-faint">and {linked - mostShown} more</li>}
    </Side>
  );
}

const [ended, working, unlinked] = [0, 1, 2];

/** Order: integrations with errors, then working ones, then unlinked ones. */
function rankIntegration({ accounts }: Integration): number {
  if (!accounts.length) return unlinked;
  return accounts.some(({ status }) => status !== 'active') ? ended : working;
}

function describeAccounts(accounts: readonly Account[]): string {
  const toMend = accounts.find(({ status }) => status !== 'active');
  if (toMend) return `reconnect ${toMend.account}`;
  return accounts[0]
    ? `${accounts[0].account}${accounts.length > 1 ? ` and ${accounts.length - 1} more` : ''}`
    : 'not connected';
}

const passing: Record<AllowedShare, string> = {
  none: 'Actions need your approval',
  some: 'Some actions run without approval',
  all: 'Actions run without approval',
};

function Gate({ waiting }: { waiting: number }) {
  const share = useUnasked();
  return (
    <Link
      to="/inbox"
      className="relative flex flex-row items-center justify-center gap-4 border-line bg-sunken px-8 py-6 transition-colors hover:bg-hover focus-visible:-outline-offset-2 max-md:border-y md:min-w-52 md:flex-col md:border-x"
    >
      <Mark className="size-14" signal={waiting > 0 ? 'calls' : 'passes'} />
      <span className="md:text-center">
        <span className="block text-sm font-semibold">
          {waiting === 0 ? 'No drafts to review' : `${waiting} ${waiting === 1 ? 'draft' : 'drafts'} to review`}
        </span>
        <span className="block min-h-lh text-[13px] text-faint">{share && passing[share]}</span>
      </span>
    </Link>
  );
}

type SideProps = {
  title: string;
  to: '/agents/connect' | '/integrations';
  action: string;
  isEmpty: boolean;
  empty: string;
  children: ReactNode;
};

function Side({ title, to, action, isEmpty, empty, children }: SideProps) {
  return (
    <section className="min-w-0 px-5 py-5 sm:px-6">
      <div className="mb-3 flex items-center justify-between">
        <h2 className="text-[13px] font-medium text-faint">{title}</h2>
        <Link to={to} search={{}} className="rounded text-[13px] font-medium text-soft hover:text-ink">
          {action}
        </Link>
      </div>
      {isEmpty ? <p className="text-sm text-soft">{empty}</p> : <ul className="space-y-2.5">{children}</ul>}
    </section>
  );
}

function Node({ name, state, isLit }: { name: string; state: ReactNode; isLit: boolean }) {
  return (
    <li className="flex items-center gap-2.5 text-sm">
      <span aria-hidden className={joinClassNames('size-2 shrink-0 rounded-full', isLit ? 'bg-go' : 'bg-edge')} />
      <span className="shrink-0 font-medium">{name}</span>
      <span className="min-w-0 flex-1 truncate text-right text-[13px] text-faint">{state}</span>
    </li>
  );
}
