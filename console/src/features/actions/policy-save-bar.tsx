import { useMutation, useQueryClient } from '@tanstack/react-query';
import { SaveBar } from '../../design/save-bar.tsx';
import { notifySuccess, notifyFailure } from '../../design/toasts.tsx';
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
  const onError = (error: Error) => notifyFailure('Not saved', error);
  const saving = useMutation({
    mutationFn: () => savePolicy(input),
    onSuccess: (saved) => {
      queryClient.setQueryData(policyQuery.queryKey, saved);
      onDone();
      notifySuccess('Saved', 'Waiting drafts that a changed rule affects must be drafted again.');
    },
    onError,
  });
  const foreseeing = useMutation({
    mutationFn: () => previewPolicy(input),
    onSuccess: (foreseen) => {
      if (!isMorePermissive(policy, foreseen)) saving.mutate();
    },
    onError,
  });
  const asked = foreseeing.data && isMorePermissive(policy, foreseeing.data) ? foreseeing.data : null;
  return (
    <>
      <SaveBar
        onDiscard={onDone}
        onSave={() => foreseeing.mutate()}
        isBusy={foreseeing.isPending || (saving.isPending && !asked)}
      >
        {isOutOfDate
          ? 'Somebody else saved rules meanwhile. Copy what you need, then discard your changes to see theirs.'
          : 'You have unsaved changes.'}
      </SaveBar>
      <AllowDialog
        before={policy}
        after={asked}
        isBusy={saving.isPending}
        onAllow={() => saving.mutate()}
        onClose={() => foreseeing.reset()}
      />
    </>
  );
}
