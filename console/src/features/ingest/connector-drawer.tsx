import { useQuery } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { useState, type FormEvent } from 'react';
import { call } from '../../api/call.ts';
import { Button } from '../../design/button.tsx';
import { ConfirmDialog } from '../../design/confirm-dialog.tsx';
import { Drawer } from '../../design/drawer.tsx';
import { SelectField, TextField } from '../../design/field.tsx';
import { BrainField } from '../../entities/brain-field.tsx';
import { brainsQuery } from '../../entities/brains.ts';
import { buildIngestRoutesQuery, type Connector } from './requests.ts';
import { SetupGuide } from './setup-guide.tsx';
import { useCall } from '../../design/use-call.ts';

/** One connector: where it writes, its channels and routes, its setup, and how to delete it. */
export function ConnectorDrawer({ of: connector, onClose }: { of: Connector | null; onClose: () => void }) {
  return (
    <Drawer isOpen={connector !== null} onClose={onClose} title={connector?.name ?? ''}>
      {connector && (
        <div className="space-y-8">
          <DefaultBrain of={connector} />
          <Channels of={connector} />
          <Routes of={connector} />
          <section aria-label="Set-up">
            <h3 className="mb-2 text-sm font-semibold">Set-up</h3>
            <SetupGuide token={null} />
          </section>
          <DeleteConnector of={connector} onDeleted={onClose} />
        </div>
      )}
    </Drawer>
  );
}

type Config = Partial<Pick<Connector, 'default_brain_id' | 'channel_mappings'>>;

function useConfigure({ connector_id }: Connector) {
  return useCall((connector_config: Config) => call('configure_connector', { connector_id, connector_config }), {
    refreshes: [['ingest', 'connectors']],
    success: 'Saved',
    failure: 'The change was not saved',
  });
}

function DefaultBrain({ of: connector }: { of: Connector }) {
  const saving = useConfigure(connector);
  return (
    <BrainField
      label="Default brain"
      hint="Takes what no rule places and no brain is a clear match for."
      canWrite
      value={connector.default_brain_id}
      onChange={(event) => saving.call({ default_brain_id: event.target.value })}
    />
  );
}

function Channels({ of: connector }: { of: Connector }) {
  const saving = useConfigure(connector);
  const { data: brains } = useQuery(brainsQuery);
  const findName = (id: string | null) =>
    id === null ? 'dropped' : (brains?.find((each) => each.id === id)?.name ?? id);
  const mappings = connector.channel_mappings;
  const add = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const brain = String(form.get('brain'));
    saving.call({ channel_mappings: { ...mappings, [String(form.get('channel'))]: brain || null } });
    event.currentTarget.reset();
  };
  const remove = (channel: string) =>
    saving.call({
      channel_mappings: Object.fromEntries(Object.entries(mappings).filter(([name]) => name !== channel)),
    });
  return (
    <section aria-label="Channels" className="space-y-3">
      <h3 className="text-sm font-semibold">Channels</h3>
      <Rules
        rules={Object.entries(mappings).map(([channel, id]) => ({
          key: channel,
          text: `${channel} → ${findName(id)}`,
        }))}
        onRemove={remove}
      />
      <form className="grid grid-cols-2 items-end gap-x-2 gap-y-3" onSubmit={add}>
        <TextField name="channel" label="Channel" placeholder="#sales" required maxLength={300} />
        <BrainField name="brain" label="Goes to" canWrite>
          <option value="">Nowhere (drop it)</option>
        </BrainField>
        <Button type="submit" className="justify-self-start" isBusy={saving.isBusy}>
          Add channel
        </Button>
      </form>
    </section>
  );
}

function Routes({ of: { connector_id } }: { of: Connector }) {
  const { data: routes = [] } = useQuery(buildIngestRoutesQuery(connector_id));
  const { data: brains } = useQuery(brainsQuery);
  const effects = { refreshes: ['ingest'], failure: 'The route was not saved' } as const;
  const adding = useCall(
    (form: FormData) =>
      call('add_connector_route', {
        connector_id,
        signal_type: String(form.get('signal')) as 'sender', // one of the options below
        signal_value: String(form.get('value')),
        target_brain_id: String(form.get('brain')),
      }),
    effects,
  );
  const removing = useCall((route_id: string) => call('delete_connector_route', { route_id }), effects);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    adding.call(new FormData(event.currentTarget));
    event.currentTarget.reset();
  };
  const findName = (id: string) => brains?.find((each) => each.id === id)?.name ?? id;
  return (
    <section aria-label="Routes" className="space-y-3">
      <h3 className="text-sm font-semibold">Routes</h3>
      <Rules
        rules={routes.map(({ route_id, signal_type, signal_value, target_brain_id }) => ({
          key: route_id,
          text: `${signal_type} ${signal_value} → ${findName(target_brain_id)}`,
        }))}
        onRemove={(id) => removing.call(id)}
      />
      <form className="grid grid-cols-2 items-end gap-x-2 gap-y-3" onSubmit={submit}>
        <SelectField name="signal" label="When the">
          <option value="sender">sender is</option>
          <option value="domain">domain is</option>
          <option value="channel">channel is</option>
          <option value="keyword">text has</option>
        </SelectField>
        <TextField name="value" label="Value" placeholder="ada@example.com" required maxLength={300} />
        <BrainField name="brain" label="Goes to" canWrite />
        <Button type="submit" className="justify-self-start" isBusy={adding.isBusy}>
          Add route
        </Button>
      </form>
    </section>
  );
}

function Rules({ rules, onRemove }: { rules: { key: string; text: string }[]; onRemove: (key: string) => void }) {
  if (!rules.length) return null;
  return (
    <ul className="divide-y divide-line rounded-xl border border-line">
      {rules.map(({ key, text }) => (
        <li key={key} className="flex items-center gap-2 px-3 py-2 text-sm">
          <span className="min-w-0 flex-1 wrap-anywhere">{text}</span>
          <Button look="quiet" size="small" aria-label={`Remove ${text}`} onClick={() => onRemove(key)}>
            <Trash2 className="size-4" aria-hidden />
          </Button>
        </li>
      ))}
    </ul>
  );
}

function DeleteConnector({ of: { connector_id, name }, onDeleted }: { of: Connector; onDeleted: () => void }) {
  const [isAsking, setIsAsking] = useState(false);
  const deleting = useCall(() => call('delete_connector', { connector_id }), {
    refreshes: [['ingest', 'connectors']],
    success: ['Connector deleted', 'Its token is refused from now on. What it sent stays.'],
    onSuccess: onDeleted,
    failure: 'The connector was not deleted',
  });
  return (
    <>
      <Button look="stop" onClick={() => setIsAsking(true)}>
        Delete connector
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        title={`Delete ${name}?`}
        description="Its token is refused from now on. What it sent stays."
        act="Delete connector"
        isBusy={deleting.isBusy}
        onConfirm={() => deleting.call()}
      />
    </>
  );
}
