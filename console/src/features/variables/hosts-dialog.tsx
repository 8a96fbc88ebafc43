import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { messageOf } from '../../api/api-error.ts';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { TextField } from '../../design/field.tsx';
import { Notice } from '../../design/states.tsx';
import { tell } from '../../design/toasts.tsx';
import { changeHosts, type Variable } from './requests.ts';

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
  const queryClient = useQueryClient();
  const changing = useMutation({
    mutationFn: changeHosts,
    onSuccess: ({ hosts }) => {
      tell('Hosts saved', hosts.length ? `Sent only to ${hosts.join(', ')}.` : 'No host is allowed now.');
      onClose();
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['variables'] }),
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const text = String(new FormData(event.currentTarget).get('hosts') ?? '');
    changing.mutate({ of: variable, hosts: text.split(/[\s,]+/).filter(Boolean) });
  };
  return (
    <form onSubmit={submit} className="space-y-4">
      {changing.isError && <Notice tone="stop">{messageOf(changing.error)}</Notice>}
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
        <Button look="primary" type="submit" isBusy={changing.isPending}>
          Save
        </Button>
      </div>
    </form>
  );
}
