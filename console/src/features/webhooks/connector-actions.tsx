import { useNavigate } from '@tanstack/react-router';
import { Trash2 } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { Button } from '../../design/button.tsx';
import { ConfirmDialog } from '../../design/confirm-dialog.tsx';
import type { MenuAction } from '../../design/more-menu.tsx';
import { Tag } from '../../design/page.tsx';
import { useCall } from '../../design/use-call.ts';
import { useHasScope } from '../../entities/me.ts';
import { type Connector } from '../../entities/webhook-connectors.ts';
import { deleteConnector, pauseConnector } from './requests.ts';
import { useActivate } from './use-activate.ts';
import { statusText, statusTone } from './words.ts';

type Actions = { state: ReactNode; action: ReactNode; more: readonly MenuAction[]; dialog: ReactNode };

/** The state of a connector, and what a person may do with it: activate, pause, resume and delete it. */
export function useConnectorActions({ webhook_connector_id: id, status, active_version: active }: Connector): Actions {
  const mayChange = useHasScope('connectors:write');
  const [isAsking, setIsAsking] = useState(false);
  const activate = useActivate(id);
  const pause = useCall(() => pauseConnector(id), {
    refreshes: ['webhooks'],
    success: ['Connector paused', 'It answers 503, so senders try again later.'],
    failure: 'The connector was not paused',
  });
  const state = <Tag tone={statusTone[status]}>{statusText[status]}</Tag>;
  if (!mayChange) return { state, action: null, more: [], dialog: null };
  return {
    state,
    action:
      status === 'active' ? (
        <Button isBusy={pause.isBusy} onClick={() => pause.call()}>
          Pause
        </Button>
      ) : (
        <Button
          look="primary"
          isBusy={activate.isBusy}
          onClick={() => activate.call(status === 'paused' ? (active ?? undefined) : undefined)}
        >
          {status === 'paused' ? 'Resume' : 'Activate'}
        </Button>
      ),
    more: [{ label: 'Delete', icon: <Trash2 />, isDanger: true, onSelect: () => setIsAsking(true) }],
    dialog: <DeleteDialog id={id} isOpen={isAsking} onClose={() => setIsAsking(false)} />,
  };
}

function DeleteDialog({ id, isOpen, onClose }: { id: string; isOpen: boolean; onClose: () => void }) {
  const navigate = useNavigate();
  const deleting = useCall(() => deleteConnector(id), {
    refreshes: [['webhooks', 'list']],
    success: 'Connector deleted',
    onSuccess: () => navigate({ to: '/sources' }),
    failure: 'The connector was not deleted',
  });
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title="Delete this connector?"
      description="Its address stops working permanently. Documents that it stored stay."
      act="Delete connector"
      isBusy={deleting.isBusy}
      onConfirm={() => deleting.call()}
    />
  );
}
