import { SlidersHorizontal } from 'lucide-react';
import { useState, type FormEvent } from 'react';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { SelectField } from '../../design/field.tsx';
import { keepScopes, useChange } from './agent-actions.tsx';
import type { Agent } from './agents.ts';
import { updateConnectedClient } from './requests.ts';
import { describeScopes } from './scope-words.ts';

const dayMs = 86_400_000;
const ends: readonly [days: number, label: string][] = [
  [1, 'After a day'],
  [7, 'After a week'],
  [30, 'After 30 days'],
  [90, 'After 90 days'],
];

/** Restricts an agent: fewer permissions and, for a connected client, one brain or an earlier expiry. */
export function EditAgent({ agent, now }: { agent: Agent; now: Date }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button icon={<SlidersHorizontal className="size-4" aria-hidden />} onClick={() => setIsOpen(true)}>
        Edit
      </Button>
      <Dialog
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
        title={`Edit ${agent.name}`}
        description="You can only allow it less here. To allow it more, connect it again."
      >
        <EditForm agent={agent} now={now} onDone={() => setIsOpen(false)} />
      </Dialog>
    </>
  );
}

function EditForm({ agent, now, onDone }: { agent: Agent; now: Date; onDone: () => void }) {
  const [kept, setKept] = useState<Agent['scopes']>(agent.scopes);
  const [reach, setReach] = useState(agent.reach);
  const [days, setDays] = useState('');
  const saving = useChange(() => save(agent, { kept, reach, days: Number(days), now }), 'Saved', 'Not saved');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    saving.call(undefined, { onSuccess: onDone });
  };
  return (
    <form onSubmit={submit} className="space-y-5">
      <fieldset>
        <legend className="mb-1.5 text-[13px] font-medium text-soft">Permissions</legend>
        {agent.scopes.map((scope) => (
          <label key={scope} className="flex items-center gap-2.5 py-1 text-sm">
            <input
              type="checkbox"
              className="size-4 accent-go"
              checked={kept.includes(scope)}
              onChange={({ target }) =>
                setKept(agent.scopes.filter((each) => (each === scope ? target.checked : kept.includes(each))))
              }
            />
            {describeScopes([scope])}
          </label>
        ))}
      </fieldset>
      {agent.kind === 'client' && (
        <>
          <SelectField
            label="Can read"
            value={reach}
            onChange={({ target }) => setReach(target.value as Agent['reach'])}
          >
            {agent.reach === 'owner' && <option value="owner">Everything you can read</option>}
            <option value="brain">Its home brain and the brains above it</option>
          </SelectField>
          <SelectField label="Access ends" value={days} onChange={({ target }) => setDays(target.value)}>
            <option value="">No change</option>
            {ends
              .filter(([each]) => !agent.expiresAt || now.getTime() + each * dayMs < Date.parse(agent.expiresAt))
              .map(([each, label]) => (
                <option key={each} value={each}>
                  {label}
                </option>
              ))}
          </SelectField>
        </>
      )}
      <div className="flex justify-end gap-2">
        <Button onClick={onDone}>Cancel</Button>
        <Button look="primary" type="submit" disabled={!kept.length} isBusy={saving.isBusy}>
          Save
        </Button>
      </div>
    </form>
  );
}

type AgentEdit = { kept: Agent['scopes']; reach: Agent['reach']; days: number; now: Date };

function save(agent: Agent, { kept, reach, days, now }: AgentEdit): Promise<unknown> {
  if (agent.kind === 'key') return keepScopes(agent, kept);
  return updateConnectedClient({
    id: agent.id,
    scopes: [...kept],
    ...(reach === 'brain' && { reach }),
    ...(days && { expires_at: new Date(now.getTime() + days * dayMs).toISOString() }),
  });
}
