import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { Tag } from '../../design/page.tsx';
import { tell, tellFailure } from '../../design/toasts.tsx';
import { useHasScope } from '../../entities/me.ts';
import { deleteDestination, testDestination, updateDestination, type Destination } from './requests.ts';
import { statusText, statusTone } from './words.ts';

/** The state of a destination, a test message, and the ways to pause, start and delete it. */
export function DestinationActions({ of: destination }: { of: Destination }) {
  const { output_destination_id: id, output_destination_kind: kind, status } = destination;
  const mayChange = useHasScope('connectors:write');
  const queryClient = useQueryClient();
  const change = useMutation({
    mutationFn: (to: 'active' | 'paused') => updateDestination({ output_destination_id: id, status: to }),
    onSuccess: ({ status: now }) => {
      tell(now === 'active' ? 'Destination active' : 'Destination paused');
      return queryClient.invalidateQueries({ queryKey: ['outputs'] });
    },
    onError: (error) => tellFailure('The destination was not changed', error),
  });
  const test = useMutation({
    mutationFn: () => testDestination(id),
    onSuccess: ({ delivered, http_status, error, duration_ms }) => {
      if (delivered) tell('Test message delivered', `It answered ${http_status} in ${duration_ms} ms.`);
      else tellFailure('The test message did not arrive', new Error(error ?? `It answered ${http_status}.`));
    },
    onError: (error) => tellFailure('The test message was not sent', error),
  });
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Tag tone={statusTone[status]}>{statusText[status]}</Tag>
      {mayChange && (
        <>
          {kind === 'webhook' && (
            <Button isBusy={test.isPending} onClick={() => test.mutate()}>
              Send test
            </Button>
          )}
          <Button
            look={status === 'active' ? 'plain' : 'primary'}
            isBusy={change.isPending}
            onClick={() => change.mutate(status === 'active' ? 'paused' : 'active')}
          >
            {status === 'active' ? 'Pause' : 'Start again'}
          </Button>
          <DeleteDestination id={id} />
        </>
      )}
    </div>
  );
}

function DeleteDestination({ id }: { id: string }) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [isAsking, setIsAsking] = useState(false);
  const deleting = useMutation({
    mutationFn: () => deleteDestination(id),
    async onSuccess() {
      tell('Destination deleted');
      await navigate({ to: '/webhooks/outgoing' });
      return queryClient.invalidateQueries({ queryKey: ['outputs'] });
    },
    onError: (error) => tellFailure('The destination was not deleted', error),
  });
  return (
    <>
      <Button look="stop" onClick={() => setIsAsking(true)}>
        Delete
      </Button>
      <Dialog
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        title="Delete this destination?"
        description="Nothing is sent to it any more, also nothing that waits. Its routes end."
      >
        <div className="mt-2 flex justify-end gap-2">
          <Button onClick={() => setIsAsking(false)}>Cancel</Button>
          <Button look="stop" isBusy={deleting.isPending} onClick={() => deleting.mutate()}>
            Delete destination
          </Button>
        </div>
      </Dialog>
    </>
  );
}
