import { useState, type FormEvent } from 'react';
import { call } from '../../api/call.ts';
import { Button } from '../../design/button.tsx';
import { CopyBox } from '../../design/copy-box.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { SelectField, TextField } from '../../design/field.tsx';
import { Notice } from '../../design/states.tsx';
import { BrainField } from '../../entities/brain-field.tsx';
import type { NewConnector } from './requests.ts';
import { SetupGuide } from './setup-guide.tsx';
import { useCall } from '../../design/use-call.ts';

/** Makes a connector, shows its token once, and then what to copy. */
export function NewConnectorDialog({ onClose }: { onClose: () => void }) {
  const [made, setMade] = useState<NewConnector | null>(null);
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={made ? `${made.name} is ready` : 'New connector'}
      description={made ? 'Copy the token now. It is not stored and cannot be shown again.' : undefined}
    >
      {made ? <Ready made={made} onClose={onClose} /> : <Form onMade={setMade} />}
    </Dialog>
  );
}

function Form({ onMade }: { onMade: (made: NewConnector) => void }) {
  const making = useCall(
    (form: FormData) =>
      call('create_connector', {
        name: String(form.get('name')),
        source: String(form.get('source')),
        connector_type: form.get('kind') === 'shared' ? 'shared' : 'personal',
        ...(form.get('brain') ? { brain_id: String(form.get('brain')) } : {}),
      }),
    {
      refreshes: [['ingest', 'connectors']],
      onSuccess: (made) => onMade(made),
      failure: 'The connector was not created',
    },
  );
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    making.call(new FormData(event.currentTarget));
  };
  return (
    <form className="space-y-4" onSubmit={submit}>
      <TextField name="name" label="Name" placeholder="Company Gmail" required maxLength={120} autoFocus />
      <TextField
        name="source"
        label="Platform"
        hint="The product that sends. It begins every source, such as make:gmail:ada@example.com."
        placeholder="make"
        pattern="[^\s:]+"
        required
        maxLength={60}
      />
      <SelectField
        name="kind"
        label="Type"
        hint="Personal: stored in your name, and you find it first. Shared: neutral."
      >
        <option value="personal">Personal</option>
        <option value="shared">Shared</option>
      </SelectField>
      <BrainField name="brain" label="Brain" canWrite hint="It may write here and below. You can change this later.">
        <option value="">Your own brain</option>
      </BrainField>
      <div className="flex justify-end">
        <Button look="primary" type="submit" isBusy={making.isBusy}>
          Create connector
        </Button>
      </div>
    </form>
  );
}

function Ready({ made, onClose }: { made: NewConnector; onClose: () => void }) {
  return (
    <div className="space-y-4">
      {made.webhook_token && <CopyBox text={made.webhook_token} label="token" />}
      <Notice tone="plain">The token can send texts here and do nothing else.</Notice>
      <SetupGuide token={made.webhook_token} />
      <div className="flex justify-end">
        <Button onClick={onClose}>Done</Button>
      </div>
    </div>
  );
}
