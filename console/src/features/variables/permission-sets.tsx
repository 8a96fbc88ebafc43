import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Plus, Trash2, X } from 'lucide-react';
import { useState, type FormEvent } from 'react';
import { formatErrorMessage } from '../../api/api-error.ts';
import { ConfirmDialog } from '../../design/confirm-dialog.tsx';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { SelectField, TextField } from '../../design/field.tsx';
import { Card } from '../../design/page.tsx';
import { Section } from '../../design/section.tsx';
import { Notice } from '../../design/states.tsx';
import { isAgentKey, keysQuery, type Key } from '../accounts/requests.ts';
import { assignSet, createSet, deleteSet, permissionSetsQuery, type PermissionSet } from './requests.ts';
import { useCall } from '../../design/use-call.ts';

/** The permission sets of the workspace, and which agents draw on each. */
export function PermissionSets() {
  const { data: sets } = useQuery(permissionSetsQuery);
  const { data: keys } = useQuery(keysQuery);
  const [isNew, setIsNew] = useState(false);
  const [ending, setEnding] = useState<PermissionSet | null>(null);
  return (
    <Section
      title="Permission sets"
      lead="A permission set holds secrets for the agents you assign it to. Each agent has at most one."
      action={
        <Button size="small" icon={<Plus className="size-3.5" />} onClick={() => setIsNew(true)}>
          New permission set
        </Button>
      }
    >
      {sets && sets.length > 0 && (
        <Card>
          <ul className="divide-y divide-line">
            {sets.map((set) => (
              <SetRow key={set.permission_set_id} of={set} keys={keys ?? []} onEnd={() => setEnding(set)} />
            ))}
          </ul>
        </Card>
      )}
      {sets && !sets.length && <p className="text-sm text-faint">No permission sets yet.</p>}
      <Dialog isOpen={isNew} onClose={() => setIsNew(false)} title="New permission set">
        <NewSetForm onClose={() => setIsNew(false)} />
      </Dialog>
      <DeleteSetDialog of={ending} onClose={() => setEnding(null)} />
    </Section>
  );
}

function SetRow({ of: set, keys, onEnd }: { of: PermissionSet; keys: Key[]; onEnd: () => void }) {
  const refresh = useRefresh();
  const assigning = useCall(assignSet, { onSuccess: refresh, failure: 'The set was not assigned' });
  const holderIds = new Set(set.holders.map(({ id }) => id));
  const others = keys.filter((key) => isAgentKey(key) && !holderIds.has(key.key_id));
  return (
    <li className="space-y-3 px-5 py-4">
      <div className="flex items-start gap-3">
        <div className="min-w-0 flex-1">
          <p className="text-sm font-medium">{set.name}</p>
          <p className="mt-0.5 text-[13px] wrap-anywhere text-faint">{set.variables.join(', ') || 'No secrets yet'}</p>
        </div>
        <Button look="quiet" size="small" onClick={onEnd} aria-label={`Delete ${set.name}`}>
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
    </li>
  );
}

function NewSetForm({ onClose }: { onClose: () => void }) {
  const refresh = useRefresh();
  const creating = useCall(createSet, {
    onSuccess: () => {
      onClose();
      return refresh();
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    creating.call(String(new FormData(event.currentTarget).get('name') ?? '').trim());
  };
  return (
    <form onSubmit={submit} className="space-y-4">
      {creating.error && <Notice tone="stop">{formatErrorMessage(creating.error)}</Notice>}
      <TextField label="Name" name="name" required maxLength={120} autoFocus placeholder="Sales, reading" />
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button look="primary" type="submit" isBusy={creating.isBusy}>
          Create
        </Button>
      </div>
    </form>
  );
}

function DeleteSetDialog({ of: set, onClose }: { of: PermissionSet | null; onClose: () => void }) {
  const refresh = useRefresh();
  const deleting = useCall(deleteSet, {
    success: 'Permission set deleted',
    onSuccess: () => {
      onClose();
      return refresh();
    },
    failure: 'The set was not deleted',
  });
  return (
    <ConfirmDialog
      isOpen={set !== null}
      onClose={onClose}
      title={`Delete ${set?.name ?? ''}?`}
      description="This deletes its secrets. Agents that use this set lose them."
      act="Delete"
      isBusy={deleting.isBusy}
      onConfirm={() => set && deleting.call(set.permission_set_id)}
    />
  );
}

function useRefresh() {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ queryKey: ['variables'] });
}
