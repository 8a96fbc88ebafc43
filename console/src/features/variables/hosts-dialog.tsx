import type { FormEvent } from 'react';
import { formatErrorMessage } from '../../api/api-error.ts';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { TextField } from '../../design/field.tsx';
import { Notice } from '../../design/states.tsx';
import { changeHosts, type Variable } from './requests.ts';
import { useCall } from '../../design/use-call.ts';

type Props = { of: Variable | null; onClose: () => void };

/** Says where a variable may be sent, without touching its value. */
export function HostsDialog({ of: variable, onClose }: Props) {
  return (
    <Dialog
      isOpen={variable !== null}
      onClose={onClose}
      title={`Hosts of ${variable?.name ?? ''}`}
      description="Its value and its placeholder do not change."
    >
      {variable && <HostsForm of={variable} onClose={onClose} />}
    </Dialog>
  );
}

function HostsForm({ of: variable, onClose }: { of: Variable; onClose: () => void }) {
  const changing = useCall(changeHosts, {
    refreshes: ['variables'],
    success: ({ hosts }) => [
      'Hosts saved',
      hosts.length ? `Sent only to ${hosts.join(', ')}.` : 'No host is allowed now.',
    ],
    onSuccess: onClose,
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const text = String(new FormData(event.currentTarget).get('hosts') ?? '');
    changing.call({ of: variable, hosts: text.split(/[\s,]+/).filter(Boolean) });
  };
  return (
    <form onSubmit={submit} className="space-y-4">
      {changing.error && <Notice tone="stop">{formatErrorMessage(changing.error)}</Notice>}
      <TextField
        label="Allowed hosts"
        name="hosts"
        maxLength={4_000}
        autoFocus
        autoCapitalize="off"
        spellCheck={false}
        defaultValue={variable.hosts.join(', ')}
        placeholder="api.stripe.com"
        hint="Host names of its API. Without one, Thalamus never sends the value."
      />
      <div className="flex justify-end gap-2 pt-1">
        <Button onClick={onClose}>Cancel</Button>
        <Button look="primary" type="submit" isBusy={changing.isBusy}>
          Save
        </Button>
      </div>
    </form>
  );
}
