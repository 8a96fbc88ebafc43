// One workspace's turn: read the changes, then embed some batches of waiting texts.
import { embedBatch, type BatchDoors } from './embed-batch.ts';
import { beginRun, clearEmbeddingError, noteChanges, noteEmbeddingError, readRunState } from './store.ts';
import type { LlmCapReached } from '#modules/usage';
import type { Log } from '#platform/log';

export type TurnDoors = BatchDoors & {
  log: Pick<Log, 'warn' | 'info'>;
  /** Called with embedded texts and with errors. */
  count(what: 'embedded' | 'failed', by: number): void;
};

const atOnce = 3;
/** Then other workspaces get their turn. */
const batchesPerTurn = 10;

/** Workspaces whose run this process started, and those whose run another process has taken since then. */
export type Runs = { begun: Set<string>; left: Set<string> };

/** Embeds some batches of one workspace. True when there may be more. */
export async function takeTurn(
  options: TurnDoors,
  { begun, left }: Runs,
  workspaceId: string,
  isStopped: () => boolean,
): Promise<boolean> {
  const { transactions, embedder, now, log, count } = options;
  const { name: space } = await embedder.inBackground(workspaceId, null).space();
  if (!begun.has(workspaceId)) {
    await transactions.run(workspaceId, 'write', (db) => beginRun(db, workspaceId, space, now()));
    begun.add(workspaceId);
  }
  const state = await transactions.run(workspaceId, 'read', (db) => readRunState(db, workspaceId, space));
  if (!state.isOurs) {
    if (!left.has(workspaceId)) log.info({ space, workspaceId }, 'another server now embeds with another model');
    left.add(workspaceId);
    return false;
  }
  const change = { workspaceId, space, at: now() };
  if (state.isBehind) await transactions.run(workspaceId, 'write', (db) => noteChanges(db, change));
  const workers = Array.from({ length: atOnce }, async () => {
    for (let batch = 0; batch < batchesPerTurn && !isStopped(); batch += 1) {
      const { claimed, embedded, refused, postponed } = await embedBatch(options, workspaceId, space);
      if (postponed)
        await transactions.run(workspaceId, 'write', (db) =>
          noteEmbeddingError(db, workspaceId, formatCapReason(postponed), now()),
        );
      if (embedded) count('embedded', embedded);
      if (refused) count('failed', refused);
      if (!claimed) return { isDone: true, embedded };
    }
    return { isDone: false };
  });
  const ended = await Promise.allSettled(workers);
  const failed = ended.find((each) => each.status === 'rejected');
  if (failed) throw failed.reason;
  await transactions.run(workspaceId, 'write', (db) => clearEmbeddingError(db, workspaceId));
  return ended.some((each) => each.status === 'fulfilled' && !each.value.isDone);
}

/** Why texts wait for the end of a cap. Every member reads it, so it reveals nobody's spending. */
export function formatCapReason({ resetsAt, details }: LlmCapReached): string {
  const whose = details['daily_cap'] === 'person' ? 'The daily cap of one person' : "The workspace's daily cap";
  return `${whose} on model costs is reached. Embedding continues after ${resetsAt.toISOString()}. Until then new texts are found only by their words.`;
}
