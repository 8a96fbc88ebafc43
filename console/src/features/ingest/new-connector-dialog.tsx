import { call } from '../../api/call.ts';
import { Button } from '../../design/button.tsx';
import { CopyBox } from '../../design/copy-box.tsx';
import { SelectField, TextField } from '../../design/field.tsx';
import { FormDialog } from '../../design/form-dialog.tsx';
import { Notice } from '../../design/states.tsx';
import { BrainField } from '../../entities/brain-field.tsx';
import type { NewConnector } from './requests.ts';
import { SetupGuide } from './setup-guide.tsx';

/** Makes a connector, shows its token once, and then what to copy. */
export function NewConnectorDialog({ onClose }: { onClose: () => void }) {
  return (
    <FormDialog
      onClose={onClose}
      title="New connector"
      act="Create connector"
      run={({ readText }) =>
        call('create_connector', {
          name: readText('name'),
          source: readText('source'),
          connector_type: readText('kind') === 'shared' ? 'shared' : 'personal',
          ...(readText('brain') && { brain_id: readText('brain') }),
        })
      }
      refreshes={[['ingest', 'connectors']]}
      renderAnswer={(connector) => <TokenStep of={connector} onClose={onClose} />}
    >
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
    </FormDialog>
  );
}

function TokenStep({ of: connector, onClose }: { of: NewConnector; onClose: () => void }) {
  return (
    <div className="space-y-4">
      <Notice tone="go">
        <p className="font-medium">{connector.name} is ready</p>
        <p>Copy the token now. It is not stored and cannot be shown again.</p>
      </Notice>
      {connector.webhook_token && <CopyBox text={connector.webhook_token} label="token" />}
      <Notice tone="plain">The token can send texts here and do nothing else.</Notice>
      <SetupGuide token={connector.webhook_token} />
      <div className="flex justify-end">
        <Button onClick={onClose}>Done</Button>
      </div>
    </div>
  );
}
