import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/call.ts';

/** One person's or the workspace's account, as one source sees it. */
export type Account = {
  connection_id: string;
  account: string;
  /** The name by which its pages are known. */
  known_as: string;
  status: 'active' | 'reconnect_needed' | 'revoked' | 'missing_permission';
  status_reason: string | null;
  /** Whether it was given what writing needs, too. */
  may_act: boolean;
  /** What it could do besides, in words. */
  lacks: string[];
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
  scopes: { scope: string; why: string; for: 'read' | 'act' }[];
  accounts: Account[];
};

/** Every integration there is, linked or not. */
export const integrationsQuery = queryOptions({
  queryKey: ['integrations'],
  queryFn: ({ signal }) =>
    call<{ integrations: Integration[] }>('list_integrations', { include_unconnected: true }, { signal }),
  select: (answer) => answer.integrations,
});

export type Pulled = {
  ingested_count: number;
  page_slugs: string[];
  errors?: { item: string; message: string }[];
  note?: string;
};

/** What is pulled: as words say it, or as the input of the source. */
type NewPull = { source: string; account?: string } & ({ request: string } | { input: Record<string, unknown> });

/** Pulls from a source now; what came is found as pages when this returns. */
export function pullNow(asked: NewPull): Promise<Pulled> {
  return call('fetch_from_integration', asked);
}

/** What keeps a brain in step with an account. */
export type Sync = {
  sync_id: string;
  source: string;
  connection_id: string;
  brain_id: string;
  status: 'waiting' | 'running' | 'failing' | 'stopped';
  every_minutes: number;
  items_done: number;
  items_total: number | null;
  pages_changed: number;
  errors: { item: string; message: string }[];
  failure: string | null;
  finished_at: string | null;
  next_at: string;
};

/** Every sync into a brain that the person may read. */
export const syncsQuery = queryOptions({
  queryKey: ['syncs'],
  queryFn: ({ signal }) => call<{ syncs: Sync[] }>('list_syncs', {}, { signal }),
  select: (answer) => answer.syncs,
});

export type NewSync = {
  source: string;
  account?: string;
  every_minutes: number;
  days: number | null;
  input?: Record<string, unknown>;
};

export function keepInStep(sync: NewSync): Promise<Sync> {
  return call('sync_integration', sync);
}

/** `isFromStart`: everything once more, which notices what was deleted where the service does not tell. */
export function readNow(sync: { syncId: string; isFromStart: boolean }): Promise<unknown> {
  return call('run_sync', { sync_id: sync.syncId, from_start: sync.isFromStart });
}

/** Ends a sync; the pages it brought stay. */
export function stopSync(syncId: string): Promise<unknown> {
  return call('stop_sync', { sync_id: syncId });
}
