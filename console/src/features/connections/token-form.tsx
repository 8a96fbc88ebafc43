import { useState, type FormEvent } from 'react';
import { formatErrorMessage } from '../../api/api-error.ts';
import { Button } from '../../design/button.tsx';
import { TextField } from '../../design/field.tsx';
import { Notice } from '../../design/states.tsx';
import { OwnerField } from './owner-field.tsx';
import { connectWithToken, staleKeys, type Owner, type PastedToken, type ProviderConfig } from './requests.ts';
import { useCall } from '../../design/use-call.ts';

type Props = {
  provider: string;
  label: string;
  token: NonNullable<ProviderConfig['token']>;
  /** What happens after connecting, in words. */
  note?: string | undefined;
  /** Gets the id of the account. */
  onConnected?: ((connectionId: string) => Promise<void>) | undefined;
};

/** A form for a token from the provider. It is checked at once and never shown again. */
export function TokenForm({ provider, label, token, note, onConnected }: Props) {
  const [owner, setOwner] = useState<Owner>('person');
  const saving = useCall(connectWithToken, {
    refreshes: staleKeys,
    success: ({ account }) => ['Connected', account],
    onSuccess: async ({ connection_id: id }) => {
      await onConnected?.(id);
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    saving.call(parsePastedToken(provider, new FormData(form), owner), { onSuccess: () => form.reset() });
  };
  return (
    <div className="space-y-4">
      <Steps steps={token.steps} url={token.url} label={label} />
      <form onSubmit={submit} className="space-y-4" autoComplete="off">
        {saving.error && <Notice tone="stop">{formatErrorMessage(saving.error)}</Notice>}
        {token.fields.includes('url') && (
          <TextField label="URL" name="url" type="url" required placeholder="https://api.example.com/items" />
        )}
        <TextField
          label={token.label}
          name="token"
          type="password"
          required={!token.is_optional}
          autoComplete="off"
          maxLength={4_000}
          hint="Checked at once and stored encrypted. Never shown to agents or in logs."
        />
        {token.fields.includes('header') && (
          <TextField
            label="Header"
            name="header"
            placeholder="authorization"
            hint="Default: “Authorization: Bearer …”."
          />
        )}
        <OwnerField owner={owner} onChange={setOwner} />
        {note && <p className="text-[13px] text-faint">{note}</p>}
        <div className="flex justify-end">
          <Button type="submit" look="primary" isBusy={saving.isBusy}>
            Connect
          </Button>
        </div>
      </form>
    </div>
  );
}

function Steps({ steps, url, label }: { steps: readonly string[]; url: string | null; label: string }) {
  return (
    <ol className="list-decimal space-y-1.5 pl-4.5 text-sm leading-relaxed text-soft marker:text-faint">
      {steps.map((step, position) => (
        <li key={step} className="pl-1">
          {step}{' '}
          {position === 0 && url && (
            <a
              href={url}
              target="_blank"
              rel="noreferrer"
              className="font-medium whitespace-nowrap text-ink underline decoration-edge underline-offset-4 hover:decoration-ink"
            >
              Open {label}
            </a>
          )}
        </li>
      ))}
    </ol>
  );
}

function parsePastedToken(provider: string, form: FormData, owner: Owner): PastedToken {
  const text = (name: string) => String(form.get(name) ?? '').trim();
  const [url, header] = [text('url'), text('header')];
  return {
    provider,
    token: text('token'),
    owner,
    ...(url && { url }),
    ...(header && { header: { name: header, value: '{token}' } }),
  };
}
