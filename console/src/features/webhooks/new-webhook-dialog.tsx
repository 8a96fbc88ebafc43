import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { SelectField, TextField } from '../../design/field.tsx';
import { FormDialog } from '../../design/form-dialog.tsx';
import type { FormFields } from '../../design/form-fields.ts';
import { BrainField } from '../../entities/brain-field.tsx';
import { createConnector, buildFreshConnectorQuery, providersQuery, type Provider } from './requests.ts';
import { SignatureFields, parseSignatureFields } from './signature-fields.tsx';
import { schemeText } from './words.ts';

const schemes = ['hmac_sha256', 'standard_webhooks', 'none'] as const;
type Scheme = (typeof schemes)[number];

/** Asks for the sender and the brain, creates the connector, and opens its setup. */
export function NewWebhookDialog({ onClose }: { onClose: () => void }) {
  const { data: providers = [] } = useQuery(providersQuery);
  const [sender, setSender] = useState<string>('github');
  const known = providers.find(({ provider }) => provider === sender);
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  return (
    <FormDialog
      onClose={onClose}
      title="New webhook"
      description="It starts as a draft. It keeps the events it receives and stores nothing until you activate it."
      act="Create webhook"
      run={(fields) => createConnector(parseConnector(fields, sender, known))}
      refreshes={[['webhooks', 'list']]}
      onSuccess={async ({ connector_id: connectorId, ingest_url: url, webhook_secret: secret }) => {
        const fresh = { url, ...(secret !== null && { secret }) };
        queryClient.setQueryData(buildFreshConnectorQuery(connectorId).queryKey, fresh);
        await navigate({ to: '/sources/$connectorId', params: { connectorId }, search: { part: 'setup' } });
      }}
    >
      <SenderField {...{ providers, sender }} onChange={setSender} />
      <TextField label="Name" name="name" maxLength={120} placeholder={known?.title ?? 'Billing system'} />
      <BrainField
        label="Brain"
        name="brain"
        canWrite
        required
        hint="Documents are stored here. You can change it later."
      />
      {sender === 'hmac_sha256' && <SignatureFields />}
    </FormDialog>
  );
}

type SenderProps = { providers: readonly Provider[]; sender: string; onChange: (sender: string) => void };

function SenderField({ providers, sender, onChange }: SenderProps) {
  const known = providers.find(({ provider }) => provider === sender);
  return (
    <SelectField
      key={providers.length}
      label="Sender"
      value={sender}
      onChange={(event) => onChange(event.target.value)}
      hint={getSecretHint(
        known,
        schemes.find((each) => each === sender),
      )}
    >
      {providers.map(({ provider, title }) => (
        <option key={provider} value={provider}>
          {title}
        </option>
      ))}
      {schemes.map((scheme) => (
        <option key={scheme} value={scheme}>
          {schemeText[scheme]}
        </option>
      ))}
    </SelectField>
  );
}

function getSecretHint(known: Provider | undefined, scheme: Scheme | undefined): string {
  if (known?.secret_made_by === 'sender') return `You copy the secret from ${known.title} in the next step.`;
  if (scheme === 'none') return 'The address itself is the secret. It is shown once.';
  return 'The secret is made here and shown once.';
}

function parseConnector({ readText, data }: FormFields, sender: string, known: Provider | undefined) {
  const scheme = schemes.find((each) => each === sender) ?? 'hmac_sha256';
  return {
    name: readText('name') || known?.title || 'Webhook',
    brain_id: readText('brain'),
    ...(known ? { provider: known.provider } : { signature_scheme: scheme }),
    ...(sender === 'hmac_sha256' && { signature_settings: parseSignatureFields(data) }),
  };
}
