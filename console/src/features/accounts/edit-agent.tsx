import { SlidersHorizontal } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../design/button.tsx';
import { SelectField } from '../../design/field.tsx';
import { FormDialog } from '../../design/form-dialog.tsx';
import { keepScopes } from './agent-actions.tsx';
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
      {isOpen && <EditDialog agent={agent} now={now} onClose={() => setIsOpen(false)} />}
    </>
  );
}

function EditDialog({ agent, now, onClose }: { agent: Agent; now: Date; onClose: () => void }) {
  const [kept, setKept] = useState<Agent['scopes']>(agent.scopes);
  return (
    <FormDialog
      onClose={onClose}
      title={`Edit ${agent.name}`}
      description="You can only allow it less here. To allow it more, connect it again."
      act="Save"
      isOff={!kept.length}
      run={({ readText }) =>
        save(agent, { kept, isLimited: readText('reach') === 'brain', days: Number(readText('days')), now })
      }
      refreshes={['accounts']}
      success="Saved"
    >
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
      {agent.kind === 'client' && <ClientFields agent={agent} now={now} />}
    </FormDialog>
  );
}

function ClientFields({ agent, now }: { agent: Agent; now: Date }) {
  return (
    <>
      <SelectField label="Can read" name="reach" defaultValue={agent.reach}>
        {agent.reach === 'owner' && <option value="owner">Everything you can read</option>}
        <option value="brain">Its home brain and the brains above it</option>
      </SelectField>
      <SelectField label="Access ends" name="days" defaultValue="">
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
  );
}

type AgentEdit = { kept: Agent['scopes']; isLimited: boolean; days: number; now: Date };

function save(agent: Agent, { kept, isLimited, days, now }: AgentEdit): Promise<unknown> {
  if (agent.kind === 'key') return keepScopes(agent, kept);
  return updateConnectedClient({
    id: agent.id,
    scopes: [...kept],
    ...(isLimited && { reach: 'brain' as const }),
    ...(days && { expires_at: new Date(now.getTime() + days * dayMs).toISOString() }),
  });
}
