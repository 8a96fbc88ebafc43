import { useQuery } from '@tanstack/react-query';
import { linkOptions } from '@tanstack/react-router';
import { Plus, Send } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../design/button.tsx';
import { formatCount } from '../../design/format-count.ts';
import { ListPage } from '../../design/list-page.tsx';
import { ListRow } from '../../design/list-row.tsx';
import { Tag } from '../../design/page.tsx';
import { Ago } from '../../design/time.tsx';
import { useHasScope } from '../../entities/me.ts';
import { NewDestinationDialog } from './new-destination-dialog.tsx';
import { destinationsQuery, type Destination } from './requests.ts';
import { deliveryText, deliveryTone, statusText, statusTone } from './words.ts';

/** All destinations, with the health of their deliveries. */
export function DestinationsPage() {
  const [isAdding, setIsAdding] = useState(false);
  const mayChange = useHasScope('connectors:write');
  return (
    <ListPage
      title="Destinations"
      lead="Pass events on to your own services, signed and retried for three days, or read them from a feed."
      action={
        mayChange && (
          <Button look="primary" icon={<Plus className="size-4" />} onClick={() => setIsAdding(true)}>
            New destination
          </Button>
        )
      }
      noun="destinations"
      query={useQuery(destinationsQuery)}
      getKey={({ output_destination_id }) => output_destination_id}
      getSearchText={({ name, output_destination_url: url }) => `${name} ${url ?? ''}`}
      renderRow={(destination) => <DestinationRow of={destination} />}
      empty={{
        icon: <Send />,
        title: 'No destinations yet',
        children:
          'Register the address of a service, or a feed that a program reads. It gets nothing until you attach a route.',
      }}
    >
      {isAdding && <NewDestinationDialog onClose={() => setIsAdding(false)} />}
    </ListPage>
  );
}

function DestinationRow({ of: destination }: { of: Destination }) {
  const { output_destination_id: destinationId, name, output_destination_url: url, status } = destination;
  const { output_destination_kind: kind } = destination;
  const { failing_since, failures_last_day, last_delivery_at, last_delivery_status: last } = destination;
  return (
    <ListRow
      name={name}
      detail={kind === 'feed' ? 'Feed, read with a token' : url}
      link={linkOptions({ to: '/destinations/$destinationId', params: { destinationId } })}
    >
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
      <Tag tone={statusTone[status]}>{statusText[status]}</Tag>
    </ListRow>
  );
}
