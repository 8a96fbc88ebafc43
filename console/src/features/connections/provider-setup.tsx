import { useQueryClient } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { formatErrorMessage } from '../../api/api-error.ts';
import { CopyBox } from '../../design/copy-box.tsx';
import { TextField } from '../../design/field.tsx';
import { Notice } from '../../design/states.tsx';
import { FormButtons } from './form-buttons.tsx';
import { configureProvider, staleKeys, type ProviderConfig } from './requests.ts';
import { useCall } from '../../design/use-call.ts';

type Props = {
  config: ProviderConfig;
  onDone?: () => void;
  /** Absent: the form cannot be cancelled. */
  onCancel?: () => void;
};

/** Sets up a provider's OAuth client for the whole workspace. The secret is never shown again. */
export function ProviderSetup({ config, onDone, onCancel }: Props) {
  const { oauth, label, provider } = config;
  if (!oauth) return null;
  return (
    <div className="space-y-5">
      <ol className="list-decimal space-y-4 pl-4.5 text-sm leading-relaxed text-soft marker:text-faint">
        <li className="pl-1">
          Open{' '}
          <a
            href={oauth.setup_url}
            target="_blank"
            rel="noreferrer"
            className="font-medium text-ink underline decoration-edge underline-offset-4 hover:decoration-ink"
          >
            {label}’s page for developers
          </a>
          .
        </li>
        {oauth.setup_steps.map((step) => (
          <li key={step} className="pl-1">
            {step}
          </li>
        ))}
        <li className="space-y-2 pl-1">
          <p>Enter this redirect URI there:</p>
          <CopyBox text={oauth.redirect_uri} label="redirect URI" />
        </li>
        <li className="pl-1">Copy the client ID and secret to here:</li>
      </ol>
      {oauth.lifetime_note && <Notice tone="plain">{oauth.lifetime_note}</Notice>}
      {oauth.is_configured && <Notice tone="plain">Accounts connected with another client must be reconnected.</Notice>}
      <ProviderForm provider={provider} clientId={oauth.client_id} onDone={onDone} onCancel={onCancel} />
    </div>
  );
}

type FormProps = {
  provider: string;
  clientId: string | null;
  onDone: (() => void) | undefined;
  onCancel: (() => void) | undefined;
};

function ProviderForm({ provider, clientId, onDone, onCancel }: FormProps) {
  const queryClient = useQueryClient();
  const saving = useCall(configureProvider, {
    success: ['Saved', 'Everyone in this workspace can connect an account now.'],
    onSuccess: () => {
      onDone?.();
      return Promise.all(staleKeys.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const text = (name: string) => String(form.get(name) ?? '').trim();
    saving.call({ provider, client_id: text('client_id'), client_secret: text('client_secret') });
  };
  return (
    <form onSubmit={submit} className="space-y-4">
      {saving.error && <Notice tone="stop">{formatErrorMessage(saving.error)}</Notice>}
      <TextField label="Client ID" name="client_id" required autoComplete="off" defaultValue={clientId ?? ''} />
      <TextField
        label="Client secret"
        name="client_secret"
        type="password"
        required
        autoComplete="off"
        hint="Stored encrypted. Never shown to agents or in logs."
      />
      <FormButtons isBusy={saving.isBusy} onCancel={onCancel} />
    </form>
  );
}
