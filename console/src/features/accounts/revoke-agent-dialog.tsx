import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { tell, tellFailure } from '../../design/toasts.tsx';
import type { Agent } from './agents.ts';
import { revokeKey } from './requests.ts';

/** Asks before an agent is shut out for good. */
export function RevokeAgentDialog({ agent, onClose }: { agent: Agent | undefined; onClose: () => void }) {
  const queryClient = useQueryClient();
  const revoking = useMutation({
    mutationFn: revokeKey,
    onSuccess: () => {
      tell('Revoked', 'It can no longer call.');
      onClose();
      return queryClient.invalidateQueries({ queryKey: ['accounts', 'keys'] });
    },
    onError: (error) => tellFailure('The agent was not revoked', error),
  });
  return (
    <Dialog
      isOpen={agent !== undefined}
      onClose={onClose}
      title={`Revoke ${agent?.name ?? ''}?`}
      description="Agents using this key stop working at once. You cannot undo this. Memories it stored stay."
    >
      <div className="mt-2 flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button look="stop" isBusy={revoking.isPending} onClick={() => agent && revoking.mutate(agent.id)}>
          Revoke
        </Button>
      </div>
    </Dialog>
  );
}
