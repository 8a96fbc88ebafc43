import { setTimeout as sleep } from 'node:timers/promises';
import type { ReachedServer } from './server.ts';

/** A sync as `list_syncs` shows it. */
export type Sync = Record<string, unknown> & { sync_id: string; status: string; brain_id: string };

const settlesWithinMs = 20_000;

/** Keeps a brain of its own in step with a source, and waits until it was read. */
export async function startSync(server: ReachedServer, input: object): Promise<Sync> {
  const { brain_id } = await server.ok('create_brain', { name: `Synced ${Math.random()}` });
  const sync = await server.ok('sync_integration', { brain_id, every_minutes: 600, ...input });
  return waitForSync(server, String(sync['sync_id']));
}

/** Has a sync read now, and waits until it has. */
export async function runSync(server: ReachedServer, { sync_id }: Sync, more: object = {}): Promise<Sync> {
  await server.ok('run_sync', { sync_id, ...more });
  return waitForSync(server, sync_id);
}

/** The sync, as soon as it has read what it was asked to read. */
export async function waitForSync(server: ReachedServer, syncId: string): Promise<Sync> {
  for (let waited = 0; waited < settlesWithinMs; waited += 50) {
    const { syncs } = await server.ok('list_syncs');
    const sync = (syncs as Sync[]).find(({ sync_id }) => sync_id === syncId);
    const isRead = sync && sync['finished_at'] !== null && new Date(String(sync['next_at'])) > new Date();
    if (isRead && sync.status !== 'running') return sync;
    await sleep(50);
  }
  throw new Error('the sync did not come to an end');
}

/** The titles of the pages in the brain of a sync, in order. */
export async function listPageTitles(server: ReachedServer, { brain_id }: Sync): Promise<string[]> {
  const { pages } = await server.ok('list_pages', { brain_id, limit: 200 });
  return (pages as { title: string }[]).map(({ title }) => title).toSorted();
}

/** The page of a brain that a search finds first, whole. */
export async function findFirstPage(server: ReachedServer, { brain_id }: Sync, q: string) {
  const { pages } = await server.ok('search', { q, brain_id });
  const [first] = pages as { id: string }[];
  return first ? server.ok('get_page', { id: first.id }) : null;
}
