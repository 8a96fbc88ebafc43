import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Plus, Webhook } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../design/button.tsx';
import { Card, Page, Tag } from '../../design/page.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../design/states.tsx';
import { Ago } from '../../design/time.tsx';
import { NewWebhookDialog } from './new-webhook-dialog.tsx';
import { connectorsQuery, type ListedConnector } from '../../entities/webhook-connectors.ts';
import { providersQuery } from './requests.ts';
import { useHasScope } from '../../entities/me.ts';
import { PlaceTabs } from '../../design/place-tabs.tsx';
import { formatCount } from '../../design/format-count.ts';
import { outcomeText, outcomeTone, senderText, statusText, statusTone } from './words.ts';

/** All webhook connectors, with their health. */
export function WebhooksPage() {
  const { data, error, isPending, refetch } = useQuery(connectorsQuery);
  const [isAdding, setIsAdding] = useState(false);
  const add = useHasScope('connectors:write') && (
    <Button look="primary" icon={<Plus className="size-4" />} onClick={() => setIsAdding(true)}>
      New connector
    </Button>
  );
  return (
    <Page
      title="Webhooks"
      lead="Services such as GitHub or Stripe send their events here. A translator turns each event into memories."
      action={add}
    >
      <PlaceTabs className="-mt-2 mb-6 -ml-3" />
      <Card>
        {isPending && <Skeleton label="Loading connectors" />}
        {error && <ErrorState error={error} onRetry={() => void refetch()} />}
        {data && !data.length && (
          <EmptyState icon={<Webhook />} title="No webhook connectors yet">
            Create one for a service that sends webhooks. You get an address for it, and see its events here as they
            arrive.
          </EmptyState>
        )}
        {data && data.length > 0 && (
          <ul className="divide-y divide-line">
            {data.map((each) => (
              <Row key={each.webhook_connector_id} of={each} />
            ))}
          </ul>
        )}
      </Card>
      {isAdding && <NewWebhookDialog onClose={() => setIsAdding(false)} />}
    </Page>
  );
}

function Row({ of: connector }: { of: ListedConnector }) {
  const { data: providers = [] } = useQuery(providersQuery);
  const { webhook_connector_id: connectorId, name, status, last_event_at, last_outcome, failures_last_day } = connector;
  return (
    <li>
      <Link
        to="/webhooks/$connectorId"
        params={{ connectorId }}
        search={{}}
        className="flex flex-wrap items-center gap-x-4 gap-y-2 px-5 py-4 hover:bg-hover"
      >
        <span className="min-w-0 basis-full sm:flex-1 sm:basis-48">
          <span className="block truncate font-medium">{name}</span>
          <span className="block truncate text-sm text-soft">{senderText(connector, providers)}</span>
        </span>
        <span className="flex flex-wrap items-center gap-2 text-sm text-soft">
          {failures_last_day > 0 && <Tag tone="stop">{formatCount(failures_last_day, 'failure')} today</Tag>}
          {last_event_at && last_outcome && (
            <>
              <Tag tone={outcomeTone[last_outcome]}>{outcomeText[last_outcome]}</Tag>
              <Ago at={last_event_at} />
            </>
          )}
          {!last_event_at && 'No events yet'}
        </span>
        <Tag tone={statusTone[status]}>{statusText[status]}</Tag>
      </Link>
    </li>
  );
}
