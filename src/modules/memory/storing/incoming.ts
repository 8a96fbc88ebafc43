// Memories from other systems: each is stored once however often it is sent, and a newer version replaces an older one.
import { setImmediate } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Context } from '#kernel/context';
import type { Jobs } from '#platform/jobs';
import { memoryStored } from '../events.ts';
import { enqueueLinking } from '../linking/link-later.ts';
import { memoryTypes } from '../memory-fields.ts';
import { moveTo } from './moving.ts';
import { buildMemory } from './new-memory.ts';
import { retire } from './retirement.ts';
import { lockSourceId, listBySourceId, type IncomingItem } from '../store/incoming.ts';
import { insertMemories, type NewMemory } from '../store/memories.ts';
import type { MemoryRow } from '../store/tables.ts';

export type IncomingMemory = {
  content: string;
  /** `platform:channel:identity`. */
  source: string;
  /** `platform:channel` of the source. */
  channel: string;
  /** The sender's own id of the item or of its mail thread; null: it is new each time. */
  sourceId: string | null;
  /** Whether a repeated earlier version is a duplicate, too, as with the mails of a thread. */
  isThread: boolean;
  threadId: string | null;
  author: string | null;
  role: MemoryRow['role'];
  occurredAt: Date | null;
  /** The sender's other facts about it; null: none. */
  metadata: Record<string, unknown> | null;
  /** The person in whose name it is stored; null: nobody in particular. */
  storedBy: { personId: string; label: string } | null;
};

/**
 * The outcome. `created`: it is new. `superseded`: it replaced an earlier version. `unchanged`: it is already stored.
 * `earlier`: a later version exists, so this one is only kept in its history.
 */
export const incomingActions = ['created', 'superseded', 'unchanged', 'earlier'] as const;
export type IncomingOutcome = {
  id: string;
  brainId: string;
  action: (typeof incomingActions)[number];
  previousId: string | null;
  /** Brains that the item left, because it was sent for another one. */
  leftBrainIds: string[];
};

/** Earlier versions of an item. `writable`: the brains from which the sender may remove one. */
export type EarlierVersions = { versions: readonly IncomingItem[]; writable: ReadonlySet<string> };

/** The stored versions of an item, newest first; until the transaction ends no other version can be stored. */
export async function lockIncoming(ctx: Context, sourceId: string): Promise<IncomingItem[]> {
  await lockSourceId(ctx.db, ctx.caller.workspaceId, sourceId);
  return listBySourceId(ctx.db, sourceId);
}

/** Stores an item in a brain. `versions` come from `lockIncoming`. An item is in one brain: sent for another one, it moves. */
export async function keepIncoming(
  ctx: Context,
  jobs: Jobs,
  brainId: string,
  item: IncomingMemory,
  earlier: EarlierVersions,
): Promise<IncomingOutcome> {
  const { here, leftBrainIds, doubles } = await bringHere(ctx, brainId, item, earlier);
  const current = here.find((version) => version.archived_at === null);
  const outcome = await keepHere(ctx, jobs, brainId, item, { here, current });
  for (const { id } of doubles) await retire(ctx, id, 'It was sent for another brain.', outcome.id);
  return { ...outcome, leftBrainIds };
}

/**
 * The versions in a brain, after moving the live one of another brain there. `doubles`: additional live ones, from
 * earlier releases.
 */
async function bringHere(ctx: Context, brainId: string, item: IncomingMemory, { versions, writable }: EarlierVersions) {
  const here = versions.filter((version) => version.brain_id === brainId);
  const elsewhere = versions.filter(
    (version) =>
      version.brain_id !== brainId &&
      version.archived_at === null &&
      writable.has(version.brain_id) &&
      isOfSameSender(version, item),
  );
  const leftBrainIds = [...new Set(elsewhere.map((version) => version.brain_id))];
  if (here.some((version) => version.archived_at === null)) return { here, leftBrainIds, doubles: elsewhere };
  const [newest, ...doubles] = elsewhere;
  if (!newest) return { here, leftBrainIds, doubles };
  await moveTo(ctx, newest.id, brainId);
  return { here: [newest, ...here], leftBrainIds, doubles };
}

/** The sender chooses the ids: another platform, channel or person may use the same id for something else. */
function isOfSameSender(version: IncomingItem, { channel, storedBy }: IncomingMemory): boolean {
  const isSameChannel = version.source === channel || version.source?.startsWith(`${channel}:`);
  return Boolean(isSameChannel) && version.stored_by === (storedBy?.personId ?? null);
}

async function keepHere(
  ctx: Context,
  jobs: Jobs,
  brainId: string,
  item: IncomingMemory,
  { here, current }: { here: readonly IncomingItem[]; current: IncomingItem | undefined },
): Promise<Omit<IncomingOutcome, 'leftBrainIds'>> {
  const known = here.find((version) => isRepetition(version, item, current));
  if (known) return { id: (current ?? known).id, brainId, action: 'unchanged', previousId: null };
  const memory = buildIncomingMemory(ctx, brainId, item);
  await insertMemories(ctx.db, [memory]);
  if (current && item.occurredAt && item.occurredAt < current.occurred_at) {
    await retire(ctx, memory.id, 'A later version already existed.', current.id);
    return { id: memory.id, brainId, action: 'earlier', previousId: current.id };
  }
  if (current) await retire(ctx, current.id, 'A newer version was sent.', memory.id);
  await enqueueLinking(jobs, ctx.db, ctx.caller.workspaceId, [memory.id], ctx.now);
  await ctx.emit(memoryStored({ ids: [memory.id], brain_id: brainId }, { brainId }));
  await setImmediate(); // other calls run between long texts
  return { id: memory.id, brainId, action: current ? 'superseded' : 'created', previousId: current?.id ?? null };
}

/** Type, topics and metadata. A type that memories do not have is stored only in the metadata. */
function describeItem(inferred: Pick<NewMemory, 'topics' | 'type'>, metadata: IncomingMemory['metadata']) {
  const [type, tags] = [metadata?.['type'], metadata?.['tags']];
  const named = Array.isArray(tags) ? tags.filter((tag) => typeof tag === 'string') : [];
  return {
    type: memoryTypes.find((each) => each === type) ?? inferred.type,
    topics: [...new Set([...named, ...inferred.topics])],
    metadata,
  };
}

/** A repeated version that is live, that a person archived, or that was replaced within its thread. */
function isRepetition(
  version: IncomingItem,
  { content, metadata, isThread }: IncomingMemory,
  current: IncomingItem | undefined,
): boolean {
  if (version.content !== content || !isDeepStrictEqual(version.metadata, metadata)) return false;
  return version === current || isThread || !current;
}

function buildIncomingMemory(ctx: Context, brainId: string, item: IncomingMemory): NewMemory {
  const { content, source, sourceId, threadId, author, role, occurredAt, storedBy } = item;
  const inferred = buildMemory(ctx, brainId, { content });
  return {
    ...inferred,
    ...describeItem(inferred, item.metadata),
    source,
    source_id: sourceId,
    thread_id: threadId,
    author,
    role,
    occurred_at: occurredAt ?? ctx.now,
    stored_by: storedBy?.personId ?? null,
    stored_by_label: storedBy?.label ?? null,
  };
}
