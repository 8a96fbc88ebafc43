import { defineModule, type Background } from '#kernel/module';
import { listWorkspaceIds } from '#modules/accounts';
import { getMeteredEmbedders } from '#modules/usage';
import type { Ground } from '#platform';
import { newId, now } from '#platform/clock';
import { runAsSystem } from '#platform/database';
import type { BatchDoors } from './embed-batch.ts';
import { createEmbedding } from './embedding.ts';
import { createEmbeddingStatus } from './operations/embedding-status.ts';

/** Search by meaning: a vector for every text, if an embedder is set. */
export const createMeaningModule = ({ lockItems }: Pick<BatchDoors, 'lockItems'>) =>
  defineModule<Ground>({
    name: 'meaning',
    operations: ({ embedders }) => [createEmbeddingStatus(embedders?.model ?? null)],
    work: (ground) => ({ background: createEmbeddingWork(ground, lockItems) }),
  });

/** Its own writes are not watched, because it would never rest. */
function createEmbeddingWork(ground: Ground, lockItems: BatchDoors['lockItems']): Background[] {
  const { db, watched, telemetry, log } = ground;
  const embedder = getMeteredEmbedders(ground);
  if (!embedder || !watched) return [];
  const counters = {
    embedded: telemetry.counter(
      'thalamus_embedded_total',
      'Memories, pages and constellations of documents that were embedded.',
    ),
    failed: telemetry.counter(
      'thalamus_embedding_failures_total',
      'Texts that the embedder refused, and failed calls.',
    ),
  };
  const embedding = createEmbedding({
    transactions: watched.unwatched,
    embedder,
    lockItems,
    listWorkspaces: () => runAsSystem(db, listWorkspaceIds),
    log,
    count: (what, by) => counters[what].inc(by),
    now,
    newId,
  });
  watched.onWrite((workspaceId) => embedding.nudge(workspaceId));
  return [embedding];
}
