import { useQuery } from '@tanstack/react-query';
import { ExternalLink } from 'lucide-react';
import { useState } from 'react';
import { getButtonClass } from '../../design/button.tsx';
import { CopyBox } from '../../design/copy-box.tsx';
import { SelectField, TextField } from '../../design/field.tsx';
import { FormDialog } from '../../design/form-dialog.tsx';
import type { FormFields } from '../../design/form-fields.ts';
import { isAgentKey, keysQuery } from '../accounts/requests.ts';
import { meQuery } from '../../entities/me.ts';
import { BrainField } from '../../entities/brain-field.tsx';
import { createLink, permissionSetsQuery, type VariableLinkInput, type Tier, type Variable } from './requests.ts';
import { tierWords } from './tier-words.ts';

type Props = {
  /** The secret whose value is replaced. Without it a new one is made. */
  former?: Variable;
  isOpen: boolean;
  onClose: () => void;
};

/** Asks what a variable is for, and opens the page where its value is pasted. */
export function SetVariableDialog({ former, isOpen, onClose }: Props) {
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={onClose}
      title={former ? `Replace ${former.name}` : 'New secret'}
      description="You enter the value on a separate page. You can also send that page to somebody else."
      act="Create link"
      run={(fields) => createLink(former ? toLinkInput(former) : parseLinkInput(fields))}
      renderAnswer={(link) => <LinkReady {...link} onClose={onClose} />}
    >
      {former ? (
        <p className="text-sm text-soft">Its placeholder does not change, so agents keep working.</p>
      ) : (
        <NewFields />
      )}
    </FormDialog>
  );
}

function NewFields() {
  const [tier, setTier] = useState<Tier>('person');
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
      <SelectField
        label="Available to"
        name="tier"
        value={tier}
        onChange={(event) => setTier(event.target.value as Tier)}
      >
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
      <p className="text-sm text-soft">Anyone with this link can set this one secret, within {expires_in}.</p>
      <div className="flex justify-end">
        <a href={url} target="_blank" rel="noreferrer" className={getButtonClass('primary')} onClick={onClose}>
          <ExternalLink className="size-4" aria-hidden /> Open it here
        </a>
      </div>
    </div>
  );
}

function parseLinkInput({ readText, readWords }: FormFields): VariableLinkInput {
  const [scope_id, description, hosts] = [readText('scope_id'), readText('description'), readWords('hosts')];
  return {
    var_name: readText('name'),
    var_scope: readText('tier') as Tier, // one of the options
    ...(scope_id && { scope_id }),
    ...(description && { description }),
    ...(hosts.length && { hosts }),
  };
}

function toLinkInput({ name, scope, scope_id }: Variable): VariableLinkInput {
  const isNamed = scope !== 'org' && scope !== 'person';
  return { var_name: name, var_scope: scope, ...(isNamed && { scope_id }) };
}
