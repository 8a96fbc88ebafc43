import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError } from '../../api/api-error.ts';
import { tell, tellFailure } from '../../design/toasts.tsx';
import { activateConnector } from './requests.ts';

/** Activates a version of a connector; without a number its newest. */
export function useActivate(webhook_connector_id: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (version: number | undefined) =>
      activateConnector({ webhook_connector_id, ...(version !== undefined && { version }) }),
    onSuccess: ({ active_version }) => {
      tell('Connector active', `Version ${active_version} translates events from now on.`);
      return queryClient.invalidateQueries({ queryKey: ['webhooks'] });
    },
    onError: (error) => tellFailure('The connector was not activated', whyNot(error)),
  });
}

/** What is missing, without the operations that an agent would call for it. */
function whyNot(error: Error): Error {
  const missing = error instanceof ApiError ? error.problem.details?.['missing'] : null;
  if (!Array.isArray(missing)) return error;
  return new Error(missing.map((each) => `${String(each).split(':')[0]}.`).join(' '));
}
