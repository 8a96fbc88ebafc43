import { useState } from 'react';
import { ConfirmDialog } from '../../design/confirm-dialog.tsx';
import type { Agent } from './agents.ts';
import { endConnectedClient, revokeKey } from './requests.ts';
import { useCall } from '../../design/use-call.ts';

/** Asks before an agent is revoked. */
export function RevokeAgentDialog({ agent, onClose }: { agent: Agent | undefined; onClose: () => void }) {
  const [ticked, setTicked] = useState<readonly string[]>([]);
  const isKey = agent?.kind !== 'client';
  const verb = isKey ? 'Revoke' : 'Disconnect';
  const revoking = useCall(
    ({ id, kind }: Agent): Promise<unknown> => (kind === 'key' ? revokeKey(id, ticked) : endConnectedClient(id)),
    {
      refreshes: ['accounts'],
      success: [isKey ? 'Revoked' : 'Disconnected', 'It can no longer call.'],
      onSuccess: () => {
        setTicked([]);
        onClose();
      },
      failure: isKey ? 'The agent was not revoked' : 'The client was not disconnected',
    },
  );
  return (
    <ConfirmDialog
      isOpen={agent !== undefined}
      onClose={onClose}
      title={`${verb} ${agent?.name ?? ''}?`}
      description={
        isKey
          ? 'Agents using this key stop working at once. So does everything it created: keys, phones, invitations, tokens, addresses. You cannot undo this. Memories it stored stay.'
          : 'It stops working at once. To use it again, connect it again. Memories it stored stay.'
      }
      act={verb}
      isBusy={revoking.isBusy}
      onConfirm={() => agent && revoking.call(agent)}
    >
      {agent !== undefined && agent.joined.length > 0 && (
        <fieldset className="mt-2">
          <legend className="mb-1.5 text-[13px] font-medium text-soft">
            Joined through this key. Remove them, too:
          </legend>
          {agent.joined.map(({ id, name, email }) => (
            <label key={id} className="flex items-center gap-2.5 py-1 text-sm">
              <input
                type="checkbox"
                className="size-4 accent-go"
                checked={ticked.includes(id)}
                onChange={({ target }) =>
                  setTicked(target.checked ? [...ticked, id] : ticked.filter((each) => each !== id))
                }
              />
              {name} ({email})
            </label>
          ))}
        </fieldset>
      )}
    </ConfirmDialog>
  );
}
