import { notifyUndoable } from '../../design/toasts.tsx';
import {
  archiveMemory,
  dismissDuplicate,
  mergeMemories,
  restoreMemory,
  undoDismissal,
  undoMerge,
} from './curation-requests.ts';
import { useCall } from '../../design/use-call.ts';

/** Changes of existing memories. Those that can be undone offer it. */
export function useCuration() {
  const restoring = useCall(restoreMemory, {
    refreshes: ['memory'],
    success: ['Restored', 'Agents find it again.'],
    failure: 'Not restored',
  });
  const unmerging = useCall(undoMerge, {
    refreshes: ['memory'],
    success: ['Merge undone', 'Both memories are as before.'],
    failure: 'The merge was not undone',
  });
  const archiving = useCall(archiveMemory, {
    refreshes: ['memory'],
    onSuccess: ({ id }) =>
      notifyUndoable('Archived', 'Agents no longer find it. You can restore it.', () => restoring.call(id)),
    failure: 'Not archived',
  });
  const merging = useCall(mergeMemories, {
    refreshes: ['memory'],
    onSuccess: ({ merge_id }) =>
      notifyUndoable('Merged', 'One memory is kept, with the links of both.', () => unmerging.call(merge_id)),
    failure: 'Not merged',
  });
  const relisting = useCall(undoDismissal, { refreshes: ['memory'], failure: 'Not undone' });
  const dismissing = useCall(dismissDuplicate, {
    refreshes: ['memory'],
    onSuccess: (_answer, pair) =>
      notifyUndoable('Both kept', 'They are no longer shown as duplicates.', () => relisting.call(pair)),
    failure: 'Not saved',
  });
  return { archiving, restoring, merging, unmerging, dismissing };
}
