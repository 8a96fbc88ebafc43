// A draft is bound to the rule that matched when it was drafted. When another rule matches now, it is stale.
import type { Context } from '#kernel/context';
import {
  askPolicy,
  buildDraftSubject,
  formatReason,
  isSameRule,
  judge,
  presentRuling,
  readPolicy,
  type ActionRegistry,
  type Policy,
  type Ruling,
} from '#modules/policy';
import type { GateDeps } from '../gate-deps.ts';
import type { DraftRow } from '../store/drafts.ts';
import { lockPending } from '../store/open-drafts.ts';
import { createCallScene, createWorkScene, changeDraftState, type TransitionScene } from '../change-draft-state.ts';

/** The number of drafts per transaction. */
const atOnce = 200;

/** The current answer of the policy for a draft, or for its content after an edit. */
export async function readPresentRuling(
  ctx: Context,
  registry: ActionRegistry,
  draft: DraftRow,
  payload: Record<string, unknown> = draft.payload,
): Promise<Ruling> {
  return askPolicy(
    ctx.db,
    await buildDraftSubject(ctx.db, registry.get(draft.source, draft.action, draft.payload), draft, payload),
  );
}

/** Not an error, which would roll back: the draft becomes stale, and the answer to the confirmation says so. */
export async function markDraftStale(ctx: Context, draft: DraftRow, currentRuling: Ruling): Promise<false> {
  await moveToStale(createCallScene(ctx), draft, currentRuling);
  return false;
}

/**
 * Like `markDraftStale`, for a draft that depends on changed data of this server; returns false then, and null when it
 * is still valid.
 */
export async function markIfOutdated(ctx: Context, registry: ActionRegistry, draft: DraftRow): Promise<false | null> {
  const message = await registry.get(draft.source, draft.action, draft.payload).outdated?.(ctx.db, draft.payload);
  if (!message) return null;
  await changeDraftState(createCallScene(ctx), draft, {
    to: 'stale',
    change: { error: { message } },
    detail: { message },
  });
  return false;
}

/**
 * Marks pending drafts stale that another rule would match, as many as fit into one transaction: the person who changes
 * the policy sees it at once. `markAllStale` does the rest.
 */
export function markFirstStale(ctx: Context, registry: ActionRegistry): Promise<StaleProgress> {
  return markSomeStale(createCallScene(ctx), registry, null);
}

/** Marks all pending drafts of a workspace stale that another rule would match now, part by part. */
export async function markAllStale(deps: GateDeps, workspaceId: string): Promise<void> {
  for (let afterId: string | null = null; ;) {
    const { lastId }: StaleProgress = await deps.transactions.run(workspaceId, 'write', (db) =>
      markSomeStale(createWorkScene(deps, db, workspaceId), deps.registry, afterId),
    );
    if (lastId === null) return;
    afterId = lastId;
  }
}

/** How many became stale, and the last checked one if there are more; null: those were all. */
type StaleProgress = { stale: number; lastId: string | null };

async function markSomeStale(
  scene: TransitionScene,
  registry: ActionRegistry,
  afterId: string | null,
): Promise<StaleProgress> {
  const policy = await readPolicy(scene.db);
  const drafts = await lockPending(scene.db, { afterId, limit: atOnce });
  const overtaken: { draft: DraftRow; standing: Ruling }[] = [];
  for (const draft of drafts) {
    const currentRuling = await judgeDraft(scene.db, policy, registry, draft);
    if (currentRuling && draft.policy && !isSameRule(draft.policy, currentRuling))
      overtaken.push({ draft, standing: currentRuling });
  }
  for (const { draft, standing: currentRuling } of overtaken) await moveToStale(scene, draft, currentRuling);
  return { stale: overtaken.length, lastId: drafts.length < atOnce ? null : (drafts.at(-1)?.id ?? null) };
}

/** Null: the action no longer exists, and nobody can approve the draft. */
async function judgeDraft(
  db: TransitionScene['db'],
  policy: Policy,
  registry: ActionRegistry,
  draft: DraftRow,
): Promise<Ruling | null> {
  if (!registry.find(draft.source, draft.action)) return null;
  const action = registry.get(draft.source, draft.action, draft.payload);
  return { ...judge(policy, await buildDraftSubject(db, action, draft)), version: policy.version };
}

async function moveToStale(scene: TransitionScene, draft: DraftRow, currentRuling: Ruling): Promise<void> {
  const message = `The policy changed after this was drafted. Nothing was sent. ${formatReason(currentRuling)} Draft it again if you still want it.`;
  const detail = { message, policy: presentRuling(currentRuling) };
  await changeDraftState(scene, draft, { to: 'stale', change: { error: { message } }, detail });
}
