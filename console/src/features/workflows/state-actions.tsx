import { useNavigate } from '@tanstack/react-router';
import { Archive, Trash2 } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { Button } from '../../design/button.tsx';
import { ConfirmDialog } from '../../design/confirm-dialog.tsx';
import { formatCount } from '../../design/format-count.ts';
import type { MenuAction } from '../../design/more-menu.tsx';
import { Tag } from '../../design/page.tsx';
import { useCall } from '../../design/use-call.ts';
import { useMayWrite } from '../../entities/brains.ts';
import { useHasScope } from '../../entities/me.ts';
import { closeWorkflow, deleteWorkflow, setWorkflowState, type Workflow } from './requests.ts';
import { stateWords } from './words.ts';

type Actions = { state: ReactNode; action: ReactNode; more: readonly MenuAction[]; dialogs: ReactNode };

const refreshes = ['workflows', 'automations'];

/** The state of a workflow, and what pauses, resumes, closes and deletes it. */
export function useStateActions(workflow: Workflow): Actions {
  const [dialog, setDialog] = useState<'close' | 'delete' | null>(null);
  const mayWriteBrain = useMayWrite(workflow.brain_id);
  const mayWrite = useHasScope('workflows:write') && mayWriteBrain;
  const change = useCall((to: 'active' | 'paused') => setWorkflowState(workflow.workflow_id, to), {
    refreshes,
    success: ({ state }) => (state === 'active' ? 'Workflow resumed' : 'Workflow paused'),
    failure: 'The workflow was not changed',
  });
  const { label, tone } = stateWords[workflow.state];
  const isClosed = workflow.state === 'closed';
  const isActive = workflow.state === 'active';
  const close: MenuAction = { label: 'Close', icon: <Archive />, onSelect: () => setDialog('close') };
  const remove: MenuAction = { label: 'Delete', icon: <Trash2 />, isDanger: true, onSelect: () => setDialog('delete') };
  return {
    state: <Tag tone={tone}>{label}</Tag>,
    action: mayWrite && !isClosed && (
      <Button isBusy={change.isBusy} onClick={() => change.call(isActive ? 'paused' : 'active')}>
        {isActive ? 'Pause' : 'Resume'}
      </Button>
    ),
    more: mayWrite ? [...(isClosed ? [] : [close]), remove] : [],
    dialogs: (
      <>
        <CloseDialog of={workflow} isOpen={dialog === 'close'} onClose={() => setDialog(null)} />
        <DeleteDialog of={workflow} isOpen={dialog === 'delete'} onClose={() => setDialog(null)} />
      </>
    ),
  };
}

type DialogProps = { of: Workflow; isOpen: boolean; onClose: () => void };

function CloseDialog({ of: workflow, isOpen, onClose }: DialogProps) {
  const close = useCall(() => closeWorkflow(workflow.workflow_id), {
    refreshes,
    success: 'Workflow closed',
    onSuccess: onClose,
    failure: 'The workflow was not closed',
  });
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title="Close this workflow?"
      description={`It stays readable and cannot be opened again. ${describeStop(workflow)}`}
      act="Close workflow"
      look="primary"
      isBusy={close.isBusy}
      onConfirm={() => close.call()}
    />
  );
}

function DeleteDialog({ of: workflow, isOpen, onClose }: DialogProps) {
  const navigate = useNavigate();
  const remove = useCall(() => deleteWorkflow(workflow), {
    refreshes,
    success: 'Workflow deleted',
    onSuccess: () => navigate({ to: '/workflows' }),
    failure: 'The workflow was not deleted',
  });
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title="Delete this workflow?"
      description={`Its charter, team and figures are deleted permanently. ${describeStop(workflow)}`}
      act="Delete workflow"
      typed={workflow.title}
      isBusy={remove.isBusy}
      onConfirm={() => remove.call()}
    />
  );
}

/** What stops with a workflow. */
function describeStop({ automations }: Workflow): string {
  const active = automations.filter(({ state }) => state === 'active').length;
  return active ? `This pauses ${formatCount(active, 'automation')} and stops their runs.` : 'No automation is active.';
}
