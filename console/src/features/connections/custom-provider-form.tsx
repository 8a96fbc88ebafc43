import { useQueryClient } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { formatErrorMessage } from '../../api/api-error.ts';
import { CopyBox } from '../../design/copy-box.tsx';
import { SelectField, TextField } from '../../design/field.tsx';
import { Notice } from '../../design/states.tsx';
import { FormButtons } from './form-buttons.tsx';
import { configureProvider, staleKeys, type ProviderClient, type ProviderConfig } from './requests.ts';
import { useCall } from '../../design/use-call.ts';

type Props = {
  /** The stored provider. Null: a new one. */
  config: ProviderConfig | null;
  redirectUri: string;
  onDone: (provider: string) => void;
  /** Absent: the form cannot be cancelled. */
  onCancel?: () => void;
};

const methods = {
  client_secret_post: 'POST body (most common)',
  client_secret_basic: 'HTTP Basic',
  none: 'None (public client)',
} as const;

/** Describes an OAuth provider that this server does not know: its addresses, and the client there. */
export function CustomProviderForm({ config, redirectUri, onDone, onCancel }: Props) {
  const queryClient = useQueryClient();
  const saving = useCall(configureProvider, {
    success: ['Saved', 'Everyone in this workspace can connect an account now.'],
    onSuccess: ({ provider }) => {
      onDone(provider);
      return Promise.all(staleKeys.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    saving.call(parseProviderClient(new FormData(event.currentTarget), config));
  };
  return (
    <form onSubmit={submit} className="space-y-4" autoComplete="off">
      <p className="text-sm text-soft">Create an OAuth client at the provider with this redirect URI:</p>
      <CopyBox text={redirectUri} label="redirect URI" />
      <TextField
        label="Name"
        name="label"
        required
        maxLength={80}
        defaultValue={config?.label}
        placeholder="Our Gitea"
      />
      <Addresses oauth={config?.oauth} />
      <Permissions config={config} />
      <ClientFields config={config} />
      {saving.error && <Notice tone="stop">{formatErrorMessage(saving.error)}</Notice>}
      <FormButtons isBusy={saving.isBusy} onCancel={onCancel} />
    </form>
  );
}

function Addresses({ oauth }: { oauth: ProviderConfig['oauth'] | undefined }) {
  return (
    <>
      <Address label="Authorization URL" name="authorization_url" isRequired value={oauth?.authorization_url} />
      <Address label="Token URL" name="token_url" isRequired value={oauth?.token_url} />
      <Address
        label="Userinfo URL"
        name="userinfo_url"
        value={oauth?.userinfo_url}
        hint="Optional. Without it, accounts have no name and each person connects only one."
      />
      <Address
        label="Revocation URL"
        name="revocation_url"
        value={oauth?.revocation_url}
        hint="Optional. Without it, disconnecting deletes the tokens here, and you revoke them at the provider."
      />
    </>
  );
}

function Permissions({ config }: { config: ProviderConfig | null }) {
  return (
    <>
      <TextField
        label="Scopes"
        name="scopes"
        defaultValue={config?.oauth?.scopes.join(' ')}
        placeholder="openid email read:repository"
        hint="Separate with spaces."
      />
      <TextField
        label="API hosts"
        name="api_hosts"
        defaultValue={config?.api_hosts.join(' ')}
        placeholder="api.example.com"
        hint="Tokens are sent only to these hosts and their subdomains. Default: the host of the token URL."
      />
    </>
  );
}

function ClientFields({ config }: { config: ProviderConfig | null }) {
  const { client_id: id, token_auth_method: method = 'client_secret_post' } = config?.oauth ?? {};
  return (
    <>
      <TextField label="Client ID" name="client_id" required maxLength={500} defaultValue={id ?? ''} />
      <TextField
        label="Client secret"
        name="client_secret"
        type="password"
        hint={`${config ? 'Leave empty to keep the stored one. ' : ''}Stored encrypted. Never shown to agents or in logs.`}
      />
      <SelectField label="Client authentication" name="token_auth_method" defaultValue={method}>
        {Object.entries(methods).map(([name, words]) => (
          <option key={name} value={name}>
            {words}
          </option>
        ))}
      </SelectField>
    </>
  );
}

type AddressProps = {
  label: string;
  name: string;
  value: string | null | undefined;
  hint?: string;
  isRequired?: boolean;
};

function Address({ value, isRequired, ...field }: AddressProps) {
  return <TextField {...field} type="url" required={isRequired} defaultValue={value ?? ''} placeholder="https://" />;
}

/** A name is made of the label once, and then stays. */
function parseProviderClient(form: FormData, config: ProviderConfig | null): ProviderClient {
  const text = (name: string) => String(form.get(name) ?? '').trim();
  const words = (name: string) =>
    text(name)
      .split(/[\s,]+/)
      .filter(Boolean);
  const [secret, hosts] = [text('client_secret'), words('api_hosts')];
  return {
    provider: config?.provider ?? toProviderName(text('label')),
    label: text('label'),
    authorization_url: text('authorization_url'),
    token_url: text('token_url'),
    token_auth_method: text('token_auth_method') as keyof typeof methods, // one of the options
    userinfo_url: text('userinfo_url') || null,
    revocation_url: text('revocation_url') || null,
    scopes: words('scopes'),
    ...(hosts.length && { api_hosts: hosts }),
    client_id: text('client_id'),
    ...(secret && { client_secret: secret }),
  };
}

function toProviderName(label: string): string {
  const plain = label
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-');
  const name = plain.replaceAll(/^[^a-z]+|-+$/g, '').slice(0, 60);
  return name || 'provider';
}
