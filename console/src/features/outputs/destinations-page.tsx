import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Plus, Send } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../design/button.tsx';
import { Card, Page, Tag } from '../../design/page.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../design/states.tsx';
import { Ago } from '../../design/time.tsx';
import { useHasScope } from '../../entities/me.ts';
import { PlaceTabs } from '../../design/place-tabs.tsx';
import { formatCount } from '../../design/format-count.ts';
import { NewDestinationDialog } from './new-destination-dialog.tsx';
import { destinationsQuery, type Destination } from './requests.ts';
import { deliveryText, deliveryTone, statusText, statusTone } from './words.ts';

/** All destinations, with the health of their deliveries. */
export function DestinationsPage() {
  const { data, error, isPending, refetch } = useQuery(destinationsQuery);
  const [isAdding, setIsAdding] = useState(false);
  const mayChange = useHasScope('connectors:write');
  return (
    <Page
      title="Webhooks"
      lead="Pass events on to your own services, signed and retried for three days, or read them from a feed."
      action={
        mayChange && (
          <Button look="primary" icon={<Plus className="size-4" />} onClick={() => setIsAdding(true)}>
            New destination
          </Button>
        )
      }
    >
      <PlaceTabs className="-mt-2 mb-6 -ml-3" />
      <Card>
        {isPending && <Skeleton label="Loading destinations" />}
        {error && <ErrorState error={error} onRetry={() => void refetch()} />}
        {data && !data.length && (
          <EmptyState icon={<Send />} title="No destinations yet">
            Register the address of a service, or a feed that a program reads. It gets nothing until you attach a route.
          </EmptyState>
        )}
        {data && data.length > 0 && (
          <ul className="divide-y divide-line">
            {data.map((each) => (
              <Row key={each.output_destination_id} of={each} />
            ))}
          </ul>
        )}
      </Card>
      {isAdding && <NewDestinationDialog onClose={() => setIsAdding(false)} />}
    </Page>
  );
}

function Row({ of: destination }: { of: Destination }) {
  const { output_destination_id: destinationId, name, output_destination_url: url, status } = destination;
  const { output_destination_kind: kind } = destination;
  const { failing_since, failures_last_day, last_delivery_at, last_delivery_status: last } = destination;
  return (
    <li>
      <Link
        to="/webhooks/outgoing/$destinationId"
        params={{ destinationId }}
        className="flex flex-wrap items-center gap-x-4 gap-y-2 px-5 py-4 hover:bg-hover"
      >
        <span className="min-w-0 basis-full sm:flex-1 sm:basis-48">
          <span className="block truncate font-medium">{name}</span>
          <span className="block truncate text-sm text-soft">{kind === 'feed' ? 'Feed, read with a token' : url}</span>
        </span>
        <span className="flex flex-wrap items-center gap-2 text-sm text-soft">
          {failing_since && (
            <Tag tone="stop">
              Failing since <Ago at={failing_since} />
            </Tag>
          )}
          {failures_last_day > 0 && <Tag tone="stop">{formatCount(failures_last_day, 'failure')} today</Tag>}
          {last_delivery_at && last ? (
            <>
              <Tag tone={deliveryTone[last]}>{deliveryText[kind][last]}</Tag>
              <Ago at={last_delivery_at} />
            </>
          ) : (
            'No deliveries yet'
          )}
        </span>
        <Tag tone={statusTone[status]}>{statusText[status]}</Tag>
      </Link>
    </li>
  );
}
