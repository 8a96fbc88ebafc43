// Stores one item: its brain, its earlier version, and the answer.
import { findOwnId } from '#kernel/caller';
import type { Context } from '#kernel/context';
import { AppError } from '#kernel/errors';
import { findBrains } from '#modules/brains';
import { holdIncoming, keepIncoming, type IncomingMemory, type IncomingOutcome } from '#modules/memory';
import type { Meaning } from '#platform/embeddings';
import type { Jobs } from '#platform/jobs';
import type { Search } from '#platform/search';
import { beginningOf, isLong, keepWhole } from './long-content.ts';
import type { IngestAnswer, IngestInput } from './ingest-form.ts';
import { place, writableBrains, type routingMethods } from './place.ts';
import { score, type Scored } from './router.ts';
import { createSender, type Sender } from './sender.ts';
import { isMail, labelOf, senderOf, type Source } from './source.ts';
import { findReadyConnector, type ReadyConnector } from './store/connectors.ts';
import { insertReview, passReviewsOn } from './store/reviews.ts';

type Method = (typeof routingMethods)[number];
type Deps = { search: Search; jobs: Jobs };
/** The sender of another module, and what it says of the item beside the text. */
type From = { sender: Sender; metadata: Record<string, unknown> | null };
/** The brain of the item; `scored`: the router's choice, and its scores. */
type Placed = { brainId: string; method: Method; confidence: number; scored: Scored | null };

/**
 * Stores an item. `meaning`: the meaning of its text, null without an embedder; undefined: not known yet, and then an
 * item that needs scoring is not stored, and null is returned.
 */
export async function ingest(
  ctx: Context,
  deps: Deps,
  asked: IngestInput,
  meaning: Meaning | null | undefined,
  from?: From,
): Promise<IngestAnswer | null> {
  const connector = from ? null : await connectorOf(ctx);
  const sender = from?.sender ?? createSender(ctx.caller, connector);
  const source = sourceOf(asked, sender);
  const key = keyOf(asked, source);
  const versions = key === null ? [] : await holdIncoming(ctx, key);
  const writable = await writableBrains(ctx, sender);
  const request = { target: asked.target_brain_id, source, content: asked.content, earlier: versions };
  const placement = place(request, writable, connector, (await ctx.brains()).homeBrainId);
  if (placement.to === 'drop') return dropped(source);
  if (placement.to === 'score' && meaning === undefined) return null;
  const placed = await placeOf(ctx, deps.search, placement, { asked, source, meaning: meaning ?? null });
  const item = { ...itemOf(asked, source, key, sender), metadata: from?.metadata ?? null };
  const outcome = await keepIncoming(ctx, deps.jobs, placed.brainId, item, {
    versions,
    writable,
  });
  const pages = await wholeOf(ctx, asked, outcome, { source, key, isFirst: versions.length === 0 });
  const reviewId = await reviewOf(ctx, outcome, placed, source);
  const [brain] = await findBrains(ctx.db, [outcome.brainId]);
  return {
    ...fieldsOf(source),
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

/** Stores an item that names its brain, for a sender of another module. */
export async function ingestItem(ctx: Context, deps: Deps, asked: IngestInput, from: From): Promise<IngestAnswer> {
  const answer = await ingest(ctx, deps, asked, null, from);
  if (!answer) throw new Error('an item that names its brain was not placed');
  return answer;
}

async function connectorOf(ctx: Context): Promise<ReadyConnector | null> {
  const connectorId = findOwnId(ctx.caller, 'connector');
  if (connectorId === null) return null;
  const connector = await findReadyConnector(ctx.db, connectorId);
  if (!connector) throw new AppError('unauthenticated', 'The connector of this token was deleted. Make a new one.');
  return connector;
}

function sourceOf({ source_channel, source_user }: IngestInput, { platform }: Sender): Source {
  return { platform, channel: source_channel || null, user: source_user || null };
}

/** The identity of an item: its own id, or in a mail thread that of the thread. Null: none. */
function keyOf({ source_id, thread_id }: IngestInput, source: Source): string | null {
  if (thread_id && isMail(source)) return `thread:${thread_id}`;
  return source_id || null;
}

type Placement = Exclude<ReturnType<typeof place>, { to: 'drop' }>;

async function placeOf(
  ctx: Context,
  search: Search,
  placement: Placement,
  { asked, source, meaning }: { asked: IngestInput; source: Source; meaning: Meaning | null },
): Promise<Placed> {
  if (placement.to === 'brain')
    return { brainId: placement.brainId, method: placement.method, confidence: 1, scored: null };
  const item = { content: asked.content, sender: senderOf(source.user), channel: source.channel };
  const scored = await score(ctx, search, { item, brainIds: placement.brainIds, meaning });
  if (scored.isSure) return { brainId: scored.brainId, method: 'confidence', confidence: scored.confidence, scored };
  return { brainId: placement.defaultBrainId, method: 'default', confidence: scored.confidence, scored };
}

function itemOf(
  asked: IngestInput,
  source: Source,
  key: string | null,
  sender: Sender,
): Omit<IncomingMemory, 'metadata'> {
  return {
    content: isLong(asked.content) ? beginningOf(asked.content) : asked.content,
    source: labelOf(source),
    channel: labelOf({ ...source, user: null }),
    sourceId: key,
    isThread: key?.startsWith('thread:') ?? false,
    threadId: asked.thread_id || null,
    author: asked.author || source.user?.slice(0, 200) || null,
    role: asked.role ?? null,
    occurredAt: asked.occurred_at ? new Date(asked.occurred_at) : null,
    storedBy: sender.storedBy,
  };
}

/** A long text is kept as pages too. A short one removes those that a longer version before it had, and a moved one takes them with it. */
async function wholeOf(
  ctx: Context,
  { content, occurred_at }: IngestInput,
  { id, brainId, action, leftBrainIds }: IncomingOutcome,
  { source, key, isFirst }: { source: Source; key: string | null; isFirst: boolean },
): Promise<string[]> {
  if (action === 'earlier' || (isFirst && !isLong(content))) return [];
  const occurredAt = occurred_at ? new Date(occurred_at) : ctx.now;
  const of = { key: key ?? id, memoryId: id, source: labelOf(source), author: source.user, occurredAt };
  for (const left of leftBrainIds) await keepWhole(ctx, left, of, '');
  return keepWhole(ctx, brainId, of, content);
}

/** Asks a person about an uncertain choice of the router. An unchanged item is not asked about again. */
async function reviewOf(
  ctx: Context,
  { id, action, previousId }: IncomingOutcome,
  { method, confidence, scored }: Placed,
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
    sender: senderOf(source.user),
    channel: source.channel,
    method,
    confidence,
    candidates: scored.fits
      .slice(0, 5)
      .map(({ brainId, share }) => ({ brain_id: brainId, confidence: rounded(share) })),
    created_at: ctx.now,
  });
  return reviewId;
}

function rounded(share: number): number {
  return Math.round(share * 100) / 100;
}

function fieldsOf(source: Source) {
  return {
    source: source.platform,
    source_channel: source.channel,
    source_user: source.user,
    source_label: labelOf(source),
  };
}

function dropped(source: Source): IngestAnswer {
  return {
    ...fieldsOf(source),
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
