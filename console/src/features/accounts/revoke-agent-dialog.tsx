import { useState } from 'react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { tell, tellFailure } from '../../design/toasts.tsx';
import type { Agent } from './agents.ts';
import { endConnectedClient, revokeKey } from './requests.ts';

/** Asks before an agent is revoked. */
export function RevokeAgentDialog({ agent, onClose }: { agent: Agent | undefined; onClose: () => void }) {
  const queryClient = useQueryClient();
  const [ticked, setTicked] = useState<readonly string[]>([]);
  const isKey = agent?.kind !== 'client';
  const verb = isKey ? 'Revoke' : 'Disconnect';
  const revoking = useMutation({
    mutationFn: ({ id, kind }: Agent): Promise<unknown> =>
      kind === 'key' ? revokeKey(id, ticked) : endConnectedClient(id),
    onSuccess: () => {
      tell(isKey ? 'Revoked' : 'Disconnected', 'It can no longer call.');
      setTicked([]);
      onClose();
      return queryClient.invalidateQueries({ queryKey: ['accounts'] });
    },
    onError: (error) => tellFailure(isKey ? 'The agent was not revoked' : 'The client was not disconnected', error),
  });
  return (
    <Dialog
      isOpen={agent !== undefined}
      onClose={onClose}
      title={`${verb} ${agent?.name ?? ''}?`}
      description={
        isKey
          ? 'Agents using this key stop working at once. So does what it made: keys, phones, invitations, tokens, addresses. You cannot undo this. Memories it stored stay.'
          : 'It stops working at once. To use it again, connect it again. Memories it stored stay.'
      }
    >
      {agent !== undefined && agent.joined.length > 0 && (
        <fieldset className="mt-2">
          <legend className="mb-1.5 text-[13px] font-medium text-soft">Joined by this key. Remove, too:</legend>
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
      <div className="mt-2 flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button look="stop" isBusy={revoking.isPending} onClick={() => agent && revoking.mutate(agent)}>
          {verb}
        </Button>
      </div>
    </Dialog>
  );
}
