import { useQuery } from '@tanstack/react-query';
import { Braces, FlaskConical, Plus } from 'lucide-react';
import { useState } from 'react';
import { Button, getButtonClass } from '../../design/button.tsx';
import { ListPage } from '../../design/list-page.tsx';
import { brainsQuery } from '../../entities/brains.ts';
import { keysQuery } from '../accounts/requests.ts';
import { permissionSetsQuery, variablesQuery, type Tier, type Variable } from './requests.ts';
import { SetVariableDialog } from './set-variable-dialog.tsx';
import { tierWords } from './tier-words.ts';
import { VariableRow } from './variable-row.tsx';

const tiers = tierWords.map(({ tier }) => tier);

/** All variables with their allowed hosts. Agents use the values and never see them. */
export function VariablesPage() {
  const query = useQuery(variablesQuery);
  const [tier, setTier] = useState<Tier | null>(null);
  const [isNew, setIsNew] = useState(false);
  const findHolderName = useHolderNames();
  const all = query.data?.toSorted((one, other) => tiers.indexOf(one.scope) - tiers.indexOf(other.scope));
  return (
    <ListPage
      title="Secrets"
      lead="Agents use a placeholder. Thalamus inserts the secret, only for hosts you allow."
      action={
        <>
          <a href="/oauth-playground" className={getButtonClass()}>
            <FlaskConical className="size-4" aria-hidden /> OAuth playground
          </a>
          <Button look="primary" icon={<Plus className="size-4" />} onClick={() => setIsNew(true)}>
            New secret
          </Button>
        </>
      }
      noun="secrets"
      query={{ ...query, data: all?.filter(({ scope }) => !tier || scope === tier) }}
      getKey={({ variable_id }) => variable_id}
      getSearchText={({ name, description, hosts }) => [name, description, ...hosts].join(' ')}
      renderRow={(variable) => <VariableRow of={variable} holder={findHolderName(variable)} />}
      filters={all && <TierFilter all={all} chosen={tier} onChoose={setTier} />}
      isNarrowed={tier !== null}
      empty={{
        icon: <Braces />,
        title: 'No secrets yet',
        children: 'Add one here, or let an agent ask you for one with a link.',
      }}
    >
      <SetVariableDialog isOpen={isNew} onClose={() => setIsNew(false)} />
    </ListPage>
  );
}

type FilterProps = { all: readonly Variable[]; chosen: Tier | null; onChoose: (tier: Tier | null) => void };

/** Chips for the tiers that have secrets, where there are several. */
function TierFilter({ all, chosen, onChoose }: FilterProps) {
  const filled = tierWords.filter(({ tier }) => all.some(({ scope }) => scope === tier));
  if (filled.length < 2) return null;
  return (
    <div role="group" aria-label="Available to" className="flex flex-wrap gap-1">
      {[{ tier: null, title: 'All', about: 'Every secret' }, ...filled].map(({ tier, title, about }) => (
        <Button
          key={title}
          size="small"
          look={tier === chosen ? 'plain' : 'quiet'}
          aria-pressed={tier === chosen}
          title={about}
          onClick={() => onChoose(tier)}
        >
          {title}
        </Button>
      ))}
    </div>
  );
}

/** Finds the brain, agent or set that has a variable, or what its tier is called. */
function useHolderNames(): (variable: Variable) => string {
  const { data: brains } = useQuery(brainsQuery);
  const { data: keys } = useQuery(keysQuery);
  const { data: sets } = useQuery(permissionSetsQuery);
  return ({ scope, scope_id: id }) =>
    brains?.find((brain) => brain.id === id)?.name ??
    keys?.find((key) => key.key_id === id)?.label ??
    sets?.find((set) => set.permission_set_id === id)?.name ??
    tierWords.find(({ tier }) => tier === scope)?.title ??
    scope;
}
