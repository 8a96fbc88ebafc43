import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../../design/button.tsx';
import { Drawer } from '../../design/drawer.tsx';
import { DrawerSection } from '../../design/drawer-section.tsx';
import { Tag } from '../../design/page.tsx';
import { formatByteCount } from '../../design/size.ts';
import { ErrorState, Notice, Skeleton } from '../../design/states.tsx';
import { formatExactMoment } from '../../design/time.tsx';
import { notifySuccess } from '../../design/toasts.tsx';
import { CodeBlock } from '../../design/code-block.tsx';
import { FixtureDialog } from './fixture-dialog.tsx';
import { formatReadableText } from '../../design/readable.ts';
import { buildEventQuery, replayEvents, type EventDetail } from './requests.ts';
import { type Connector } from '../../entities/webhook-connectors.ts';
import { useHasScope } from '../../entities/me.ts';
import { formatCount } from '../../design/format-count.ts';
import { outcomeText, outcomeTone } from './words.ts';
import { useCall } from '../../design/use-call.ts';

type Props = { of: Connector; eventId: string | undefined; onClose: () => void };

/** One event beside the list: request, documents, and replay. */
export function EventDrawer({ of: connector, eventId, onClose }: Props) {
  return (
    <Drawer isOpen={eventId !== undefined} onClose={onClose} title="Event">
      {eventId && <Content key={eventId} of={connector} eventId={eventId} />}
    </Drawer>
  );
}

function Content({ of: connector, eventId }: { of: Connector; eventId: string }) {
  const { data: event, error, isPending } = useQuery(buildEventQuery(eventId));
  if (isPending) return <Skeleton label="Loading the event" />;
  if (error) return <ErrorState error={error} />;
  const { outcome, detail, version, duration_ms, body_bytes } = event;
  const facts = [
    formatExactMoment(event.received_at),
    formatByteCount(body_bytes),
    version !== null && `version ${version}`,
    duration_ms !== null && `${duration_ms} ms`,
  ];
  return (
    <div className="space-y-6">
      <div className="space-y-2 text-sm">
        <p className="flex flex-wrap items-center gap-2">
          <Tag tone={outcomeTone[outcome]}>{outcomeText[outcome]}</Tag>
          <span className="font-medium wrap-anywhere">{event.event_type}</span>
        </p>
        <p className="text-soft">{facts.filter(Boolean).join(' · ')}</p>
        {detail && <p className={outcomeTone[outcome] === 'stop' ? 'text-stop' : 'text-soft'}>{detail}</p>}
      </div>
      <EventActions of={connector} event={event} />
      <Documents of={event} />
      {event.raw_body !== null && (
        <DrawerSection title="Body">
          <CodeBlock label="Body" text={formatReadableText(event.raw_body)} />
        </DrawerSection>
      )}
      <Fields title="Headers" of={event.headers} />
      <Fields title="Parameters" of={event.query} />
      {event.translator_output !== null && (
        <DrawerSection title="Translator output">
          <CodeBlock label="Translator output" text={JSON.stringify(event.translator_output, null, 2)} />
        </DrawerSection>
      )}
    </div>
  );
}

function Documents({ of: { ingested_documents: documents } }: { of: EventDetail }) {
  if (!documents.length) return null;
  return (
    <DrawerSection title="Documents">
      <ul className="divide-y divide-line rounded-xl border border-line text-sm">
        {documents.map(({ id, action, source_id, type, tags, error }, at) => (
          <li key={id ?? at} className="px-3.5 py-2.5">
            <p className="flex flex-wrap items-center gap-2">
              <Tag tone={error ? 'stop' : 'go'}>{action}</Tag>
              <span className="min-w-0 flex-1 wrap-anywhere">{source_id ?? 'No id of its own'}</span>
              {id && (
                <Link to="/memory" search={{ memory: id }} className="rounded underline underline-offset-2">
                  Open memory
                </Link>
              )}
            </p>
            {error && <p className="mt-1 text-stop">{error}</p>}
            {(type || tags.length > 0) && (
              <p className="mt-1 text-[13px] text-faint wrap-anywhere">{[type, ...tags].filter(Boolean).join(' · ')}</p>
            )}
          </li>
        ))}
      </ul>
    </DrawerSection>
  );
}

function Fields({ title, of: fields }: { title: string; of: Record<string, string> }) {
  const rows = Object.entries(fields);
  if (!rows.length) return null;
  return (
    <DrawerSection title={title}>
      <dl className="space-y-1.5 rounded-xl bg-sunken p-4 font-mono text-xs">
        {rows.map(([name, value]) => (
          <div key={name} className="wrap-anywhere">
            <dt className="inline text-soft">{name}: </dt>
            <dd className="inline">{value}</dd>
          </div>
        ))}
      </dl>
    </DrawerSection>
  );
}

const replayable: readonly EventDetail['outcome'][] = [
  'success',
  'partial',
  'dropped',
  'draft',
  'translator_error',
  'ingest_error',
];

function EventActions({ of: connector, event }: { of: Connector; event: EventDetail }) {
  const { webhook_connector_id: connectorId, status, has_translator, version } = connector;
  const mayChange = useHasScope('connectors:write');
  const [isKeeping, setIsKeeping] = useState(false);
  const replay = useCall(
    (isDry: boolean) =>
      replayEvents(
        { connectorId, filter: 'all', text: undefined },
        // A dry run uses the newest version, so that people can test an edit before activation.
        { eventId: event.webhook_event_id, isDry, ...(isDry && { version }) },
      ),
    {
      refreshes: ['webhooks'],
      onSuccess: ({ dry_run }) => {
        if (dry_run) return undefined;
        notifySuccess('Event replayed', 'Its documents replace the earlier ones.');
      },
      failure: 'The event was not replayed',
    },
  );
  if (!mayChange || event.raw_body === null || !replayable.includes(event.outcome)) return null;
  const result = replay.answer?.dry_run ? replay.answer.results[0] : undefined;
  return (
    <div className="space-y-3">
      <div className="flex flex-wrap gap-2">
        {has_translator && (
          <Button size="small" isBusy={replay.isBusy} onClick={() => replay.call(true)}>
            Dry run
          </Button>
        )}
        {status === 'active' && (
          <Button size="small" disabled={replay.isBusy} onClick={() => replay.call(false)}>
            Replay
          </Button>
        )}
        <Button size="small" onClick={() => setIsKeeping(true)}>
          Add as fixture
        </Button>
      </div>
      {result && (
        <Notice tone={result.outcome === 'error' ? 'stop' : 'plain'}>
          Version {replay.answer?.version}: {describeDryRun(result)}
        </Notice>
      )}
      {isKeeping && (
        <FixtureDialog connectorId={connectorId} eventId={event.webhook_event_id} onClose={() => setIsKeeping(false)} />
      )}
    </div>
  );
}

function describeDryRun({
  outcome,
  documents,
  detail,
}: {
  outcome: string;
  documents: number;
  detail: string | null;
}): string {
  if (outcome === 'ingest') return `${formatCount(documents, 'document')} would be stored.`;
  return outcome === 'drop' ? `It would be dropped: ${detail ?? ''}` : `It fails: ${detail ?? ''}`;
}
