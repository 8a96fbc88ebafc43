import { useQuery } from '@tanstack/react-query';
import { KeyRound, Plus, Trash2, X } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../design/button.tsx';
import { ConfirmDialog } from '../../design/confirm-dialog.tsx';
import { SelectField, TextField } from '../../design/field.tsx';
import { FormDialog } from '../../design/form-dialog.tsx';
import { ListPage } from '../../design/list-page.tsx';
import { useCall } from '../../design/use-call.ts';
import { isAgentKey, keysQuery } from '../accounts/requests.ts';
import { assignSet, createSet, deleteSet, permissionSetsQuery, type PermissionSet } from './requests.ts';

/** The permission sets of the workspace, and which agents draw on each. */
export function PermissionSetsPage() {
  const [isNew, setIsNew] = useState(false);
  return (
    <ListPage
      title="Permission sets"
      lead="A permission set holds secrets for the agents you assign it to. Each agent has at most one."
      action={
        <Button look="primary" icon={<Plus className="size-4" />} onClick={() => setIsNew(true)}>
          New permission set
        </Button>
      }
      noun="permission sets"
      query={useQuery(permissionSetsQuery)}
      getKey={({ permission_set_id }) => permission_set_id}
      getSearchText={({ name }) => name}
      renderRow={(set) => <SetRow of={set} />}
      empty={{
        icon: <KeyRound />,
        title: 'No permission sets yet',
        children: 'Create one, assign it to agents, and choose it under Secrets when you add a secret for them.',
      }}
    >
      <NewSetDialog isOpen={isNew} onClose={() => setIsNew(false)} />
    </ListPage>
  );
}

function SetRow({ of: set }: { of: PermissionSet }) {
  const { data: keys = [] } = useQuery(keysQuery);
  const [isEnding, setIsEnding] = useState(false);
  const assigning = useCall(assignSet, { refreshes: ['variables'], failure: 'The set was not assigned' });
  const holders = new Set(set.holders.map(({ id }) => id));
  const others = keys.filter((key) => isAgentKey(key) && !holders.has(key.key_id));
  return (
    <li className="space-y-3 px-4 py-4 sm:px-5">
      <div className="flex items-start gap-3">
        <div className="min-w-0 flex-1">
          <p className="text-sm font-medium">{set.name}</p>
          <p className="mt-0.5 text-[13px] wrap-anywhere text-faint">{set.variables.join(', ') || 'No secrets yet'}</p>
        </div>
        <Button look="quiet" size="small" onClick={() => setIsEnding(true)} aria-label={`Delete ${set.name}`}>
          <Trash2 className="size-3.5" aria-hidden />
        </Button>
      </div>
      <div className="flex flex-wrap items-center gap-2">
        {set.holders.map(({ id }) => {
          const label = keys.find((key) => key.key_id === id)?.label ?? 'An agent';
          return (
            <Button
              key={id}
              size="small"
              aria-label={`Unassign ${set.name} from ${label}`}
              onClick={() => assigning.call({ permission_set_id: null, caller: id })}
            >
              {label} <X className="size-3.5" aria-hidden />
            </Button>
          );
        })}
        {others.length > 0 && (
          <SelectField
            label={`Assign ${set.name} to`}
            isLabelHidden
            value=""
            onChange={(event) =>
              assigning.call({ permission_set_id: set.permission_set_id, caller: event.target.value })
            }
          >
            <option value="">Assign to an agent…</option>
            {others.map(({ key_id, label }) => (
              <option key={key_id} value={key_id}>
                {label}
              </option>
            ))}
          </SelectField>
        )}
      </div>
      <DeleteSetDialog of={set} isOpen={isEnding} onClose={() => setIsEnding(false)} />
    </li>
  );
}

function NewSetDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={onClose}
      title="New permission set"
      act="Create"
      run={({ readText }) => createSet(readText('name'))}
      refreshes={['variables']}
    >
      <TextField label="Name" name="name" required maxLength={120} autoFocus placeholder="Sales, reading" />
    </FormDialog>
  );
}

function DeleteSetDialog({ of: set, isOpen, onClose }: { of: PermissionSet; isOpen: boolean; onClose: () => void }) {
  const deleting = useCall(deleteSet, {
    refreshes: ['variables'],
    success: 'Permission set deleted',
    onSuccess: onClose,
    failure: 'The set was not deleted',
  });
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title={`Delete ${set.name}?`}
      description="This deletes its secrets. Agents that use this set lose them."
      act="Delete permission set"
      isBusy={deleting.isBusy}
      onConfirm={() => deleting.call(set.permission_set_id)}
    />
  );
}
