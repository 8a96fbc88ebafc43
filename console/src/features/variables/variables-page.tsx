import { useQuery } from '@tanstack/react-query';
import { Braces, FlaskConical, Plus } from 'lucide-react';
import { useState } from 'react';
import { Button, getButtonClass } from '../../design/button.tsx';
import { Card, Page } from '../../design/page.tsx';
import { Section } from '../../design/section.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../design/states.tsx';
import { keysQuery } from '../accounts/requests.ts';
import { meQuery } from '../../entities/me.ts';
import { brainsQuery } from '../../entities/brains.ts';
import { DeleteVariableDialog } from './delete-variable-dialog.tsx';
import { HostsDialog } from './hosts-dialog.tsx';
import { PermissionSets } from './permission-sets.tsx';
import { permissionSetsQuery, variablesQuery, type Variable } from './requests.ts';
import { SetVariableDialog, type VariableToSet } from './set-variable-dialog.tsx';
import { tierWords } from './tier-words.ts';
import { VariableRow } from './variable-row.tsx';

type ListProps = {
  rows: readonly Variable[];
  nameOf: ReturnType<typeof useHolderNames>;
  onHosts: (variable: Variable) => void;
  onReplace: (variable: Variable) => void;
  onDelete: (variable: Variable) => void;
};

function VariableList({ rows, nameOf, onHosts, onReplace, onDelete }: ListProps) {
  return (
    <Card>
      <ul className="divide-y divide-line">
        {rows.map((row) => (
          <VariableRow
            key={row.variable_id}
            of={row}
            holder={nameOf(row.scope_id)}
            onHosts={() => onHosts(row)}
            onReplace={() => onReplace(row)}
            onDelete={() => onDelete(row)}
          />
        ))}
      </ul>
    </Card>
  );
}

/** All variables with their allowed hosts. Agents use the values and never see them. */
export function VariablesPage() {
  const { data: variables, error, isPending, refetch } = useQuery(variablesQuery);
  const { data: me } = useQuery(meQuery);
  const [setting, setSetting] = useState<VariableToSet | null>(null);
  const [routing, setRouting] = useState<Variable | null>(null);
  const [deleting, setDeleting] = useState<Variable | null>(null);
  const nameOf = useHolderNames();
  const groups = tierWords
    .map((words) => ({ ...words, rows: variables?.filter(({ scope }) => scope === words.tier) ?? [] }))
    .filter(({ rows }) => rows.length);
  return (
    <Page
      title="Secrets"
      lead="Agents use a placeholder. Thalamus inserts the secret, only for hosts you allow."
      action={<Actions onNew={() => setSetting({})} />}
    >
      <div className="space-y-8">
        {isPending && (
          <Card>
            <Skeleton label="Loading secrets" />
          </Card>
        )}
        {error && <ErrorState error={error} onRetry={() => void refetch()} />}
        {variables && !variables.length && (
          <Card>
            <EmptyState icon={<Braces />} title="No secrets yet">
              Add one here, or let an agent ask you for one with a link.
            </EmptyState>
          </Card>
        )}
        {groups.map(({ tier, title, about, rows }) => (
          <Section key={tier} title={title} lead={about}>
            <VariableList
              rows={rows}
              nameOf={nameOf}
              onHosts={setRouting}
              onReplace={(former) => setSetting({ former })}
              onDelete={setDeleting}
            />
          </Section>
        ))}
        {me && me.person.role !== 'member' && <PermissionSets />}
      </div>
      <SetVariableDialog setting={setting} onClose={() => setSetting(null)} />
      <HostsDialog of={routing} onClose={() => setRouting(null)} />
      <DeleteVariableDialog of={deleting} onClose={() => setDeleting(null)} />
    </Page>
  );
}

function Actions({ onNew }: { onNew: () => void }) {
  return (
    <div className="flex flex-wrap gap-2">
      <a href="/oauth-playground" className={getButtonClass()}>
        <FlaskConical className="size-4" aria-hidden /> OAuth playground
      </a>
      <Button look="primary" icon={<Plus className="size-4" />} onClick={onNew}>
        New secret
      </Button>
    </div>
  );
}

/** What the brains, agents and sets are called that hold variables. */
function useHolderNames(): (id: string) => string | undefined {
  const { data: brains } = useQuery(brainsQuery);
  const { data: keys } = useQuery(keysQuery);
  const { data: sets } = useQuery(permissionSetsQuery);
  return (id) =>
    brains?.find((brain) => brain.id === id)?.name ??
    keys?.find((key) => key.key_id === id)?.label ??
    sets?.find((set) => set.permission_set_id === id)?.name;
}
