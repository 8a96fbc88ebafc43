import { useQueryClient } from '@tanstack/react-query';
import { useCall } from '../../design/use-call.ts';
import { buildActionQuery, editAction, type Draft, type Edit } from './requests.ts';
import { replaceWaiting } from './waiting.ts';

/** Saves an edit and shows the new draft. Refused when the draft has changed meanwhile. */
export function useEdit({ draft_id, content_hash }: Draft) {
  const client = useQueryClient();
  return useCall((edit: Edit) => editAction({ draft_id, content_hash, ...edit }), {
    refreshes: ['actions'],
    onSuccess: (draft) => {
      client.setQueryData(buildActionQuery(draft_id).queryKey, (action) => action && { ...action, ...draft });
      replaceWaiting(client, [draft]);
    },
  });
}
