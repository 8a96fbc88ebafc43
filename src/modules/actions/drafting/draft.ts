// Drafts an effect. Nothing is sent.
import type { Context } from '#kernel/context';
import type { GateDeps } from '../gate-deps.ts';
import type { DraftRow } from '../store/drafts.ts';
import { addNotifyTarget, setNotifyTargets } from '../store/notify-targets.ts';
import { previewEffect } from './preview.ts';
import type { Effect } from './resolve.ts';
import { storeDraft, type DraftStoreResult } from './store-draft.ts';
import type { TargetSnapshot } from '#kernel/action';

/**
 * Drafts a resolved effect: previews it, stores it, and shows it to its person if an approval is needed. Throws
 * `forbidden` with the rule when the policy blocks it.
 */
export async function createEffectDraft(
  ctx: Context,
  { registry, prompts, emitEvent }: GateDeps,
  effect: Effect,
  target: TargetSnapshot | null,
): Promise<DraftRow> {
  const previewed = await previewEffect(ctx, registry, effect, target);
  const stored = await storeDraft(ctx, { emitEvent }, previewed);
  if (previewed.policy.effect === 'allow' || stored.draft.status !== 'pending') return stored.draft;
  return promptPerson(ctx, prompts, stored, effect.notify);
}

/** The answer's `notify_targets` lists the actual places of the prompt: without a reachable phone, only the inbox. */
async function promptPerson(
  ctx: Context,
  prompts: GateDeps['prompts'],
  { draft, isNew }: DraftStoreResult,
  notify: readonly string[],
): Promise<DraftRow> {
  const reached: string[] = [];
  for (const way of notify) if (await prompts.get(way)?.(ctx, draft.id)) reached.push(way);
  if (!reached.length) return draft;
  const notify_targets = isNew ? [...notify] : [...new Set([...draft.notify_targets, ...reached])];
  if (isNew) await setNotifyTargets(ctx.db, draft.id, notify_targets);
  else for (const way of reached) await addNotifyTarget(ctx.db, [draft.id], way);
  return { ...draft, notify_targets };
}
