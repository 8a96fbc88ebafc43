import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { BackLink } from '../../design/back-link.tsx';
import { Page } from '../../design/page.tsx';
import { ErrorState, Notice, Skeleton } from '../../design/states.tsx';
import { brainsQuery } from '../../entities/brains.ts';
import { RoutesSection } from '../outputs/routes-section.tsx';
import { Activation } from './activation.tsx';
import { connectorTabs, type ConnectorAddress, type ConnectorTab } from './address.ts';
import { ConnectorActions } from './connector-actions.tsx';
import { EventsTab } from './events-tab.tsx';
import { buildConnectorQuery, providersQuery } from './requests.ts';
import { type Connector } from '../../entities/webhook-connectors.ts';
import { SetupTab } from './setup-tab.tsx';
import { getConnectorSender } from './words.ts';

const TranslatorTab = lazy(() => import('./translator-tab.tsx').then((loaded) => ({ default: loaded.TranslatorTab })));

const tabText: Record<ConnectorTab, string> = {
  events: 'Events',
  translator: 'Translator',
  routes: 'Routes',
  setup: 'Set-up',
};

type Props = { connectorId: string; address: ConnectorAddress; onChange: (change: ConnectorAddress) => void };

/** One connector: events, translator, routes and set-up. */
export function WebhookPage({ connectorId, address, onChange }: Props) {
  const { data, error, isPending, refetch } = useQuery(buildConnectorQuery(connectorId));
  const { data: providers = [] } = useQuery(providersQuery);
  const { data: brains } = useQuery(brainsQuery);
  const back = <BackLink to="/webhooks">Webhooks</BackLink>;
  if (!data)
    return (
      <Page title="Webhook connector" back={back}>
        {isPending && <Skeleton label="Loading the connector" />}
        {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      </Page>
    );
  const brain = brains?.find(({ id }) => id === data.brain_id);
  const lead = [getConnectorSender(data, providers), brain && `stores in ${brain.name}`].filter(Boolean).join(' · ');
  const tab = address.part ?? (data.has_unread_secret ? 'setup' : 'events');
  return (
    <Page title={data.name} lead={lead} back={back} isWide action={<ConnectorActions of={data} />}>
      {data.status_reason && (
        <div className="mb-6">
          <Notice tone="stop">{data.status_reason}</Notice>
        </div>
      )}
      <Activation of={data} />
      <TabBar connectorId={connectorId} chosen={tab} />
      <Suspense fallback={<Skeleton label="Loading" />}>
        <Tab of={data} {...{ tab, address, onChange }} />
      </Suspense>
    </Page>
  );
}

function TabBar({ connectorId, chosen }: { connectorId: string; chosen: ConnectorTab }) {
  return (
    <nav
      aria-label="About this connector"
      className="mb-6 -ml-3 flex gap-1 overflow-x-auto border-b border-line pb-2 max-sm:mr-[-1rem]"
    >
      {connectorTabs.map((tab) => (
        <Link
          key={tab}
          to="/webhooks/$connectorId"
          params={{ connectorId }}
          search={{ part: tab }}
          activeOptions={{ exact: true }}
          aria-current={tab === chosen ? 'page' : undefined}
          className="flex h-8 shrink-0 items-center rounded-lg px-3 text-sm text-soft hover:bg-hover hover:text-ink focus-visible:-outline-offset-2 aria-[current=page]:bg-hover aria-[current=page]:font-medium aria-[current=page]:text-ink"
        >
          {tabText[tab]}
        </Link>
      ))}
    </nav>
  );
}

type TabProps = {
  of: Connector;
  tab: ConnectorTab;
  address: ConnectorAddress;
  onChange: (change: ConnectorAddress) => void;
};

function Tab({ of: connector, tab, address, onChange }: TabProps) {
  if (tab === 'translator') return <TranslatorTab of={connector} />;
  if (tab === 'routes') return <RoutesSection connector={connector} />;
  if (tab === 'setup') return <SetupTab of={connector} />;
  return <EventsTab of={connector} address={address} onChange={onChange} />;
}
