import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { Tag } from '../../design/page.tsx';
import { momentText } from '../../design/time.tsx';
import { tell, tellFailure } from '../../design/toasts.tsx';
import { AddedRights } from './added-rights.tsx';
import { endAutomation, updateAutomation, type Automation } from './requests.ts';
import { SettingChanges } from './setting-changes.tsx';
import { SourceChanges } from './source-changes.tsx';

/** Activates, pauses and deletes an automation. */
export function StateActions({ of: automation }: { of: Automation }) {
  const { state } = automation;
  const [isLooking, setIsLooking] = useState(false);
  const [isEnding, setIsEnding] = useState(false);
  const change = useStateChange(automation, () => setIsLooking(false));
  if (state === 'killed') return <Tag tone="stop">Deleted</Tag>;
  const isActive = state === 'active';
  function toggle(): void {
    if (isActive) change.mutate('paused');
    else if (hasChanged(automation)) setIsLooking(true);
    else change.mutate('active');
  }
  return (
    <div className="flex items-center gap-2">
      <Tag tone={isActive ? 'go' : 'plain'}>{isActive ? 'Active' : 'Paused'}</Tag>
      <Button look={isActive ? 'plain' : 'primary'} isBusy={change.isPending} onClick={toggle}>
        {isActive ? 'Pause' : 'Activate'}
      </Button>
      <Button look="stop" onClick={() => setIsEnding(true)}>
        Delete
      </Button>
      <Dialog
        isOpen={isLooking}
        onClose={() => setIsLooking(false)}
        title="Activate with these changes?"
        description="This automation is not what was activated last."
      >
        <Differences of={automation} />
        <div className="mt-4 flex justify-end gap-2">
          <Button onClick={() => setIsLooking(false)}>Cancel</Button>
          <Button look="primary" isBusy={change.isPending} onClick={() => change.mutate('active')}>
            Activate with changes
          </Button>
        </div>
      </Dialog>
      <DeleteDialog of={automation} isOpen={isEnding} onClose={() => setIsEnding(false)} />
    </div>
  );
}

function useStateChange({ automation_id, updated_at }: Automation, onDone: () => void) {
  const queryClient = useQueryClient();
  const again = () => queryClient.invalidateQueries({ queryKey: ['automations'] });
  return useMutation({
    mutationFn: (to: 'active' | 'paused') =>
      updateAutomation({ automation_id, state: to, ...(to === 'active' && { seen_updated_at: updated_at }) }),
    onSuccess: ({ state: now }) => {
      tell(now === 'active' ? 'Automation activated' : 'Automation paused');
      onDone();
      return again();
    },
    onError: (error) => {
      tellFailure('The automation was not changed', error);
      onDone();
      return again();
    },
  });
}

function DeleteDialog({ of, isOpen, onClose }: { of: Automation; isOpen: boolean; onClose: () => void }) {
  const queryClient = useQueryClient();
  const end = useMutation({
    mutationFn: () => endAutomation(of.automation_id),
    onSuccess: () => {
      tell('Automation deleted');
      onClose();
      return queryClient.invalidateQueries({ queryKey: ['automations'] });
    },
    onError: (error) => tellFailure('The automation was not deleted', error),
  });
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title="Delete this automation?"
      description="It stops now and never runs again. Its runs and versions stay visible here."
    >
      <div className="mt-2 flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button look="stop" isBusy={end.isPending} onClick={() => end.mutate()}>
          Delete automation
        </Button>
      </div>
    </Dialog>
  );
}

/** Whether an automation that a person once activated is something else now, or may be. */
function hasChanged({ since_activation: since }: Automation): boolean {
  return since !== null && (since.settings === null || since.settings.length > 0 || since.source !== null);
}

function Differences({ of: { since_activation: since, source } }: { of: Automation }) {
  if (!since) return null;
  if (!since.settings)
    return (
      <p className="text-sm">
        The server did not record what was activated then. Read the source and the settings on this page first.
      </p>
    );
  return (
    <div className="space-y-3 text-sm">
      <p className="text-soft">
        Since {momentText(since.activated_at)}
        {since.activated_by && `, when ${since.activated_by} activated it`}:
      </p>
      {since.asks_for_more && <AddedRights of={since.asks_for_more} />}
      <SettingChanges of={since.settings} />
      {since.source !== null && (
        <SourceChanges label="Changes since it was activated" from={since.source} to={source} />
      )}
    </div>
  );
}
