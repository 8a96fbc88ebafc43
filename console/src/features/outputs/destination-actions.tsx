import { useNavigate } from '@tanstack/react-router';
import { Send, Trash2 } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { Button } from '../../design/button.tsx';
import { ConfirmDialog } from '../../design/confirm-dialog.tsx';
import type { MenuAction } from '../../design/more-menu.tsx';
import { notifySuccess, notifyFailure } from '../../design/toasts.tsx';
import { useCall } from '../../design/use-call.ts';
import { useHasScope } from '../../entities/me.ts';
import { deleteDestination, testDestination, updateDestination, type Destination } from './requests.ts';

type Actions = { action: ReactNode; more: readonly MenuAction[]; dialog: ReactNode };

/** What a person may do with a destination: pause or start it, send a test, and delete it. */
export function useDestinationActions({
  output_destination_id: id,
  output_destination_kind: kind,
  status,
}: Destination): Actions {
  const mayChange = useHasScope('connectors:write');
  const [isAsking, setIsAsking] = useState(false);
  const change = useStatusChange(id);
  const test = useTest(id);
  const isActive = status === 'active';
  if (!mayChange) return { action: null, more: [], dialog: null };
  return {
    action: (
      <Button
        look={isActive ? 'plain' : 'primary'}
        isBusy={change.isBusy}
        onClick={() => change.call(isActive ? 'paused' : 'active')}
      >
        {isActive ? 'Pause' : 'Start again'}
      </Button>
    ),
    more: [
      ...(kind === 'webhook'
        ? [{ label: 'Send test', icon: <Send />, isDisabled: test.isBusy, onSelect: () => test.call() }]
        : []),
      { label: 'Delete', icon: <Trash2 />, isDanger: true, onSelect: () => setIsAsking(true) },
    ],
    dialog: <DeleteDialog id={id} isOpen={isAsking} onClose={() => setIsAsking(false)} />,
  };
}

function useStatusChange(id: string) {
  return useCall((status: 'active' | 'paused') => updateDestination({ output_destination_id: id, status }), {
    refreshes: ['outputs'],
    success: ({ status }) => (status === 'active' ? 'Destination active' : 'Destination paused'),
    failure: 'The destination was not changed',
  });
}

function useTest(id: string) {
  return useCall(() => testDestination(id), {
    onSuccess: ({ delivered, http_status, error, duration_ms }) => {
      if (delivered) notifySuccess('Test message delivered', `It answered ${http_status} in ${duration_ms} ms.`);
      else notifyFailure('The test message did not arrive', new Error(error ?? `It answered ${http_status}.`));
    },
    failure: 'The test message was not sent',
  });
}

function DeleteDialog({ id, isOpen, onClose }: { id: string; isOpen: boolean; onClose: () => void }) {
  const navigate = useNavigate();
  const deleting = useCall(() => deleteDestination(id), {
    refreshes: ['outputs'],
    success: 'Destination deleted',
    failure: 'The destination was not deleted',
    onSuccess: () => navigate({ to: '/destinations' }),
  });
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title="Delete this destination?"
      description="Nothing is sent to it any more, also nothing that waits. Its routes end."
      act="Delete destination"
      isBusy={deleting.isBusy}
      onConfirm={() => deleting.call()}
    />
  );
}
