import type { FormEvent } from 'react';
import { Button } from '../../design/button.tsx';
import { TextField } from '../../design/field.tsx';
import { Card } from '../../design/page.tsx';
import { Section } from '../../design/section.tsx';
import { useHasScope } from '../../entities/me.ts';
import { SendingFields, parseSendingFields } from './sending-fields.tsx';
import { updateDestination, type Destination } from './requests.ts';
import { useCall } from '../../design/use-call.ts';

/** The name of a destination and, of a webhook, how it is sent to. */
export function DestinationSettings({ of: destination }: { of: Destination }) {
  const { output_destination_id, output_destination_kind: kind, name } = destination;
  const isWebhook = kind === 'webhook';
  const mayChange = useHasScope('connectors:write');
  const saving = useCall(updateDestination, {
    refreshes: ['outputs'],
    success: 'Settings saved',
    failure: 'The settings were not saved',
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    saving.call({
      output_destination_id,
      name: String(form.get('name')),
      ...(isWebhook && parseSendingFields(form)),
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
            <Button type="submit" isBusy={saving.isBusy}>
              Save settings
            </Button>
          </div>
        </form>
      </Card>
    </Section>
  );
}
