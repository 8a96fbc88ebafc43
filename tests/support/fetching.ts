import type { Output } from '#sdk';
import type { ReachedServer } from './server.ts';
import { listPageTitles } from './syncs.ts';

type FetchAnswer = Output<'fetch_from_integration'>;

/** What reading something now, twice, brought into a brain of its own. */
export type FetchedTwice = { first: FetchAnswer; again: FetchAnswer; titles: string[] };

/** Reads a source now into a brain of its own, and then once more. */
export async function fetchTwice(server: ReachedServer, input: object): Promise<FetchedTwice> {
  const { brain_id } = await server.ok('create_brain', { name: `Fetched ${Math.random()}` });
  const first = await server.ok('fetch_from_integration', { brain_id, ...input });
  const again = await server.ok('fetch_from_integration', { brain_id, ...input });
  const titles = await listPageTitles(server, { brain_id: String(brain_id), sync_id: '', status: '' });
  return { first, again, titles };
}
