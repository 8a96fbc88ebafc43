import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { messageOf } from '../../api/api-error.ts';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { TextField } from '../../design/field.tsx';
import { Notice } from '../../design/states.tsx';
import { HeaderField, headersOf } from './header-fields.tsx';
import { freshSecretQuery, registerDestination } from './requests.ts';

/** Asks where to send, registers the destination, and opens its page with the signing secret. */
export function NewDestinationDialog({ onClose }: { onClose: () => void }) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const registering = useMutation({
    mutationFn: registerDestination,
    async onSuccess({ output_destination_id: destinationId, signing_secret }) {
      if (signing_secret !== null) queryClient.setQueryData(freshSecretQuery(destinationId).queryKey, signing_secret);
      await queryClient.invalidateQueries({ queryKey: ['outputs', 'destinations'] });
      return navigate({ to: '/webhooks/outgoing/$destinationId', params: { destinationId } });
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const headers = headersOf(String(form.get('headers')));
    registering.mutate({
      name: String(form.get('name')),
      output_destination_url: String(form.get('url')).trim(),
      output_destination_kind: 'webhook',
      ...(Object.keys(headers).length > 0 && { headers }),
    });
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="New destination"
      description="It gets nothing until you attach a route from a connector."
    >
      <form className="space-y-4" onSubmit={submit}>
        {registering.isError && <Notice tone="stop">{messageOf(registering.error)}</Notice>}
        <TextField label="Name" name="name" required maxLength={120} autoFocus placeholder="Warehouse" />
        <TextField
          label="Address"
          name="url"
          type="url"
          required
          maxLength={2_000}
          autoCapitalize="off"
          spellCheck={false}
          placeholder="https://hooks.example.com/in"
          hint="Events are sent there with POST."
        />
        <HeaderField />
        <div className="flex justify-end gap-2 pt-1">
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" isBusy={registering.isPending}>
            Register destination
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
