import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Blocks, ChevronRight } from 'lucide-react';
import { Page, Tag } from '../../design/page.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../design/states.tsx';
import { CameBackNotice, type CameBack } from './came-back.tsx';
import { ConnectButton } from './connect-button.tsx';
import { integrationsQuery, type Integration } from './requests.ts';
import { SourceSign } from './source-sign.tsx';

/** What can be linked, what is, and what that allows. */
export function IntegrationsPage(cameBack: CameBack) {
  const { data: integrations, error, isPending, refetch } = useQuery(integrationsQuery);
  return (
    <Page
      title="Integrations"
      lead="Link an account once. Your agents use it through this server and never see a password or a token."
      isWide
    >
      <CameBackNotice {...cameBack} />
      {isPending && <Skeleton label="Loading integrations" />}
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {integrations?.length === 0 && <EmptyState icon={<Blocks />} title="No integrations on this server" />}
      <ul className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3">
        {integrations?.map((integration) => (
          <IntegrationCard key={integration.name} integration={integration} />
        ))}
      </ul>
    </Page>
  );
}

function IntegrationCard({ integration }: { integration: Integration }) {
  const { name, label, description, supports } = integration;
  const account = integration.accounts.find(({ status }) => status === 'active');
  const broken = integration.accounts.find(({ status }) => status !== 'active');
  return (
    <li className="flex flex-col rounded-2xl border border-line bg-surface p-5 shadow-card">
      <div className="flex items-start gap-3.5">
        <SourceSign name={name} />
        <div className="min-w-0 flex-1">
          <h2 className="text-[15px] font-semibold">
            <Link
              to="/integrations/$source"
              params={{ source: name }}
              search={{}}
              className="flex items-center gap-1 rounded hover:underline"
            >
              {label} <ChevronRight className="size-4 text-faint" aria-hidden />
            </Link>
          </h2>
          <p className="mt-1 text-sm leading-relaxed text-soft">{description}</p>
        </div>
      </div>
      <div className="mt-4 flex flex-1 items-end justify-between gap-3">
        <p className="flex min-w-0 flex-wrap items-center gap-1.5 text-[13px] text-faint">
          {account ? (
            <>
              <span aria-hidden className="size-1.5 rounded-full bg-go" />
              <span className="truncate text-soft">{account.account}</span>
            </>
          ) : broken ? (
            <Tag tone={broken.status === 'revoked' ? 'stop' : 'wait'}>
              {broken.status === 'revoked' ? 'Link again' : 'A permission is missing'}
            </Tag>
          ) : (
            capabilities(supports)
          )}
        </p>
        {!account && <ConnectButton integration={integration} returnTo="/integrations" />}
      </div>
    </li>
  );
}

function capabilities({ fetch, act }: Integration['supports']): string {
  return [fetch && 'Reads', act && 'writes with your yes'].filter(Boolean).join(', ');
}
