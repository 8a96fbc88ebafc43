import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { SelectField, TextArea, TextField } from '../../design/field.tsx';
import { FormDialog } from '../../design/form-dialog.tsx';
import { addFixture, buildSamplesQuery, type Sample } from './requests.ts';
import { formatCount } from '../../design/format-count.ts';

type Props = {
  connectorId: string;
  /** The event to keep. Without one the person chooses a sample, or pastes a body. */
  eventId?: string;
  onClose: () => void;
};

/** Saves a payload with the expected translation as a fixture. */
export function FixtureDialog({ connectorId, eventId, onClose }: Props) {
  const { data: samples = [] } = useQuery({ ...buildSamplesQuery(connectorId), enabled: eventId === undefined });
  const [chosen, setChosen] = useState<string | null>(null);
  const source = eventId ?? chosen ?? samples[0]?.webhook_event_id ?? '';
  return (
    <FormDialog
      onClose={onClose}
      title="Add a fixture"
      description="A fixture is an event with the outcome you expect. All fixtures must pass before you activate."
      act="Add fixture"
      run={({ readText, data }) =>
        addFixture({
          webhook_connector_id: connectorId,
          fixture_name: readText('name'),
          fixture_expected_outcome: readText('expected') === 'drop' ? 'drop' : 'ingest',
          ...(source ? { webhook_event_id: source } : { fixture_raw_body: String(data.get('body')) }),
        })
      }
      refreshes={[['webhooks', 'fixtures', connectorId]]}
      success={['Fixture added', 'Run it before you activate.']}
    >
      {eventId === undefined && <SourceField {...{ samples, source }} onChange={setChosen} />}
      {!source && <TextArea label="Body" name="body" required spellCheck={false} className="font-mono text-xs" />}
      <TextField label="Name" name="name" required maxLength={120} autoFocus placeholder="Issue opened" />
      <SelectField label="Expected outcome" name="expected">
        <option value="ingest">Documents are stored</option>
        <option value="drop">The event is dropped</option>
      </SelectField>
    </FormDialog>
  );
}

type SourceProps = { samples: readonly Sample[]; source: string; onChange: (id: string) => void };

function SourceField({ samples, source, onChange }: SourceProps) {
  if (!samples.length) return null;
  return (
    <SelectField
      label="Sample"
      value={source}
      onChange={(event) => onChange(event.target.value)}
      hint="One event of each shape that was received."
    >
      {samples.map(({ webhook_event_id: id, event_type, events, raw_body }) => (
        <option key={id} value={id}>
          {event_type ?? (raw_body ?? '').slice(0, 40)} ({formatCount(events, 'event')})
        </option>
      ))}
      <option value="">Paste a body</option>
    </SelectField>
  );
}
