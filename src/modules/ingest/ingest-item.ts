// Stores one item: its brain, its earlier version, and the answer.
import { findOwnId } from '#kernel/caller';
import type { Context } from '#kernel/context';
import { AppError } from '#kernel/errors';
import { findBrains } from '#modules/brains';
import { lockIncoming, keepIncoming, type IncomingMemory, type IncomingOutcome } from '#modules/memory';
import type { QueryVector } from '#platform/embeddings';
import type { Jobs } from '#platform/jobs';
import type { Search } from '#platform/search';
import { cutToMemory, isLong, storeWholePages } from './long-content.ts';
import type { IngestAnswer, IngestInput } from './ingest-form.ts';
import { chooseBrainByRules, listIngestBrains, type routingMethods } from './choose-brain.ts';
import { score, type BrainScore } from './router.ts';
import { createSender, type Sender } from './sender.ts';
import { isMail, formatSourceLabel, normalizeSender, type Source } from './source.ts';
import { findReadyConnector, type ReadyConnector } from './store/connectors.ts';
import { insertReview, passReviewsOn } from './store/reviews.ts';

type Method = (typeof routingMethods)[number];
type Deps = { search: Search; jobs: Jobs };
/** The sender of another module, and its facts about the item, besides the text. */
type ItemSender = { sender: Sender; metadata: Record<string, unknown> | null };
/** The brain of the item; `scored`: the router's choice, and its scores. */
type PlacedItem = { brainId: string; method: Method; confidence: number; scored: BrainScore | null };

/**
 * Stores an item. `meaning`: the embedding of its text, null without an embedder; undefined: not known yet, and then an
 * item that needs scoring is not stored, and null is returned.
 */
export async function ingest(
  ctx: Context,
  deps: Deps,
  asked: IngestInput,
  meaning: QueryVector | null | undefined,
  from?: ItemSender,
): Promise<IngestAnswer | null> {
  const connector = from ? null : await findCallerConnector(ctx);
  const sender = from?.sender ?? createSender(ctx.caller, connector);
  const source = getItemSource(asked, sender);
  const key = getItemKey(asked, source);
  const versions = key === null ? [] : await lockIncoming(ctx, key);
  const writable = await listIngestBrains(ctx, sender);
  const request = { target: asked.target_brain_id, source, content: asked.content, earlier: versions };
  const placement = chooseBrainByRules(request, writable, connector, (await ctx.brains()).homeBrainId);
  if (placement.to === 'drop') return presentDropped(source);
  if (placement.to === 'score' && meaning === undefined) return null;
  const placed = await chooseItemBrain(ctx, deps.search, placement, { asked, source, meaning: meaning ?? null });
  const item = { ...buildIncomingItem(asked, source, key, sender), metadata: from?.metadata ?? null };
  const outcome = await keepIncoming(ctx, deps.jobs, placed.brainId, item, {
    versions,
    writable,
  });
  const pages = await storeWholeText(ctx, asked, outcome, { source, key, isFirst: versions.length === 0 });
  const reviewId = await requestReview(ctx, outcome, placed, source);
  const [brain] = await findBrains(ctx.db, [outcome.brainId]);
  return {
    ...presentSource(source),
    id: outcome.id,
    brain_id: outcome.brainId,
    brain_name: brain?.name ?? null,
    auto_routed: placed.method !== 'target',
    routing: { method: placed.method, confidence: placed.confidence },
    review_id: reviewId,
    dedup: { action: outcome.action, previous_id: outcome.previousId },
    pages,
  };
}

/** Stores an item with a named brain, for a sender of another module. */
export async function ingestItem(
  ctx: Context,
  deps: Deps,
  asked: IngestInput,
  from: ItemSender,
): Promise<IngestAnswer> {
  const answer = await ingest(ctx, deps, asked, null, from);
  if (!answer) throw new Error('an item that names its brain was not placed');
  return answer;
}

async function findCallerConnector(ctx: Context): Promise<ReadyConnector | null> {
  const connectorId = findOwnId(ctx.caller, 'connector');
  if (connectorId === null) return null;
  const connector = await findReadyConnector(ctx.db, connectorId);
  if (!connector) throw new AppError('unauthenticated', 'The connector of this token was deleted. Make a new one.');
  return connector;
}

