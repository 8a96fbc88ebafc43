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
      const faults: unknown[] = [];
      for (const draftId of draftIds.toReversed()) await undoAction(draftId).catch((error) => faults.push(error));
      return { undone: draftIds.length - faults.length, faults };
    },
    {
      refreshes: ['actions'],
      onSuccess: ({ undone, faults }) => {
        if (faults.length) notifyFailure(`${undone} undone, ${faults.length} not`, faults[0]);
        else notifySuccess(`${undone} undone`);
      },
    },
  );
}
