import { useQueryClient } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { Button } from '../../design/button.tsx';
import { ConfirmDialog } from '../../design/confirm-dialog.tsx';
import type { MenuAction } from '../../design/more-menu.tsx';
import { Tag } from '../../design/page.tsx';
import { formatExactMoment } from '../../design/time.tsx';
import { useCall } from '../../design/use-call.ts';
import { AddedRights } from './added-rights.tsx';
import { endAutomation, updateAutomation, type Automation } from './requests.ts';
import { SettingChanges } from './setting-changes.tsx';
import { SourceChanges } from './source-changes.tsx';
import { listNewReads, readText } from './words.ts';

const changedWords = {
  title: 'Activate with these changes?',
  description: 'This automation is not what was activated last.',
  act: 'Activate with changes',
};
const newReadsWords = {
  title: 'Activate with these endpoints?',
  description: 'This automation asks to send requests without your approval.',
  act: 'Activate with endpoints',
};

type Actions = { state: ReactNode; action: ReactNode; more: readonly MenuAction[]; dialogs: ReactNode };

/** The state of an automation, and what activates, pauses and deletes it. */
export function useStateActions(automation: Automation): Actions {
  const [isLooking, setIsLooking] = useState(false);
  const [isEnding, setIsEnding] = useState(false);
  const change = useStateChange(automation, () => setIsLooking(false));
  if (automation.state === 'killed')
    return { state: <Tag tone="stop">Deleted</Tag>, action: null, more: [], dialogs: null };
  const isActive = automation.state === 'active';
  function toggle(): void {
    if (isActive) change.call('paused');
    else if (hasChanged(automation) || listNewReads(automation).length) setIsLooking(true);
    else change.call('active');
  }
  return {
    state: <Tag tone={isActive ? 'go' : 'plain'}>{isActive ? 'Active' : 'Paused'}</Tag>,
    action: (
      <Button look={isActive ? 'plain' : 'primary'} isBusy={change.isBusy} onClick={toggle}>
        {isActive ? 'Pause' : 'Activate'}
      </Button>
    ),
    more: [{ label: 'Delete', icon: <Trash2 />, isDanger: true, onSelect: () => setIsEnding(true) }],
    dialogs: (
      <>
        <ConfirmDialog
          isOpen={isLooking}
          onClose={() => setIsLooking(false)}
          {...(hasChanged(automation) ? changedWords : newReadsWords)}
          look="primary"
          isBusy={change.isBusy}
          onConfirm={() => change.call('active')}
        >
          <NewReads of={automation} />
          <Differences of={automation} />
        </ConfirmDialog>
        <DeleteDialog of={automation} isOpen={isEnding} onClose={() => setIsEnding(false)} />
      </>
    ),
  };
}

function useStateChange({ automation_id, updated_at }: Automation, onDone: () => void) {
  const queryClient = useQueryClient();
  return useCall(
    (to: 'active' | 'paused') =>
      updateAutomation({ automation_id, state: to, ...(to === 'active' && { seen_updated_at: updated_at }) }),
    {
      refreshes: ['automations'],
      success: ({ state: now }) => (now === 'active' ? 'Automation activated' : 'Automation paused'),
      onSuccess: onDone,
      failure: 'The automation was not changed',
      onError: () => {
        onDone();
        return queryClient.invalidateQueries({ queryKey: ['automations'] });
      },
    },
  );
}

function DeleteDialog({ of, isOpen, onClose }: { of: Automation; isOpen: boolean; onClose: () => void }) {
  const end = useCall(() => endAutomation(of.automation_id), {
    refreshes: ['automations'],
    success: 'Automation deleted',
    onSuccess: onClose,
    failure: 'The automation was not deleted',
  });
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title="Delete this automation?"
      description="It stops now and never runs again. Its runs and versions stay visible here."
      act="Delete automation"
      isBusy={end.isBusy}
      onConfirm={() => end.call()}
    />
  );
}

/** Whether an automation that a person once activated is something else now, or may be. */
function hasChanged({ since_activation: since }: Automation): boolean {
  return since !== null && (since.settings === null || since.settings.length > 0 || since.source !== null);
}

/** What the person accepts beside the rest: requests that leave unasked from then on. */
function NewReads({ of }: { of: Automation }) {
  const lines = listNewReads(of);
  if (!lines.length) return null;
  return (
    <div className="space-y-2 text-sm">
      <p className="font-medium">With this you accept:</p>
      <ul className="list-disc space-y-1 pl-5 wrap-anywhere">
        {lines.map((line) => (
          <li key={readText(line)}>{readText(line)}</li>
        ))}
      </ul>
    </div>
  );
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
        Since {formatExactMoment(since.activated_at)}
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
