import { useInfiniteQuery } from '@tanstack/react-query';
import { Radio } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../design/button.tsx';
import { Card, Tag } from '../../design/page.tsx';
import { SearchField } from '../../design/search-field.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../design/states.tsx';
import { Ago } from '../../design/time.tsx';
import { eventFilters, type ConnectorAddress } from './address.ts';
import { EventDrawer } from './event-drawer.tsx';
import { ReplayDialog } from './replay-dialog.tsx';
import { buildEventsQuery, type EventQuery, type WebhookEvent } from './requests.ts';
import { type Connector } from '../../entities/webhook-connectors.ts';
import { useHasScope } from '../../entities/me.ts';
import { formatCount } from '../../design/format-count.ts';
import { filterText, outcomeText, outcomeTone } from './words.ts';

type Props = { of: Connector; address: ConnectorAddress; onChange: (change: ConnectorAddress) => void };

/** The events of a connector, newest first, kept current. */
export function EventsTab({ of: connector, address, onChange }: Props) {
  const { filter = 'all', q, event } = address;
  const query: EventQuery = { connectorId: connector.webhook_connector_id, filter, text: q };
  const { data, error, isPending, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(
    buildEventsQuery(query),
  );
  const [isReplaying, setIsReplaying] = useState(false);
  const mayChange = useHasScope('connectors:write');
  const events = dedupeEvents(data?.pages.flatMap((page) => page.events) ?? []);
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center gap-2">
        <Filters chosen={filter} onChange={(to) => onChange({ filter: to === 'all' ? undefined : to })} />
        <div className="flex min-w-0 flex-1 basis-60 gap-2">
          <SearchField label="Search events" value={q ?? ''} onChange={(text) => onChange({ q: text || undefined })} />
          {mayChange && events.length > 0 && connector.has_translator && (
            <Button onClick={() => setIsReplaying(true)}>Replay…</Button>
          )}
        </div>
      </div>
      <Card>
        {isPending && <Skeleton label="Loading events" />}
        {error && <ErrorState error={error} onRetry={() => void refetch()} />}
        {data && !events.length && <NoEvents isFiltered={filter !== 'all' || Boolean(q)} />}
        <ul aria-label="Events" className="divide-y divide-line">
          {events.map((each) => (
            <Row
              key={each.webhook_event_id}
              of={each}
              onOpen={() => onChange({ event: each.webhook_event_id })}
              isOpen={each.webhook_event_id === event}
            />
          ))}
        </ul>
      </Card>
      {hasNextPage && (
        <Button className="mt-4" isBusy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Show more
        </Button>
      )}
      {isReplaying && <ReplayDialog of={connector} query={query} onClose={() => setIsReplaying(false)} />}
      <EventDrawer of={connector} eventId={event} onClose={() => onChange({ event: undefined })} />
    </>
  );
}

type FiltersProps = { chosen: (typeof eventFilters)[number]; onChange: (filter: FiltersProps['chosen']) => void };

function Filters({ chosen, onChange }: FiltersProps) {
  return (
    <div role="group" aria-label="Outcome" className="-ml-1 flex max-w-full gap-1 overflow-x-auto p-1">
      {eventFilters.map((each) => (
        <Button
          key={each}
          size="small"
          look={each === chosen ? 'plain' : 'quiet'}
          aria-pressed={each === chosen}
          onClick={() => onChange(each)}
        >
          {filterText[each]}
        </Button>
      ))}
    </div>
  );
}

function NoEvents({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) return <p className="p-5 text-sm text-soft">No events fit this filter.</p>;
  return (
    <EmptyState icon={<Radio />} title="Waiting for events">
      Follow the setup and send an event from the service. It appears here automatically.
    </EmptyState>
  );
}

function Row({ of: event, isOpen, onOpen }: { of: WebhookEvent; isOpen: boolean; onOpen: () => void }) {
  const { outcome, event_type, received_at, detail, documents, replays, counted } = event;
  const facts = [
    documents > 0 && formatCount(documents, 'document'),
    replays > 0 && `replayed ${replays === 1 ? 'once' : `${replays} times`}`,
    counted > 1 && `${counted.toLocaleString()} requests`,
  ];
  return (
    <li>
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={onOpen}
        className="flex w-full flex-wrap items-center gap-x-4 gap-y-1 px-5 py-3 text-left text-sm hover:bg-hover focus-visible:-outline-offset-2"
      >
        <span className="shrink-0 sm:w-32">
          <Tag tone={outcomeTone[outcome]}>{outcomeText[outcome]}</Tag>
        </span>
        <span className="font-medium wrap-anywhere">{event_type ?? 'Event'}</span>
        <span className="order-last min-w-0 basis-full truncate text-soft sm:order-none sm:flex-1 sm:basis-0">
          {[...facts.filter(Boolean), detail].filter(Boolean).join(' · ')}
        </span>
        <span className="ml-auto text-faint">
          <Ago at={received_at} />
        </span>
      </button>
    </li>
  );
}

/** New events shift the pages, so one event may be on two of them. */
function dedupeEvents(events: readonly WebhookEvent[]): WebhookEvent[] {
  return [...new Map(events.map((event) => [event.webhook_event_id, event])).values()];
}
