// Suggestions of agents for core knowledge and skills. A person accepts or declines them.
import { findOwnId } from '#kernel/caller';
import type { Context } from '#kernel/context';
import { AppError } from '#kernel/errors';
import { hasUnseen } from '#kernel/unseen';
import type { ExtraScope } from '#kernel/operation';
import { z } from 'zod';
import { brainUpdated } from './events.ts';
import { findBrains } from './store/brains.ts';
import type { SkillPlacement } from './change-skill-assignment.ts';
import { checkSkillHolder } from './skills.ts';
import { findActiveItem } from './store/core-knowledge.ts';
import { findSkill, type SkillHolder } from './store/skills.ts';
import {
  countWaiting,
  findEqual,
  insertSuggestion,
  type Suggestion,
  type SuggestionKind,
} from './store/suggestions.ts';

const mostWaiting = 200;

/** The scope to change core knowledge and skills at once. Without it a change becomes a suggestion. */
export const changesKnowledge = { scope: 'knowledge:write' } satisfies ExtraScope<object>;

/** The answer for a change that waits for a person. */
export const suggestionOutput = z
  .object({ suggestion_id: z.uuid(), message: z.string() })
  .optional()
  .describe('Nothing changed. The suggestion waits for a person.');

/** A suggested change. The admins of `brainId` may decide it. */
type SuggestedChange = {
  kind: SuggestionKind;
  brainId: string | null;
  skillId?: string | null;
  input: Record<string, unknown>;
};

/** Stores a suggestion, or returns an equal pending one. */
export async function suggest(ctx: Context, wanted: SuggestedChange): Promise<z.output<typeof suggestionOutput>> {
  const { caller } = ctx;
  if (hasUnseen(JSON.stringify(wanted.input))) throw createHiddenTextError();
  const suggestion = {
    id: ctx.newId(),
    workspace_id: caller.workspaceId,
    change: wanted.kind,
    brain_id: wanted.brainId,
    skill_id: wanted.skillId ?? null,
    input: wanted.input,
    replaces: await readTargetState(ctx, wanted.kind, { ...wanted, skillId: wanted.skillId ?? null }),
    suggested_by: caller.personId,
    suggested_by_label: caller.label,
    key_id: findOwnId(caller, 'key'),
    created_at: ctx.now,
  };
  const equal = await findEqual(ctx.db, suggestion);
  if (equal) return { suggestion_id: equal, message };
  if ((await countWaiting(ctx.db, caller.personId)) >= mostWaiting) throw createTooManySuggestionsError();
  await insertSuggestion(ctx.db, suggestion);
  if (wanted.brainId) await emitBrainUpdated(ctx, wanted.brainId);
  return { suggestion_id: suggestion.id, message };
}

const message =
  'This is only a suggestion: people change core knowledge and skills. Your person accepts or declines it on the page of the brain in the console.';

/** The present state of a suggestion's target. It must not change until the suggestion is accepted. */
async function readTargetState(
  ctx: Context,
  kind: SuggestionKind,
  { brainId, skillId, input }: { brainId: string | null; skillId: string | null; input: Record<string, unknown> },
): Promise<string | null> {
  if (kind === 'add_core_knowledge' && brainId)
    return (await findActiveItem(ctx.db, brainId, { section: String(input['section']) }))?.id ?? null;
  if (kind === 'remove_core_knowledge' && brainId)
    return (await findActiveItem(ctx.db, brainId, { id: String(input['item_id']) }))?.id ?? null;
  if (kind === 'save_skill' && skillId) return String((await findSkill(ctx.db, { id: skillId }))?.version ?? 0);
  return null;
}

/** Whether the target of the suggestion changed. */
export async function isOutdated(
  ctx: Context,
  { change, brain_id, skill_id, input, replaces }: Suggestion,
): Promise<boolean> {
  return (await readTargetState(ctx, change, { brainId: brain_id, skillId: skill_id, input })) !== replaces;
}

/** Emits the change to open pages of the brain. */
export async function emitBrainUpdated(ctx: Context, brainId: string): Promise<void> {
  const [brain] = await findBrains(ctx.db, [brainId]);
  if (brain) await ctx.emit(brainUpdated({ brain_id: brainId, name: brain.name }, { brainId }));
}

/** Invisible characters would hide the text from the person who accepts it. */
function createHiddenTextError(): AppError {
  return new AppError(
    'invalid_input',
    'It contains characters that are invisible or change the direction of text. Leave them out: a person decides by what they see.',
  );
}

function createTooManySuggestionsError(): AppError {
  return new AppError(
    'conflict',
    `${mostWaiting} suggestions of your person's agents are already waiting. Ask the person to decide about them in the console.`,
  );
}

/** Stores a suggestion to assign a skill. */
export async function suggestPlacing(
  ctx: Context,
  skillId: string,
  holder: SkillHolder,
  wanted: SkillPlacement,
): Promise<z.output<typeof suggestionOutput>> {
  await checkSkillHolder(ctx, holder);
  const where = 'brainId' in holder ? { brainId: holder.brainId } : { brainId: null };
  const input = { ...wanted, ...('keyId' in holder && { agent_id: holder.keyId }) };
  return suggest(ctx, { kind: 'place_skill', skillId, ...where, input });
}
