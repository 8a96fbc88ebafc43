import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ObjectPage } from '../../design/object-page.tsx';
import { Card, Tag } from '../../design/page.tsx';
import type { QueryState } from '../../design/query-state.tsx';
import { Notice } from '../../design/states.tsx';
import { Ago } from '../../design/time.tsx';
import { DeliveriesSection } from './deliveries-section.tsx';
import { useDestinationActions } from './destination-actions.tsx';
import { DestinationSettings } from './destination-settings.tsx';
import { destinationsQuery, type Destination } from './requests.ts';
import { RoutesSection } from './routes-section.tsx';
import { SecretSection } from './secret-section.tsx';
import { deliveryText, deliveryTone, statusText, statusTone } from './words.ts';

/** One destination: health, routes, deliveries and secret. */
export function DestinationPage({ destinationId }: { destinationId: string }) {
  const query = useQuery(destinationsQuery);
  const destination = query.data?.find((each) => each.output_destination_id === destinationId);
  if (!destination)
    return (
      <ObjectPage title="Destination" noun="destination" query={query}>
        <Notice tone="plain">This destination does not exist, or it was deleted.</Notice>
      </ObjectPage>
    );
  return <Loaded of={destination} query={query} />;
}

function Loaded({ of: destination, query }: { of: Destination; query: QueryState }) {
  const { name, output_destination_url: url, status } = destination;
  const { action, more, dialog } = useDestinationActions(destination);
  return (
    <ObjectPage
      title={name}
      lead={url}
      state={<Tag tone={statusTone[status]}>{statusText[status]}</Tag>}
      noun="destination"
      query={query}
      action={action}
      more={more}
    >
      <div className="space-y-8">
        <Health of={destination} />
        <SecretSection of={destination} />
        <RoutesSection destination={destination} />
        <DeliveriesSection of={destination} />
        <DestinationSettings of={destination} />
      </div>
      {dialog}
    </ObjectPage>
  );
}

function describePause({ output_destination_kind: kind, waiting_deliveries: waiting }: Destination): string {
  if (kind === 'feed') return 'Paused. Its reader is refused until you start it again.';
  return `Paused. ${waiting === 1 ? '1 delivery waits' : `${waiting.toLocaleString()} deliveries wait`}.`;
}

function Health({ of: destination }: { of: Destination }) {
  const { status, failing_since, waiting_deliveries: waiting, failures_last_day, last_delivery_at } = destination;
  const { output_destination_kind: kind, last_delivery_status: last } = destination;
  const facts: [string, ReactNode][] = [
    [
      kind === 'feed' ? 'Last event' : 'Last delivery',
      last_delivery_at && last ? (
        <span className="flex flex-wrap items-center gap-2">
          <Tag tone={deliveryTone[last]}>{deliveryText[kind][last]}</Tag> <Ago at={last_delivery_at} />
        </span>
      ) : (
        'None yet'
      ),
    ],
    [deliveryText[kind].waiting, waiting.toLocaleString()],
    [kind === 'feed' ? 'Dropped, last 24 hours' : 'Failed, last 24 hours', failures_last_day.toLocaleString()],
  ];
  return (
    <div className="space-y-3">
      {status === 'gone' && (
        <Notice tone="stop">The address answered 410 Gone, so nothing is sent to it. Change it, or start again.</Notice>
      )}
      {status === 'paused' && <Notice tone="wait">{describePause(destination)}</Notice>}
      {destination.status_reason && <Notice tone="stop">{destination.status_reason}</Notice>}
      {status === 'active' && failing_since && (
        <Notice tone="stop">
          Every delivery fails since <Ago at={failing_since} />. After five days it is paused.
        </Notice>
      )}
      <Card>
        <dl className="grid divide-line max-sm:divide-y sm:grid-cols-3 sm:divide-x">
          {facts.map(([label, value]) => (
            <div key={label} className="px-5 py-3.5">
              <dt className="text-[13px] text-faint">{label}</dt>
              <dd className="mt-0.5 text-sm font-medium">{value}</dd>
            </div>
          ))}
        </dl>
      </Card>
    </div>
  );
}
