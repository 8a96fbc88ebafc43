import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { SelectField, TextField } from '../../design/field.tsx';
import { FormDialog } from '../../design/form-dialog.tsx';
import { buildFreshSecretQuery, registerDestination } from './requests.ts';
import { SendingFields, parseSendingFields } from './sending-fields.tsx';

/** Asks how events leave, registers the destination, and opens its page with its signing secret or token. */
export function NewDestinationDialog({ onClose }: { onClose: () => void }) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [kind, setKind] = useState<'webhook' | 'feed'>('webhook');
  return (
    <FormDialog
      onClose={onClose}
      title="New destination"
      description="It gets nothing until you attach a route."
      act="Register destination"
      run={({ readText, data }) =>
        registerDestination({
          name: readText('name'),
          output_destination_kind: kind,
          ...(kind === 'webhook' && parseSendingFields(data)),
        })
      }
      refreshes={[['outputs', 'destinations']]}
      onSuccess={({ output_destination_id: destinationId, signing_secret, feed_token }) => {
        const secret = signing_secret ?? feed_token ?? undefined;
        queryClient.setQueryData(buildFreshSecretQuery(destinationId).queryKey, secret);
        return navigate({ to: '/destinations/$destinationId', params: { destinationId } });
      }}
    >
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
    </FormDialog>
  );
}
