import { useQueryClient } from '@tanstack/react-query';
import { SaveBar } from '../../design/save-bar.tsx';
import { useCall } from '../../design/use-call.ts';
import { AllowDialog } from './allow-dialog.tsx';
import { previewPolicy, policyQuery, savePolicy, type Policy, type PolicyEdit } from './policy-requests.ts';
import { isMorePermissive } from './without-approval.ts';

type Props = {
  /** The saved rules that the edit began with. */
  policy: Policy;
  /** Somebody saved other rules meanwhile. */
  isOutOfDate: boolean;
  written: Partial<PolicyEdit>;
  /** Saved, or dropped. */
  onDone: () => void;
};

/** Saves the edited rules. Asks first when agents could act without approval. */
export function PolicySaveBar({ policy, isOutOfDate, written, onDone }: Props) {
  const queryClient = useQueryClient();
  const input = { ...written, version: policy.version };
  const saving = useCall(() => savePolicy(input), {
    success: ['Saved', 'Waiting drafts that a changed rule affects must be drafted again.'],
    failure: 'Not saved',
    onSuccess: (saved) => {
      queryClient.setQueryData(policyQuery.queryKey, saved);
      onDone();
    },
  });
  const foreseeing = useCall(() => previewPolicy(input), {
    failure: 'Not saved',
    onSuccess: (foreseen) => {
      if (!isMorePermissive(policy, foreseen)) saving.call();
    },
  });
  const asked = foreseeing.answer && isMorePermissive(policy, foreseeing.answer) ? foreseeing.answer : null;
  return (
    <>
      <SaveBar
        onDiscard={onDone}
        onSave={() => foreseeing.call()}
        isBusy={foreseeing.isBusy || (saving.isBusy && !asked)}
      >
        {isOutOfDate
          ? 'Somebody else saved rules meanwhile. Copy what you need, then discard your changes to see theirs.'
          : 'You have unsaved changes.'}
      </SaveBar>
      <AllowDialog
        before={policy}
        after={asked}
        isBusy={saving.isBusy}
        onAllow={() => saving.call()}
        onClose={() => foreseeing.reset()}
      />
    </>
  );
}
