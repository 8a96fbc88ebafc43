import { useQuery } from '@tanstack/react-query';
import { linkOptions } from '@tanstack/react-router';
import { Cable, Plus, Webhook } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../design/button.tsx';
import { formatCount } from '../../design/format-count.ts';
import { ListPage, type ListQuery } from '../../design/list-page.tsx';
import { ListRow } from '../../design/list-row.tsx';
import { Tag } from '../../design/page.tsx';
import { Ago } from '../../design/time.tsx';
import { useHasScope } from '../../entities/me.ts';
import { connectorsQuery as webhooksQuery, type ListedConnector } from '../../entities/webhook-connectors.ts';
import { ConnectorDrawer } from '../ingest/connector-drawer.tsx';
import { connectorsQuery, type Connector } from '../ingest/requests.ts';
import { NewSourceDialog } from './new-source-dialog.tsx';
import { providersQuery } from './requests.ts';
import { outcomeText, outcomeTone, getConnectorSender, statusText, statusTone } from './words.ts';

type Props = {
  /** The connector whose drawer is open. */
  connectorId: string | undefined;
  onOpen: (connectorId: string | undefined) => void;
};

type Source = { kind: 'webhook'; webhook: ListedConnector } | { kind: 'connector'; connector: Connector };

/** All services that send items here: webhooks, and connectors of automation tools. */
export function SourcesPage({ connectorId, onOpen }: Props) {
  const [isAdding, setIsAdding] = useState(false);
  const query = useSources();
  const mayChange = useHasScope('connectors:write');
  const open = query.data?.find((source) => source.kind === 'connector' && getSourceId(source) === connectorId);
  return (
    <ListPage
      title="Sources"
      lead="Services and automation tools send events, mails and notes here. Each one becomes memories in the brain that it fits."
      action={
        mayChange && (
          <Button look="primary" icon={<Plus className="size-4" />} onClick={() => setIsAdding(true)}>
            New source
          </Button>
        )
      }
      noun="sources"
      query={query}
      getKey={getSourceId}
      getSearchText={(source) => (source.kind === 'webhook' ? source.webhook.name : source.connector.name)}
      renderRow={(source) =>
        source.kind === 'webhook' ? (
          <WebhookRow of={source.webhook} />
        ) : (
          <ConnectorRow of={source.connector} onOpen={() => onOpen(source.connector.connector_id)} />
        )
      }
      empty={{
        icon: <Webhook />,
        title: 'No sources yet',
        children:
          'Create one for a service that sends webhooks, such as GitHub or Stripe, or for Make, Zapier or n8n. Its events appear here as they arrive.',
      }}
    >
      {isAdding && <NewSourceDialog onClose={() => setIsAdding(false)} />}
      <ConnectorDrawer of={open?.kind === 'connector' ? open.connector : null} onClose={() => onOpen(undefined)} />
    </ListPage>
  );
}

function getSourceId(source: Source): string {
  return source.kind === 'webhook' ? source.webhook.webhook_connector_id : source.connector.connector_id;
}

/** Both kinds, once both lists have come. */
function useSources(): ListQuery<Source> {
  const webhooks = useQuery(webhooksQuery);
  const connectors = useQuery(connectorsQuery);
  const data =
    webhooks.data && connectors.data
      ? [
          ...webhooks.data.map((webhook): Source => ({ kind: 'webhook', webhook })),
          ...connectors.data.map((connector): Source => ({ kind: 'connector', connector })),
        ]
      : undefined;
  return {
    data,
    isPending: webhooks.isPending || connectors.isPending,
    error: webhooks.error ?? connectors.error,
    refetch: () => void Promise.all([webhooks.refetch(), connectors.refetch()]),
  };
}

function WebhookRow({ of: webhook }: { of: ListedConnector }) {
  const { data: providers = [] } = useQuery(providersQuery);
  const { webhook_connector_id: connectorId, name, status, last_event_at, last_outcome, failures_last_day } = webhook;
  return (
    <ListRow
      mark={<Webhook className="size-4 shrink-0 text-faint" aria-hidden />}
      name={name}
      detail={`Webhook · ${getConnectorSender(webhook, providers)}`}
      link={linkOptions({ to: '/sources/$connectorId', params: { connectorId }, search: {} })}
    >
      {failures_last_day > 0 && <Tag tone="stop">{formatCount(failures_last_day, 'failure')} today</Tag>}
      {last_event_at && last_outcome && (
        <>
          <Tag tone={outcomeTone[last_outcome]}>{outcomeText[last_outcome]}</Tag>
          <Ago at={last_event_at} />
        </>
      )}
      {!last_event_at && 'No events yet'}
      <Tag tone={statusTone[status]}>{statusText[status]}</Tag>
    </ListRow>
  );
}

function ConnectorRow({ of: connector, onOpen }: { of: Connector; onOpen: () => void }) {
  const { name, source, connector_type: type, token_prefix: prefix, last_used_at: usedAt } = connector;
  return (
    <ListRow
      mark={<Cable className="size-4 shrink-0 text-faint" aria-hidden />}
      name={name}
      detail={['Connector', source, prefix && `${prefix}…`].filter(Boolean).join(' · ')}
      onOpen={onOpen}
    >
      {usedAt ? (
        <span>
          Last used <Ago at={usedAt} />
        </span>
      ) : (
        'Never used'
      )}
      <Tag>{type === 'shared' ? 'Shared' : 'Personal'}</Tag>
    </ListRow>
  );
}
