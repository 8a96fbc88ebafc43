import { ApiError } from '../../api/api-error.ts';
import { notifyFailure } from '../../design/toasts.tsx';
import { activateConnector } from './requests.ts';
import { useCall } from '../../design/use-call.ts';

/** Activates a version of a connector; without a number its newest. */
export function useActivate(webhook_connector_id: string) {
  return useCall(
    (version: number | undefined) =>
      activateConnector({ webhook_connector_id, ...(version !== undefined && { version }) }),
    {
      refreshes: ['webhooks'],
      success: ({ active_version }) => ['Connector active', `Version ${active_version} translates events from now on.`],
      onError: (error) => notifyFailure('The connector was not activated', explainActivationError(error)),
    },
  );
}

/** What is missing, without the operations that an agent would call for it. */
function explainActivationError(error: Error): Error {
  const missing = error instanceof ApiError ? error.problem.details?.['missing'] : null;
  if (!Array.isArray(missing)) return error;
  return new Error(missing.map((each) => `${String(each).split(':')[0]}.`).join(' '));
}
