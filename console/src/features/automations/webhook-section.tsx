import { useState } from 'react';
import { Button } from '../../design/button.tsx';
import { Card } from '../../design/page.tsx';
import { Section } from '../../design/section.tsx';
import { rotateWebhook, type Automation } from './requests.ts';
import { useCall } from '../../design/use-call.ts';

/** The secret address that starts an automation. It is shown once, and can be replaced. */
export function WebhookSection({ of }: { of: Automation }) {
  const { automation_id, triggers, has_webhook_address, webhook_ended_reason: whyNone, state } = of;
  const [url, setUrl] = useState<string | null>(null);
  const rotate = useCall(() => rotateWebhook(automation_id), {
    refreshes: ['automations'],
    onSuccess: ({ webhook_url }) => setUrl(webhook_url),
    failure: 'The address was not created',
  });
  if (state === 'killed' || !triggers.some(({ kind }) => kind === 'webhook')) return null;
  return (
    <Section
      title="Webhook address"
      lead="A POST to this address starts the automation. Anyone who has it can do so."
      action={
        <Button isBusy={rotate.isBusy} onClick={() => rotate.call()}>
          {has_webhook_address ? 'Replace address' : 'Create address'}
        </Button>
      }
    >
      <Card className="p-5 text-sm">
        {url ? (
          <>
            <p>Copy it now. It is not shown again.</p>
            <code className="mt-2 block wrap-anywhere">{url}</code>
          </>
        ) : (
          <p className="text-soft">
            {has_webhook_address
              ? 'An address exists. Replacing it turns the current one off.'
              : (whyNone ?? 'No address yet. Create one and paste it where the events come from.')}
          </p>
        )}
      </Card>
    </Section>
  );
}
