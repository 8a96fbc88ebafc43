import { useQuery } from '@tanstack/react-query';
import { linkOptions } from '@tanstack/react-router';
import { Plus, Webhook } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../design/button.tsx';
import { formatCount } from '../../design/format-count.ts';
import { ListPage } from '../../design/list-page.tsx';
import { ListRow } from '../../design/list-row.tsx';
import { Tag } from '../../design/page.tsx';
import { Ago } from '../../design/time.tsx';
import { useHasScope } from '../../entities/me.ts';
import { connectorsQuery, type ListedConnector } from '../../entities/webhook-connectors.ts';
import { NewWebhookDialog } from './new-webhook-dialog.tsx';
import { providersQuery } from './requests.ts';
import { outcomeText, outcomeTone, getConnectorSender, statusText, statusTone } from './words.ts';

/** All webhook connectors, with their health. */
export function WebhooksPage() {
  const [isAdding, setIsAdding] = useState(false);
  const add = useHasScope('connectors:write') && (
    <Button look="primary" icon={<Plus className="size-4" />} onClick={() => setIsAdding(true)}>
      New connector
    </Button>
  );
  return (
    <ListPage
      title="Webhooks"
      lead="Services such as GitHub or Stripe send their events here. A translator turns each event into memories."
      action={add}
      noun="connectors"
      query={useQuery(connectorsQuery)}
      getKey={({ webhook_connector_id }) => webhook_connector_id}
      renderRow={(connector) => <ConnectorRow of={connector} />}
      empty={{
        icon: <Webhook />,
        title: 'No webhook connectors yet',
        children:
          'Create one for a service that sends webhooks. You get an address for it, and see its events here as they arrive.',
      }}
    >
      {isAdding && <NewWebhookDialog onClose={() => setIsAdding(false)} />}
    </ListPage>
  );
}

function ConnectorRow({ of: connector }: { of: ListedConnector }) {
  const { data: providers = [] } = useQuery(providersQuery);
  const { webhook_connector_id: connectorId, name, status, last_event_at, last_outcome, failures_last_day } = connector;
  return (
    <ListRow
      name={name}
      detail={getConnectorSender(connector, providers)}
      link={linkOptions({ to: '/webhooks/$connectorId', params: { connectorId }, search: {} })}
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
