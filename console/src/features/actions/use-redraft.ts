import { useNavigate } from '@tanstack/react-router';
import { notifySuccess, notifyFailure } from '../../design/toasts.tsx';
import { getOutcomeWord } from './draft-words.ts';
import { repeatAction } from './requests.ts';
import { moveTyped } from './unsaved-edits.ts';
import { useCall } from '../../design/use-call.ts';

/** Drafts an unsent action again, and opens the new draft. */
export function useRedraft() {
  const navigate = useNavigate();
  return useCall(repeatAction, {
    refreshes: ['actions'],
    onSuccess: ({ draft_id, kind, status, error }, former) => {
      if (kind === 'draft' && draft_id) moveTyped(former.draft_id, { draft_id });
      if (kind === 'draft') notifySuccess('Drafted again', 'The new draft waits for your approval.');
      else if (status === 'confirmed')
        notifySuccess(getOutcomeWord(former.action), 'Your rules allow this action without approval.');
      else
        notifyFailure(
          'Your rules allow this action without approval, but it failed',
          new Error(error ?? 'See Activity for details.'),
        );
      if (draft_id) void navigate({ to: '/inbox/$draftId', params: { draftId: draft_id } });
    },
    failure: 'Not drafted again',
  });
}
