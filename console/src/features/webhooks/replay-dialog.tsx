import { useState } from 'react';
import { formatErrorMessage } from '../../api/api-error.ts';
import { Button } from '../../design/button.tsx';
import { PlainDialog } from '../../design/plain-dialog.tsx';
import { SelectField } from '../../design/field.tsx';
import { Notice } from '../../design/states.tsx';
import { replayEvents, type EventQuery, type ReplayResult } from './requests.ts';
import { type Connector } from '../../entities/webhook-connectors.ts';
import { formatCount } from '../../design/format-count.ts';
import { filterText } from './words.ts';
import { useCall } from '../../design/use-call.ts';

type Props = { of: Connector; query: EventQuery; onClose: () => void };

/** Translates the events of a filter again: first as a dry run that shows the result. */
export function ReplayDialog({ of: connector, query, onClose }: Props) {
  const { versions, active_version: active, version: newest } = connector;
  const [version, setVersion] = useState(active ?? newest);
  const dry = useCall(() => replayEvents(query, { version, isDry: true }));
  const replay = useCall(() => replayEvents(query, { version, isDry: false }), {
    refreshes: ['webhooks'],
    success: ({ events }) => `${formatCount(events, 'event')} replayed`,
    onSuccess: onClose,
  });
  const error = replay.error ?? dry.error;
  return (
    <PlainDialog
      isOpen
      onClose={onClose}
      title="Replay events"
      description="Translates events again whose body is still kept. New documents replace the earlier ones."
    >
      <div className="space-y-4">
        {error && <Notice tone="stop">{formatErrorMessage(error)}</Notice>}
        <p className="text-sm">{queryText(query)}, at most 500.</p>
        <SelectField
          label="Version"
          value={version}
          onChange={(event) => {
            setVersion(Number(event.target.value));
            dry.reset();
          }}
        >
          {versions.map(({ version: number }) => (
            <option key={number} value={number}>
              Version {number}
              {number === active ? ' (active)' : ''}
            </option>
          ))}
        </SelectField>
        {dry.answer && <DryResult of={dry.answer} />}
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button look={dry.answer ? 'plain' : 'primary'} isBusy={dry.isBusy} onClick={() => dry.call()}>
            Dry run
          </Button>
          {dry.answer && dry.answer.events > 0 && connector.status === 'active' && (
            <Button look="primary" isBusy={replay.isBusy} onClick={() => replay.call()}>
              Replay {formatCount(dry.answer.events, 'event')}
            </Button>
          )}
        </div>
      </div>
    </PlainDialog>
  );
}

function queryText({ filter, text }: EventQuery): string {
  const which = filter === 'all' ? 'All events' : `Events with the outcome “${filterText[filter]}”`;
  return text ? `${which} that contain “${text}”` : which;
}

function DryResult({ of: { results, events } }: { of: ReplayResult }) {
  const count = (outcome: ReplayResult['results'][number]['outcome']) =>
    results.filter((result) => result.outcome === outcome).length;
  const failures = results.filter(({ outcome }) => outcome === 'error');
  if (!events) return <Notice tone="plain">No event of this filter can be replayed.</Notice>;
  return (
    <Notice tone={failures.length ? 'wait' : 'go'}>
      <p>
        {formatCount(count('ingest'), 'event')} would be stored, {count('drop')} dropped, {failures.length} would fail.
        {events > results.length && ` Tried on the first ${results.length} of ${events}.`}
      </p>
      {failures.length > 0 && (
        <ul className="mt-1 list-disc pl-5">
          {[...new Set(failures.map(({ detail }) => detail))].slice(0, 5).map((detail) => (
            <li key={detail}>{detail}</li>
          ))}
        </ul>
      )}
    </Notice>
  );
}
