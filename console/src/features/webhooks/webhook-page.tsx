import { useQuery } from '@tanstack/react-query';
import { linkOptions } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { ObjectPage } from '../../design/object-page.tsx';
import type { QueryState } from '../../design/query-state.tsx';
import { Notice, Skeleton } from '../../design/states.tsx';
import { brainsQuery } from '../../entities/brains.ts';
import { RoutesSection } from '../outputs/routes-section.tsx';
import { Activation } from './activation.tsx';
import { connectorTabs, type ConnectorAddress, type ConnectorTab } from './address.ts';
import { useConnectorActions } from './connector-actions.tsx';
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

/** One connector: events, translator, routes and setup. */
export function WebhookPage({ connectorId, address, onChange }: Props) {
  const query = useQuery(buildConnectorQuery(connectorId));
  const { data } = query;
  if (!data)
    return (
      <ObjectPage title="Webhook" noun="connector" query={query}>
        {null}
      </ObjectPage>
    );
  return <LoadedPage of={data} query={query} address={address} onChange={onChange} />;
}

type LoadedProps = Omit<Props, 'connectorId'> & { of: Connector; query: QueryState };

function LoadedPage({ of: connector, query, address, onChange }: LoadedProps) {
  const { data: providers = [] } = useQuery(providersQuery);
  const { data: brains } = useQuery(brainsQuery);
  const { state, action, more, dialog } = useConnectorActions(connector);
  const { webhook_connector_id: connectorId, name, brain_id, status_reason, has_unread_secret } = connector;
  const brain = brains?.find(({ id }) => id === brain_id);
  const lead = [getConnectorSender(connector, providers), brain && `stores in ${brain.name}`];
  const tab = address.part ?? (has_unread_secret ? 'setup' : 'events');
  return (
    <ObjectPage
      title={name}
      lead={lead.filter(Boolean).join(' · ')}
      noun="connector"
      query={query}
      state={state}
      action={action}
      more={more}
      tabs={connectorTabs.map((part) => ({
        label: tabText[part],
        link: linkOptions({ to: '/sources/$connectorId', params: { connectorId }, search: { part } }),
        isChosen: part === tab,
      }))}
    >
      {status_reason && (
        <div className="mb-6">
          <Notice tone="stop">{status_reason}</Notice>
        </div>
      )}
      <Activation of={connector} />
      <Suspense fallback={<Skeleton label="Loading" />}>
        <Tab of={connector} {...{ tab, address, onChange }} />
      </Suspense>
      {dialog}
    </ObjectPage>
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
