import { queryOptions } from '@tanstack/react-query';
import type { Input, Output } from '#sdk';
import { call } from '../../api/call.ts';

/** One person's or the workspace's account, as one source sees it. */
export type Account = Integration['accounts'][number];

export type Integration = Output<'list_integrations'>['integrations'][number];

/** Every integration there is, linked or not. */
export const integrationsQuery = queryOptions({
  queryKey: ['integrations'],
  queryFn: ({ signal }) => call('list_integrations', { include_unconnected: true }, { signal }),
  select: (answer) => answer.integrations,
});

export type PullResult = Output<'fetch_from_integration'>;

/** The pull request: free text, or the input of the source. */
type NewPull = Omit<Input<'fetch_from_integration'>, 'source'> & { source: string };

/** Pulls from a source now; what came is found as pages when this returns. */
export function pullNow(asked: NewPull): Promise<Output<'fetch_from_integration'>> {
  return call('fetch_from_integration', asked as Input<'fetch_from_integration'>);
}

/** A sync of an account into a brain. */
export type Sync = Output<'list_syncs'>['syncs'][number];

/** Every sync into a brain that the person may read. */
export const syncsQuery = queryOptions({
  queryKey: ['syncs'],
  queryFn: ({ signal }) => call('list_syncs', {}, { signal }),
  select: (answer) => answer.syncs,
});

export type NewSync = Omit<Input<'sync_integration'>, 'source'> & { source: string };

export function startSync(sync: NewSync): Promise<Output<'sync_integration'>> {
  return call('sync_integration', sync as Input<'sync_integration'>);
}

/** `isFromStart`: reads everything again, which finds deletions that the service does not report. */
export function syncNow(sync: { syncId: string; isFromStart: boolean }): Promise<unknown> {
  return call('run_sync', { sync_id: sync.syncId, from_start: sync.isFromStart });
}

/** Ends a sync. Its pages stay. */
export function stopSync(syncId: string): Promise<unknown> {
  return call('stop_sync', { sync_id: syncId });
}
