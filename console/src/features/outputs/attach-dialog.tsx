import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { SelectField, TextField } from '../../design/field.tsx';
import { FormDialog } from '../../design/form-dialog.tsx';
import type { FormFields } from '../../design/form-fields.ts';
import { Notice } from '../../design/states.tsx';
import { brainsQuery } from '../../entities/brains.ts';
import { connectorsQuery } from '../../entities/webhook-connectors.ts';
import { attachRoute, destinationsQuery, type RouteEnds } from './requests.ts';

type RouteRequest = Parameters<typeof attachRoute>[0];

/** Creates a route from a source to a destination. Given ends are fixed. */
export function AttachDialog(props: RouteEnds & { onClose: () => void }) {
  const { output_source_id: source, output_destination_id: destination, onClose } = props;
  const { data: destinations = [] } = useQuery(destinationsQuery);
  const { data: connectors = [] } = useQuery(connectorsQuery);
  const [picked, setPicked] = useState<string>();
  const chosen = picked ?? (connectors[0] ? `webhook_connector:${connectors[0].webhook_connector_id}` : 'drafts');
  const isEmpty = destination === undefined && !destinations.length;
  const isFromConnector = source !== undefined || chosen.startsWith('webhook_connector');
  return (
    <FormDialog
      onClose={onClose}
      title="Attach a route"
      description="From then on each event that fits is sent there. You are not asked about each one."
      act="Attach route"
      isOff={isEmpty}
      run={(fields) => attachRoute(parseRoute(fields, props))}
      refreshes={['outputs']}
      success={({ status }) =>
        status === 'active' ? 'Route attached' : ['Route waits for approval', 'Approve it in the inbox.']
      }
    >
      {isEmpty && <Notice tone="wait">Register a destination under Integrations › Destinations first.</Notice>}
      {source === undefined && <SourceField connectors={connectors} chosen={chosen} onChoose={setPicked} />}
      {destination === undefined && (
        <Choice
          label="To destination"
          name="destination"
          choices={destinations.map(({ output_destination_id: id, name }) => [id, name])}
        />
      )}
      {isFromConnector ? <DocumentFilters /> : <EventFilter />}
    </FormDialog>
  );
}

/** What the form asks for, with the ends that were given. */
function parseRoute(
  { readText: text }: FormFields,
  { output_source_id, output_destination_id }: RouteEnds,
): RouteRequest {
  const tags = text('tags')
    .split(/\s*,\s*/)
    .filter(Boolean);
  return {
    ...(output_source_id
      ? { output_source_kind: 'webhook_connector', output_source_id }
      : parseRouteSource(text('source'))),
    output_destination_id: output_destination_id ?? text('destination'),
    output_payload_format: text('format') === 'raw_payload' ? 'raw_payload' : 'translated_docs',
    ...(text('type') && { output_type_filter: text('type') }),
    ...(tags.length > 0 && { output_tag_filter: tags }),
  };
}

/** The source of a choice, `kind` or `kind:id`. */
function parseRouteSource(
  choice: string,
): Pick<RouteRequest, 'output_source_kind' | 'output_source_id' | 'output_source_brain_id'> {
  const [kind, id = ''] = choice.split(':');
  if (kind === 'brain') return { output_source_kind: kind, output_source_brain_id: id };
  if (kind === 'runs' || kind === 'drafts') return { output_source_kind: kind };
  return { output_source_kind: 'webhook_connector', output_source_id: id };
}

type SourceProps = {
  connectors: readonly { webhook_connector_id: string; name: string }[];
  chosen: string;
  onChoose: (choice: string) => void;
};

/** Connectors, brains, and events of the product. */
function SourceField({ connectors, chosen, onChoose }: SourceProps) {
  const { data: brains = [] } = useQuery(brainsQuery);
  return (
    <SelectField label="From" name="source" value={chosen} onChange={({ target }) => onChoose(target.value)}>
      <optgroup label="Documents of a webhook connector">
        {connectors.map(({ webhook_connector_id: id, name }) => (
          <option key={id} value={`webhook_connector:${id}`}>
            {name}
          </option>
        ))}
      </optgroup>
      <optgroup label="Your own">
        <option value="drafts">New and decided drafts</option>
        <option value="runs">Runs of automations</option>
      </optgroup>
      <optgroup label="Changes in a brain">
        {brains.map(({ id, name }) => (
          <option key={id} value={`brain:${id}`}>
            {name}
          </option>
        ))}
      </optgroup>
    </SelectField>
  );
}

function EventFilter() {
  return (
    <TextField
      label="Only this event"
      name="type"
      maxLength={200}
      placeholder="Every event"
      hint="Such as draft.decided or memory.stored. Events have ids and states, and no content."
    />
  );
}

function DocumentFilters() {
  return (
    <>
      <SelectField label="Send" name="format">
        <option value="translated_docs">The documents that the translator made</option>
        <option value="raw_payload">The body as the sender sent it</option>
      </SelectField>
      <TextField label="Only this type" name="type" maxLength={200} placeholder="Every type" />
      <TextField
        label="Only with these tags"
        name="tags"
        placeholder="Any tags"
        hint="Separate tags with commas. A document needs all of them."
      />
    </>
  );
}

type ChoiceProps = { label: string; name: string; choices: readonly (readonly [string, string])[] };

function Choice({ label, name, choices }: ChoiceProps) {
  return (
    <SelectField label={label} name={name} required>
      {choices.map(([id, text]) => (
        <option key={id} value={id}>
          {text}
        </option>
      ))}
    </SelectField>
  );
}
