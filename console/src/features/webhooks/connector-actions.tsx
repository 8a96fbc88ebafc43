import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { Tag } from '../../design/page.tsx';
import { tell, tellFailure } from '../../design/toasts.tsx';
import { deleteConnector, pauseConnector } from './requests.ts';
import { type Connector } from '../../entities/webhook-connectors.ts';
import { useActivate } from './use-activate.ts';
import { useHasScope } from '../../entities/me.ts';
import { statusText, statusTone } from './words.ts';

/** The state of a connector, and the ways to change it. */
export function ConnectorActions({ of: connector }: { of: Connector }) {
  const { webhook_connector_id: id, status, active_version: active } = connector;
  const mayChange = useHasScope('connectors:write');
  const activate = useActivate(id);
  const queryClient = useQueryClient();
  const pause = useMutation({
    mutationFn: () => pauseConnector(id),
    onSuccess: () => {
      tell('Connector paused', 'It answers 503, so senders try again later.');
      return queryClient.invalidateQueries({ queryKey: ['webhooks'] });
    },
    onError: (error) => tellFailure('The connector was not paused', error),
  });
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Tag tone={statusTone[status]}>{statusText[status]}</Tag>
      {mayChange && status === 'draft' && (
        <Button look="primary" isBusy={activate.isPending} onClick={() => activate.mutate(undefined)}>
          Activate
        </Button>
      )}
      {mayChange && status === 'paused' && (
        <Button look="primary" isBusy={activate.isPending} onClick={() => activate.mutate(active ?? undefined)}>
          Resume
        </Button>
      )}
      {mayChange && status === 'active' && (
        <Button isBusy={pause.isPending} onClick={() => pause.mutate()}>
          Pause
        </Button>
      )}
      {mayChange && <DeleteConnector id={id} />}
    </div>
  );
}

function DeleteConnector({ id }: { id: string }) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [isAsking, setIsAsking] = useState(false);
  const deleting = useMutation({
    mutationFn: () => deleteConnector(id),
    async onSuccess() {
      tell('Connector deleted');
      await navigate({ to: '/webhooks' });
      return queryClient.invalidateQueries({ queryKey: ['webhooks', 'list'] });
    },
    onError: (error) => tellFailure('The connector was not deleted', error),
  });
  return (
    <>
      <Button look="stop" onClick={() => setIsAsking(true)}>
        Delete
      </Button>
      <Dialog
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        title="Delete this connector?"
        description="Its address stops working for good. What it stored stays."
      >
        <div className="mt-2 flex justify-end gap-2">
          <Button onClick={() => setIsAsking(false)}>Cancel</Button>
          <Button look="stop" isBusy={deleting.isPending} onClick={() => deleting.mutate()}>
            Delete connector
          </Button>
        </div>
      </Dialog>
    </>
  );
}
