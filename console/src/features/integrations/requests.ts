import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/call.ts';

/** One person's or the workspace's account, as one source sees it. */
export type Account = {
  connection_id: string;
  account: string;
  status: 'active' | 'reconnect_needed' | 'revoked' | 'missing_permission';
  status_reason: string | null;
};

export type Integration = {
  name: string;
  label: string;
  description: string;
  oauth_provider: string | null;
  connected: boolean;
  supports: { fetch: boolean; act: boolean; adapter: boolean };
  /** Whether the workspace has an OAuth client at the provider. */
  is_configured: boolean;
  scopes: { scope: string; why: string }[];
  accounts: Account[];
};

/** Every integration there is, linked or not. */
export const integrationsQuery = queryOptions({
  queryKey: ['integrations'],
  queryFn: ({ signal }) =>
    call<{ integrations: Integration[] }>('list_integrations', { include_unconnected: true }, { signal }),
  select: (answer) => answer.integrations,
});

export type Pulled = { ingested_count: number; page_slugs: string[]; errors?: unknown[]; note?: string };

/** Pulls from a source now; what came is found as pages when this returns. */
export function pullNow(input: { source: string; request: string; account?: string }): Promise<Pulled> {
  return call('fetch_from_integration', input);
}
