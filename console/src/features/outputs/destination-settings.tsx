import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { Button } from '../../design/button.tsx';
import { TextField } from '../../design/field.tsx';
import { Card } from '../../design/page.tsx';
import { Section } from '../../design/section.tsx';
import { tell, tellFailure } from '../../design/toasts.tsx';
import { useHasScope } from '../../entities/me.ts';
import { SendingFields, sendingOf } from './sending-fields.tsx';
import { updateDestination, type Destination } from './requests.ts';

/** The name of a destination and, of a webhook, how it is sent to. */
export function DestinationSettings({ of: destination }: { of: Destination }) {
  const { output_destination_id, output_destination_kind: kind, name } = destination;
  const isWebhook = kind === 'webhook';
  const mayChange = useHasScope('connectors:write');
  const queryClient = useQueryClient();
  const saving = useMutation({
    mutationFn: updateDestination,
    onSuccess: () => {
      tell('Settings saved');
      return queryClient.invalidateQueries({ queryKey: ['outputs'] });
    },
    onError: (error) => tellFailure('The settings were not saved', error),
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    saving.mutate({
      output_destination_id,
      name: String(form.get('name')),
      ...(isWebhook && sendingOf(form)),
    });
  };
  if (!mayChange) return null;
  return (
    <Section title="Settings">
      <Card className="p-5">
        <form className="space-y-4" onSubmit={submit}>
          <TextField label="Name" name="name" defaultValue={name} required maxLength={120} />
          {isWebhook && <SendingFields of={destination} />}
          <div className="flex justify-end">
            <Button type="submit" isBusy={saving.isPending}>
              Save settings
            </Button>
          </div>
        </form>
      </Card>
    </Section>
  );
}
