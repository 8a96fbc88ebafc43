import { notifySuccess, notifyFailure } from '../../design/toasts.tsx';
import { undoAction } from './requests.ts';
import { useCall } from '../../design/use-call.ts';

/** Undoes a draft, and shows the result. */
export function useUndo() {
  return useCall(undoAction, { refreshes: ['actions'], success: 'Undone', failure: 'Not undone' });
}

/** Undoes several drafts, last first, and shows how many. */
export function useUndoAll() {
  return useCall(
    async (draftIds: string[]) => {
      const errors: unknown[] = [];
      for (const draftId of draftIds.toReversed()) await undoAction(draftId).catch((error) => errors.push(error));
      return { undone: draftIds.length - errors.length, faults: errors };
    },
    {
      refreshes: ['actions'],
      onSuccess: ({ undone, faults: errors }) => {
        if (errors.length) notifyFailure(`${undone} undone, ${errors.length} not`, errors[0]);
        else notifySuccess(`${undone} undone`);
      },
    },
  );
}
