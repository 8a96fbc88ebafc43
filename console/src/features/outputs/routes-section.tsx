import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../design/button.tsx';
import { Card, Tag } from '../../design/page.tsx';
import { Section } from '../../design/section.tsx';
import { ErrorState, Skeleton } from '../../design/states.tsx';
import { brainsQuery } from '../../entities/brains.ts';
import { connectorsQuery, type Connector } from '../../entities/webhook-connectors.ts';
import { useHasScope } from '../../entities/me.ts';
import { AttachDialog } from './attach-dialog.tsx';
import { destinationsQuery, detachRoute, buildOutputRoutesQuery, type Destination, type Route } from './requests.ts';
import { useCall } from '../../design/use-call.ts';

type Props = { connector?: Connector; destination?: Destination };

/** The routes of a connector or to a destination. */
export function RoutesSection({ connector, destination }: Props) {
  const ends = {
    ...(connector && { output_source_id: connector.webhook_connector_id }),
    ...(destination && { output_destination_id: destination.output_destination_id }),
  };
  const { data: routes, error, isPending } = useQuery(buildOutputRoutesQuery(ends));
  const [isAttaching, setIsAttaching] = useState(false);
  const mayChange = useHasScope('connectors:write');
  return (
    <Section
      title="Routes"
      lead={
        connector
          ? 'Send the documents of this connector on to your own services, signed and retried until they arrive.'
          : 'What is sent to this destination: documents of connectors, and events of brains, drafts and runs.'
      }
      action={
        mayChange && (
          <Button icon={<Plus className="size-4" />} onClick={() => setIsAttaching(true)}>
            Attach route
          </Button>
        )
      }
    >
      <Card>
        {isPending && <Skeleton rows={2} label="Loading routes" />}
        {error && <ErrorState error={error} />}
        {routes && !routes.length && (
          <p className="p-5 text-sm text-soft">
            {connector ? 'No routes yet. Events stay here.' : 'No routes yet. Attach one, and events arrive here.'}
          </p>
        )}
        <ul className="divide-y divide-line">
          {routes?.map((route) => (
            <Row key={route.output_route_id} of={route} isFromConnector={connector !== undefined} />
          ))}
        </ul>
      </Card>
      {isAttaching && <AttachDialog {...ends} onClose={() => setIsAttaching(false)} />}
    </Section>
  );
}

function Row({ of: route, isFromConnector }: { of: Route; isFromConnector: boolean }) {
  const mayChange = useHasScope('connectors:write');
  const detaching = useCall(() => detachRoute(route.output_route_id), {
    refreshes: ['outputs'],
    success: ['Route detached', 'Nothing further is sent along it.'],
    failure: 'The route was not detached',
  });
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 px-5 py-3 text-sm">
      <span className="min-w-0 flex-1 basis-36">
        {isFromConnector ? <ToDestination of={route} /> : <FromSource of={route} />}
        <span className="block text-soft wrap-anywhere">{filterText(route)}</span>
      </span>
      {route.status === 'waiting' ? (
        <Link to="/inbox" className="rounded underline underline-offset-2">
          <Tag tone="wait">Waits for approval</Tag>
        </Link>
      ) : (
        <Tag tone="go">Active</Tag>
      )}
      {mayChange && (
        <Button size="small" look="quiet" isBusy={detaching.isBusy} onClick={() => detaching.call()}>
          Detach
        </Button>
      )}
    </li>
  );
}

const linkClass = 'block w-fit max-w-full truncate rounded font-medium underline-offset-2 hover:underline';

function ToDestination({ of: { output_destination_id: destinationId } }: { of: Route }) {
  const { data: destinations } = useQuery(destinationsQuery);
  const found = destinations?.find((each) => each.output_destination_id === destinationId);
  if (!found) return <span className="block font-medium">A destination of another person</span>;
  return (
    <Link to="/destinations/$destinationId" params={{ destinationId }} className={linkClass}>
      {found.name}
    </Link>
  );
}

function FromSource({ of: route }: { of: Route }) {
  if (route.output_source_brain_id !== null) return <FromBrain brainId={route.output_source_brain_id} />;
  if (route.output_source_id !== null) return <FromConnector connectorId={route.output_source_id} />;
  const what = route.output_source_kind === 'runs' ? 'Runs of automations' : 'New and decided drafts';
  return <span className="block font-medium">{what}</span>;
}

function FromBrain({ brainId }: { brainId: string }) {
  const { data: brains } = useQuery(brainsQuery);
  const name = brains?.find(({ id }) => id === brainId)?.name;
  return <span className="block font-medium">{name ? `Changes in ${name}` : 'Changes in a brain'}</span>;
}

function FromConnector({ connectorId }: { connectorId: string }) {
  const { data: connectors } = useQuery(connectorsQuery);
  const found = connectors?.find((each) => each.webhook_connector_id === connectorId);
  if (!found) return <span className="block font-medium">A connector of another person</span>;
  return (
    <Link to="/sources/$connectorId" params={{ connectorId }} search={{}} className={linkClass}>
      {found.name}
    </Link>
  );
}

/** The filters of a route, in words. */
function filterText(route: Route): string {
  const { output_payload_format: format, output_type_filter: type, output_tag_filter: tags } = route;
  if (route.output_source_kind !== 'webhook_connector') return type ? `Events named ${type}` : 'Events, all of them';
  const what = format === 'raw_payload' ? 'The body as it came' : 'Documents';
  const limits = [type && `of type ${type}`, tags.length > 0 && `with ${tags.join(' and ')}`].filter(Boolean);
  return limits.length ? `${what}, ${limits.join(', ')}` : `${what}, all of them`;
}
