import { useQuery, useQueryClient } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { useState, type FormEvent } from 'react';
import { Button } from '../../design/button.tsx';
import { CopyBox } from '../../design/copy-box.tsx';
import { TextField } from '../../design/field.tsx';
import { Notice } from '../../design/states.tsx';
import { buildFreshConnectorQuery, showSecret } from './requests.ts';
import { type Connector } from '../../entities/webhook-connectors.ts';
import { useHasScope } from '../../entities/me.ts';
import { useUpdate } from './use-update.ts';
import { useCall } from '../../design/use-call.ts';

type Props = { of: Connector; sender: string; isFromSender: boolean };

/** The secret that signs: shown once when it was made here, pasted when the sender makes it, replaced later. */
export function SecretStep({ of: connector, sender, isFromSender }: Props) {
  const { webhook_connector_id: id, has_secret, has_unread_secret, waits_for_variable } = connector;
  const { data: fresh } = useQuery(buildFreshConnectorQuery(id));
  const [isReplacing, setIsReplacing] = useState(false);
  const mayChange = useHasScope('connectors:write');
  const saving = useUpdate(id, 'Secret saved');
  if (fresh?.secret)
    return (
      <>
        <CopyBox text={fresh.secret} label="secret" />
        <Notice tone="wait" icon={<KeyRound />}>
          Copy it now. It is not shown again.
        </Notice>
      </>
    );
  if (has_unread_secret && mayChange) return <UnreadSecret id={id} />;
  if (has_secret && !isReplacing)
    return (
      <div className="flex flex-wrap items-center gap-3 text-sm text-soft">
        <span>The secret is set. It is stored encrypted and not shown again.</span>
        {mayChange && (
          <Button size="small" onClick={() => setIsReplacing(true)}>
            Replace secret
          </Button>
        )}
      </div>
    );
  if (!mayChange) return <p className="text-sm text-soft">No secret is set yet.</p>;
  return (
    <>
      {waits_for_variable && (
        <Notice tone="wait">
          It waits for the secret {waits_for_variable}. Set it under Secrets, or paste the value here.
        </Notice>
      )}
      <SecretForm
        label={isFromSender ? `Secret from ${sender}` : 'Secret'}
        isBusy={saving.isBusy}
        onSave={(webhook_secret) => saving.call({ webhook_secret }, { onSuccess: () => setIsReplacing(false) })}
      />
      {!isFromSender && !has_secret && !waits_for_variable && (
        <Button size="small" isBusy={saving.isBusy} onClick={() => saving.call({})}>
          Create a secret here
        </Button>
      )}
    </>
  );
}

function UnreadSecret({ id }: { id: string }) {
  const queryClient = useQueryClient();
  const showing = useCall(() => showSecret(id), {
    refreshes: [['webhooks', 'one', id]],
    onSuccess: ({ webhook_secret: secret }) =>
      queryClient.setQueryData(buildFreshConnectorQuery(id).queryKey, (before) => ({ ...before, secret })),
    failure: 'The secret was not shown',
  });
  return (
    <div className="flex flex-wrap items-center gap-3 text-sm text-soft">
      <span>A secret waits for you. It is shown once.</span>
      <Button size="small" isBusy={showing.isBusy} onClick={() => showing.call()}>
        Show secret
      </Button>
    </div>
  );
}

type FormProps = { label: string; isBusy: boolean; onSave: (secret: string) => void };

function SecretForm({ label, isBusy, onSave }: FormProps) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    onSave(String(new FormData(event.currentTarget).get('secret')));
  };
  return (
    <form className="flex flex-wrap items-end gap-2" onSubmit={submit}>
      <div className="min-w-0 flex-1 basis-60">
        <TextField
          label={label}
          name="secret"
          type="password"
          autoComplete="off"
          required
          minLength={8}
          maxLength={1_000}
        />
      </div>
      <Button type="submit" isBusy={isBusy}>
        Save secret
      </Button>
    </form>
  );
}
