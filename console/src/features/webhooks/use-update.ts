import { useQueryClient } from '@tanstack/react-query';
import type { Input } from '#sdk';
import { notifySuccess } from '../../design/toasts.tsx';
import { buildFreshConnectorQuery, updateConnector } from './requests.ts';
import { useCall } from '../../design/use-call.ts';

type Change = Omit<Input<'update_webhook_config'>, 'webhook_connector_id'>;

/** Saves settings or code of a connector as a new version. A secret that is made with it is kept to be shown once. */
export function useUpdate(webhook_connector_id: string, done: string) {
  const queryClient = useQueryClient();
  return useCall((change: Change) => updateConnector({ webhook_connector_id, ...change }), {
    refreshes: ['webhooks'],
    onSuccess: ({ version, webhook_secret: secret }) => {
      const { queryKey } = buildFreshConnectorQuery(webhook_connector_id);
      if (secret !== null) queryClient.setQueryData(queryKey, (before) => ({ ...before, secret }));
      notifySuccess(
        done,
        secret === null ? `This is version ${version}.` : 'A secret was created. Copy it from the setup.',
      );
    },
    failure: 'The change was not saved',
  });
}