function getItemSource({ source_channel, source_user }: IngestInput, { platform }: Sender): Source {
  return { platform, channel: source_channel || null, user: source_user || null };
}

/** The identity of an item: its own id, or in a mail thread that of the thread. Null: none. */
function getItemKey({ source_id, thread_id }: IngestInput, source: Source): string | null {
  if (thread_id && isMail(source)) return `thread:${thread_id}`;
  return source_id || null;
}

type Placement = Exclude<ReturnType<typeof chooseBrainByRules>, { to: 'drop' }>;

async function chooseItemBrain(
  ctx: Context,
  search: Search,
  placement: Placement,
  { asked, source, meaning }: { asked: IngestInput; source: Source; meaning: QueryVector | null },
): Promise<PlacedItem> {
  if (placement.to === 'brain')
    return { brainId: placement.brainId, method: placement.method, confidence: 1, scored: null };
  const item = { content: asked.content, sender: normalizeSender(source.user), channel: source.channel };
  const scored = await score(ctx, search, { item, brainIds: placement.brainIds, meaning });
  if (scored.isSure) return { brainId: scored.brainId, method: 'confidence', confidence: scored.confidence, scored };
  return { brainId: placement.defaultBrainId, method: 'default', confidence: scored.confidence, scored };
}

function buildIncomingItem(
  asked: IngestInput,
  source: Source,
  key: string | null,
  sender: Sender,
): Omit<IncomingMemory, 'metadata'> {
  return {
    content: isLong(asked.content) ? cutToMemory(asked.content) : asked.content,
    source: formatSourceLabel(source),
    channel: formatSourceLabel({ ...source, user: null }),
    sourceId: key,
    isThread: key?.startsWith('thread:') ?? false,
    threadId: asked.thread_id || null,
    author: asked.author || source.user?.slice(0, 200) || null,
    role: asked.role ?? null,
    occurredAt: asked.occurred_at ? new Date(asked.occurred_at) : null,
    storedBy: sender.storedBy,
  };
}

/**
 * A long text is also stored as pages. A short one removes the pages of a longer earlier version, and a moved one takes
 * them along.
 */
async function storeWholeText(
  ctx: Context,
  { content, occurred_at }: IngestInput,
  { id, brainId, action, leftBrainIds }: IncomingOutcome,
  { source, key, isFirst }: { source: Source; key: string | null; isFirst: boolean },
): Promise<string[]> {
  if (action === 'earlier' || (isFirst && !isLong(content))) return [];
  const occurredAt = occurred_at ? new Date(occurred_at) : ctx.now;
  const of = { key: key ?? id, memoryId: id, source: formatSourceLabel(source), author: source.user, occurredAt };
  for (const left of leftBrainIds) await storeWholePages(ctx, left, of, '');
  return storeWholePages(ctx, brainId, of, content);
}

/** Asks a person about an uncertain choice of the router. An unchanged item is not asked about again. */
async function requestReview(
  ctx: Context,
  { id, action, previousId }: IncomingOutcome,
  { method, confidence, scored }: PlacedItem,
  source: Source,
): Promise<string | null> {
  if (previousId !== null && action === 'superseded') await passReviewsOn(ctx.db, previousId, id);
  if (method !== 'default' || action !== 'created' || !scored) return null;
  const reviewId = ctx.newId();
  await insertReview(ctx.db, {
    id: reviewId,
    workspace_id: ctx.caller.workspaceId,
    memory_id: id,
    connector_id: findOwnId(ctx.caller, 'connector'),
    sender: normalizeSender(source.user),
    channel: source.channel,
    method,
    confidence,
    candidates: scored.fits
      .slice(0, 5)
      .map(({ brainId, share }) => ({ brain_id: brainId, confidence: roundShare(share) })),
    created_at: ctx.now,
  });
  return reviewId;
}

function roundShare(share: number): number {
  return Math.round(share * 100) / 100;
}

function presentSource(source: Source) {
  return {
    source: source.platform,
    source_channel: source.channel,
    source_user: source.user,
    source_label: formatSourceLabel(source),
  };
}

function presentDropped(source: Source): IngestAnswer {
  return {
    ...presentSource(source),
    id: null,
    brain_id: null,
    brain_name: null,
    auto_routed: true,
    routing: { method: 'dropped', confidence: 1 },
    review_id: null,
    dedup: { action: 'dropped', previous_id: null },
    pages: [],
  };
}
