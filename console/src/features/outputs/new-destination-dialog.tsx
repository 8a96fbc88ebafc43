import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState, type FormEvent } from 'react';
import { formatErrorMessage } from '../../api/api-error.ts';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { SelectField, TextField } from '../../design/field.tsx';
import { Notice } from '../../design/states.tsx';
import { buildFreshSecretQuery, registerDestination } from './requests.ts';
import { SendingFields, parseSendingFields } from './sending-fields.tsx';
import { useCall } from '../../design/use-call.ts';

/** Asks how events leave, registers the destination, and opens its page with its signing secret or token. */
export function NewDestinationDialog({ onClose }: { onClose: () => void }) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [kind, setKind] = useState<'webhook' | 'feed'>('webhook');
  const registering = useCall(registerDestination, {
    refreshes: [['outputs', 'destinations']],
    onSuccess: ({ output_destination_id: destinationId, signing_secret, feed_token }) => {
      const secret = signing_secret ?? feed_token ?? undefined;
      queryClient.setQueryData(buildFreshSecretQuery(destinationId).queryKey, secret);
      return navigate({ to: '/webhooks/outgoing/$destinationId', params: { destinationId } });
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    registering.call({
      name: String(form.get('name')),
      output_destination_kind: kind,
      ...(kind === 'webhook' && parseSendingFields(form)),
    });
  };
  return (
    <Dialog isOpen onClose={onClose} title="New destination" description="It gets nothing until you attach a route.">
      <form className="space-y-4" onSubmit={submit}>
        {registering.error && <Notice tone="stop">{formatErrorMessage(registering.error)}</Notice>}
        <TextField label="Name" name="name" required maxLength={120} autoFocus placeholder="Warehouse" />
        <SelectField
          label="Kind"
          value={kind}
          onChange={(event) => setKind(event.target.value === 'feed' ? 'feed' : 'webhook')}
          hint={kind === 'feed' && 'A program fetches the events with a token of its own. It needs no public address.'}
        >
          <option value="webhook">Webhook: events are sent to an address</option>
          <option value="feed">Feed: a program fetches the events</option>
        </SelectField>
        {kind === 'webhook' && <SendingFields />}
        <div className="flex justify-end gap-2 pt-1">
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" isBusy={registering.isBusy}>
            Register destination
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
