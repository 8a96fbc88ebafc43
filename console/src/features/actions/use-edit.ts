import { useMutation, useQueryClient } from '@tanstack/react-query';
import { actionQuery, editAction, type Draft, type Edit } from './requests.ts';
import { replaceWaiting } from './waiting.ts';

/** Keeps an edit of a draft on the server, and shows the draft as it is then. Refused when the draft is not what is shown here. */
export function useEdit({ draft_id, content_hash }: Draft) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (edit: Edit) => editAction({ draft_id, content_hash, ...edit }),
    onSuccess: (draft) => {
      client.setQueryData(actionQuery(draft_id).queryKey, (action) => action && { ...action, ...draft });
      replaceWaiting(client, [draft]);
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['actions'] }),
  });
}
