import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ConfirmDialog } from '../../design/confirm-dialog.tsx';
import { Button } from '../../design/button.tsx';
import { Tag } from '../../design/page.tsx';
import { deleteConnector, pauseConnector } from './requests.ts';
import { type Connector } from '../../entities/webhook-connectors.ts';
import { useActivate } from './use-activate.ts';
import { useHasScope } from '../../entities/me.ts';
import { statusText, statusTone } from './words.ts';
import { useCall } from '../../design/use-call.ts';

/** The state of a connector, and the ways to change it. */
export function ConnectorActions({ of: connector }: { of: Connector }) {
  const { webhook_connector_id: id, status, active_version: active } = connector;
  const mayChange = useHasScope('connectors:write');
  const activate = useActivate(id);
  const pause = useCall(() => pauseConnector(id), {
    refreshes: ['webhooks'],
    success: ['Connector paused', 'It answers 503, so senders try again later.'],
    failure: 'The connector was not paused',
  });
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Tag tone={statusTone[status]}>{statusText[status]}</Tag>
      {mayChange && status === 'draft' && (
        <Button look="primary" isBusy={activate.isBusy} onClick={() => activate.call(undefined)}>
          Activate
        </Button>
      )}
      {mayChange && status === 'paused' && (
        <Button look="primary" isBusy={activate.isBusy} onClick={() => activate.call(active ?? undefined)}>
          Resume
        </Button>
      )}
      {mayChange && status === 'active' && (
        <Button isBusy={pause.isBusy} onClick={() => pause.call()}>
          Pause
        </Button>
      )}
      {mayChange && <DeleteConnector id={id} />}
    </div>
  );
}

function DeleteConnector({ id }: { id: string }) {
  const navigate = useNavigate();
  const [isAsking, setIsAsking] = useState(false);
  const deleting = useCall(() => deleteConnector(id), {
    refreshes: [['webhooks', 'list']],
    success: 'Connector deleted',
    onSuccess: async () => {
      await navigate({ to: '/webhooks' });
    },
    failure: 'The connector was not deleted',
  });
  return (
    <>
      <Button look="stop" onClick={() => setIsAsking(true)}>
        Delete
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        title="Delete this connector?"
        description="Its address stops working for good. What it stored stays."
        act="Delete connector"
        isBusy={deleting.isBusy}
        onConfirm={() => deleting.call()}
      />
    </>
  );
}
