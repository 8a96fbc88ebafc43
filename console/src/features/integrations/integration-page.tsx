import { useQuery } from '@tanstack/react-query';
import { ShieldCheck } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { BackLink } from '../../design/back-link.tsx';
import { Button } from '../../design/button.tsx';
import { Card, Page } from '../../design/page.tsx';
import { ErrorState, Skeleton } from '../../design/states.tsx';
import { AccountsCard } from '../connections/accounts-card.tsx';
import { ProviderSetup } from '../connections/provider-setup.tsx';
import { CameBackNotice, type CameBack } from './came-back.tsx';
import { ConnectButton } from './connect-button.tsx';
import { PullCard } from './pull-card.tsx';
import { integrationsQuery, type Integration } from './requests.ts';

/** One integration: its accounts, what it is allowed and why, and pulling from it now. */
export function IntegrationPage({ source, ...cameBack }: CameBack & { source: string }) {
  const { data: integrations, error, isPending, refetch } = useQuery(integrationsQuery);
  const integration = integrations?.find(({ name }) => name === source);
  return (
    <Page
      title={integration?.label ?? 'Integration'}
      back={<BackLink to="/integrations">All integrations</BackLink>}
      lead={integration?.description}
      action={
        integration?.is_configured && (
          <ConnectButton integration={integration} returnTo={`/integrations/${source}`} isPrimary />
        )
      }
    >
      <CameBackNotice {...cameBack} />
      {isPending && <Skeleton label="Loading the integration" />}
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {integrations && !integration && <ErrorState error={new Error(`This server has no integration “${source}”.`)} />}
      {integration && <Details integration={integration} />}
    </Page>
  );
}

function Details({ integration }: { integration: Integration }) {
  const { accounts, is_configured: isConfigured, oauth_provider: provider, supports } = integration;
  return (
    <div className="space-y-8">
      {provider && !isConfigured && (
        <Section title="Set Google up, once for the whole workspace">
          <Card className="p-5 sm:p-6">
            <ProviderSetup provider={provider} />
          </Card>
        </Section>
      )}
      {accounts.length > 0 && (
        <Section title="Accounts">
          <AccountsCard accounts={accounts} />
        </Section>
      )}
      {integration.connected && supports.fetch && (
        <Section title="Pull now">
          <PullCard integration={integration} />
        </Section>
      )}
      <Scopes integration={integration} />
      {provider && isConfigured && <ChangeClient provider={provider} />}
    </div>
  );
}

function Scopes({ integration: { scopes, supports } }: { integration: Integration }) {
  return (
    <Section title="What it asks for, and why">
      <Card>
        <ul className="divide-y divide-line">
          {scopes.map(({ scope, why }) => (
            <li key={scope} className="px-5 py-3.5">
              <p className="text-sm">{why}</p>
              <p className="mt-0.5 font-mono text-xs text-faint wrap-anywhere">{scope}</p>
            </li>
          ))}
        </ul>
        {supports.act && (
          <p className="flex gap-2.5 border-t border-line bg-go-wash px-5 py-3 text-sm text-go last:rounded-b-2xl">
            <ShieldCheck className="mt-0.5 size-4 shrink-0" aria-hidden />
            Nothing is sent, changed or deleted there before you approve it.
          </p>
        )}
      </Card>
    </Section>
  );
}

function ChangeClient({ provider }: { provider: string }) {
  const [isOpen, setIsOpen] = useState(false);
  if (!isOpen)
    return (
      <Button look="quiet" size="small" onClick={() => setIsOpen(true)}>
        Change the OAuth client
      </Button>
    );
  return (
    <Section title="Change the OAuth client">
      <Card className="p-5 sm:p-6">
        <ProviderSetup provider={provider} onDone={() => setIsOpen(false)} />
      </Card>
    </Section>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h2 className="mb-3 text-[15px] font-semibold">{title}</h2>
      {children}
    </section>
  );
}
