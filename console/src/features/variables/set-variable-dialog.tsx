import { useQuery } from '@tanstack/react-query';
import { ExternalLink } from 'lucide-react';
import { useState, type FormEvent } from 'react';
import { formatErrorMessage } from '../../api/api-error.ts';
import { Button, getButtonClass } from '../../design/button.tsx';
import { CopyBox } from '../../design/copy-box.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { SelectField, TextField } from '../../design/field.tsx';
import { Notice } from '../../design/states.tsx';
import { isAgentKey, keysQuery } from '../accounts/requests.ts';
import { meQuery } from '../../entities/me.ts';
import { BrainField } from '../../entities/brain-field.tsx';
import { createLink, permissionSetsQuery, type VariableLinkInput, type Tier, type Variable } from './requests.ts';
import { tierWords } from './tier-words.ts';
import { useCall } from '../../design/use-call.ts';

/** The variable to set: a new or an existing one. */
export type VariableToSet = { former?: Variable };

/** Asks what a variable is for, and opens the page where its value is pasted. */
export function SetVariableDialog({ setting, onClose }: { setting: VariableToSet | null; onClose: () => void }) {
  const former = setting?.former;
  return (
    <Dialog
      isOpen={setting !== null}
      onClose={onClose}
      title={former ? `Replace ${former.name}` : 'New secret'}
      description="You enter the value on a separate page. You can also send that page to somebody else."
    >
      <SetVariableForm former={former} onClose={onClose} />
    </Dialog>
  );
}

function SetVariableForm({ former, onClose }: { former: Variable | undefined; onClose: () => void }) {
  const [tier, setTier] = useState<Tier>(former?.scope ?? 'person');
  const making = useCall(createLink);
  if (making.answer) return <LinkReady {...making.answer} onClose={onClose} />;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    making.call(former ? toLinkInput(former) : parseLinkInput(new FormData(event.currentTarget), tier));
  };
  return (
    <form onSubmit={submit} className="space-y-4">
      {making.error && <Notice tone="stop">{formatErrorMessage(making.error)}</Notice>}
      {!former && <NewFields tier={tier} onTier={setTier} />}
      {former && <p className="text-sm text-soft">Its placeholder does not change, so agents keep working.</p>}
      <div className="flex justify-end gap-2 pt-1">
        <Button onClick={onClose}>Cancel</Button>
        <Button look="primary" type="submit" isBusy={making.isBusy}>
          Create
        </Button>
      </div>
    </form>
  );
}

function NewFields({ tier, onTier }: { tier: Tier; onTier: (tier: Tier) => void }) {
  const { data: me } = useQuery(meQuery);
  const isMember = me?.person.role === 'member';
  const offered = tierWords.filter(({ tier: each }) => !isMember || (each !== 'org' && each !== 'permission_set'));
  return (
    <>
      <TextField
        label="Name"
        name="name"
        required
        maxLength={128}
        pattern="[A-Za-z0-9_]+"
        title="Letters, digits and _"
        autoFocus
        autoCapitalize="off"
        spellCheck={false}
        placeholder="STRIPE_SECRET_KEY"
      />
      <SelectField label="Available to" value={tier} onChange={(event) => onTier(event.target.value as Tier)}>
        {offered.map(({ tier: each, title }) => (
          <option key={each} value={each}>
            {title}
          </option>
        ))}
      </SelectField>
      <HolderField tier={tier} />
      <TextField label="Description" name="description" maxLength={500} hint="Shown to agents." />
      <TextField
        label="Allowed hosts"
        name="hosts"
        maxLength={4_000}
        autoCapitalize="off"
        spellCheck={false}
        placeholder="api.stripe.com"
        hint="Host names of its API. Without one, Thalamus never sends the value."
      />
    </>
  );
}

/** Which brain, agent or set, for the tiers that have several. */
function HolderField({ tier }: { tier: Tier }) {
  const { data: keys } = useQuery(keysQuery);
  const { data: sets } = useQuery({ ...permissionSetsQuery, enabled: tier === 'permission_set' });
  if (tier === 'brain') return <BrainField label="Brain" name="scope_id" canWrite />;
  const choices =
    tier === 'agent'
      ? keys?.filter(isAgentKey).map(({ key_id, label }) => [key_id, label])
      : tier === 'permission_set'
        ? sets?.map(({ permission_set_id, name }) => [permission_set_id, name])
        : undefined;
  if (!choices) return null;
  return (
    <SelectField label={tier === 'agent' ? 'Agent' : 'Permission set'} name="scope_id" required>
      {choices.map(([id, label]) => (
        <option key={id} value={id}>
          {label}
        </option>
      ))}
    </SelectField>
  );
}

function LinkReady({ url, expires_in, onClose }: { url: string; expires_in: string; onClose: () => void }) {
  return (
    <div className="space-y-4">
      <CopyBox text={url} label="link" />
      <p className="text-sm text-soft">Whoever opens it can set this one variable, within {expires_in}.</p>
      <div className="flex justify-end">
        <a href={url} target="_blank" rel="noreferrer" className={getButtonClass('primary')} onClick={onClose}>
          <ExternalLink className="size-4" aria-hidden /> Open it here
        </a>
      </div>
    </div>
  );
}

function parseLinkInput(form: FormData, var_scope: Tier): VariableLinkInput {
  const text = (name: string) => String(form.get(name) ?? '').trim();
  const [scope_id, description] = [text('scope_id'), text('description')];
  const hosts = text('hosts')
    .split(/[\s,]+/)
    .filter(Boolean);
  return {
    var_name: text('name'),
    var_scope,
    ...(scope_id && { scope_id }),
    ...(description && { description }),
    ...(hosts.length && { hosts }),
  };
}

function toLinkInput({ name, scope, scope_id }: Variable): VariableLinkInput {
  const isNamed = scope !== 'org' && scope !== 'person';
  return { var_name: name, var_scope: scope, ...(isNamed && { scope_id }) };
}
