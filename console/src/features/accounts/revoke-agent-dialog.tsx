import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { tell, tellFailure } from '../../design/toasts.tsx';
import type { Agent } from './agents.ts';
import { endConnectedClient, revokeKey } from './requests.ts';

/** Asks before an agent is revoked. */
export function RevokeAgentDialog({ agent, onClose }: { agent: Agent | undefined; onClose: () => void }) {
  const queryClient = useQueryClient();
  const isKey = agent?.kind !== 'client';
  const verb = isKey ? 'Revoke' : 'Disconnect';
  const revoking = useMutation({
    mutationFn: ({ id, kind }: Agent): Promise<unknown> => (kind === 'key' ? revokeKey(id) : endConnectedClient(id)),
    onSuccess: () => {
      tell(isKey ? 'Revoked' : 'Disconnected', 'It can no longer call.');
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
          ? 'Agents using this key stop working at once. You cannot undo this. Memories it stored stay.'
          : 'It stops working at once. To use it again, connect it again. Memories it stored stay.'
      }
    >
      <div className="mt-2 flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button look="stop" isBusy={revoking.isPending} onClick={() => agent && revoking.mutate(agent)}>
          {verb}
        </Button>
      </div>
    </Dialog>
  );
}
