import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../design/button.tsx';
import { Card, Tag } from '../../design/page.tsx';
import { Section } from '../../design/section.tsx';
import { ErrorState, Skeleton } from '../../design/states.tsx';
import { Ago } from '../../design/time.tsx';
import { useHasScope } from '../../entities/me.ts';
import { formatCount } from '../../design/format-count.ts';
import { DeliveryDrawer } from './delivery-drawer.tsx';
import {
  buildDeliveriesQuery,
  recoverDeliveries,
  type Delivery,
  type DeliveryStatus,
  type Destination,
} from './requests.ts';
import { deliveryText, deliveryTone } from './words.ts';
import { useCall } from '../../design/use-call.ts';

const filters = [undefined, 'waiting', 'delivered', 'failed'] as const satisfies readonly (
  | DeliveryStatus
  | undefined
)[];

/** The deliveries of a destination, newest first, kept current. */
export function DeliveriesSection({ of }: { of: Destination }) {
  const { output_destination_id: id, output_destination_kind: kind } = of;
  const text = deliveryText[kind];
  const [status, setStatus] = useState<DeliveryStatus | undefined>();
  const [opened, setOpened] = useState<string | undefined>();
  const { data, error, isPending, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(
    buildDeliveriesQuery(id, status),
  );
  const deliveries = dedupeDeliveries(data?.pages.flatMap((page) => page.deliveries) ?? []);
  return (
    <Section title="Deliveries" action={kind === 'webhook' && <Recover id={id} />}>
      <div role="group" aria-label="Status" className="mb-3 -ml-2 flex gap-1 overflow-x-auto p-1">
        {filters.map((each) => (
          <Button
            key={each ?? 'all'}
            size="small"
            look={each === status ? 'plain' : 'quiet'}
            aria-pressed={each === status}
            onClick={() => setStatus(each)}
          >
            {each ? text[each] : 'All'}
          </Button>
        ))}
      </div>
      <Card>
        {isPending && <Skeleton rows={2} label="Loading deliveries" />}
        {error && <ErrorState error={error} />}
        {data && !deliveries.length && (
          <p className="p-5 text-sm text-soft">
            {status ? 'No deliveries with this status.' : 'No deliveries yet. Each event along a route appears here.'}
          </p>
        )}
        <ul aria-label="Deliveries" className="divide-y divide-line">
          {deliveries.map((each) => (
            <Row
              key={each.delivery_id}
              of={each}
              kind={kind}
              isOpen={opened === each.delivery_id}
              onOpen={() => setOpened(each.delivery_id)}
            />
          ))}
        </ul>
      </Card>
      {hasNextPage && (
        <Button className="mt-4" isBusy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Show more
        </Button>
      )}
      <DeliveryDrawer kind={kind} deliveryId={opened} onClose={() => setOpened(undefined)} />
    </Section>
  );
}

function Recover({ id }: { id: string }) {
  const mayChange = useHasScope('connectors:write');
  const recovering = useCall(() => recoverDeliveries(id), {
    refreshes: ['outputs'],
    success: ({ recovered }) =>
      recovered
        ? `${recovered === 1 ? '1 delivery is' : `${recovered} deliveries are`} sent again`
        : 'Nothing to send again',
    failure: 'Nothing was sent again',
  });
  if (!mayChange) return null;
  return (
    <Button isBusy={recovering.isBusy} onClick={() => recovering.call()}>
      Send failed again
    </Button>
  );
}

type RowProps = { of: Delivery; kind: Destination['output_destination_kind']; isOpen: boolean; onOpen: () => void };

function Row({ of: delivery, kind, isOpen, onOpen }: RowProps) {
  const { status, http_status, error, attempts, next_attempt_at, document_count, created_at } = delivery;
  const facts = [
    document_count ? formatCount(document_count, 'document') : '1 event',
    kind === 'webhook' && formatCount(attempts, 'attempt'),
    http_status !== null && `HTTP ${http_status}`,
  ];
  return (
    <li>
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={onOpen}
        className="flex w-full flex-wrap items-center gap-x-4 gap-y-1 px-5 py-3 text-left text-sm hover:bg-hover focus-visible:-outline-offset-2"
      >
        <span className="shrink-0 sm:w-20">
          <Tag tone={deliveryTone[status]}>{deliveryText[kind][status]}</Tag>
        </span>
        <span className="order-last min-w-0 basis-full truncate text-soft sm:order-none sm:flex-1 sm:basis-0">
          {facts.filter(Boolean).join(' · ')}
          {next_attempt_at && attempts > 0 && (
            <>
              {' '}
              · next attempt <Ago at={next_attempt_at} />
            </>
          )}
          {status !== 'delivered' && error && ` · ${error}`}
        </span>
        <span className="ml-auto text-faint">
          <Ago at={created_at} />
        </span>
      </button>
    </li>
  );
}

/** New deliveries shift the pages, so one delivery may be on two of them. */
function dedupeDeliveries(deliveries: readonly Delivery[]): Delivery[] {
  return [...new Map(deliveries.map((delivery) => [delivery.delivery_id, delivery])).values()];
}
