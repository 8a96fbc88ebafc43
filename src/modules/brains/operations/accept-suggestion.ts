import type { Context } from '#kernel/context';
import { AppError, createNotFoundError } from '#kernel/errors';
import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { newSection, setSection, removeItem } from '../core-knowledge.ts';
import { suggestionId } from '../ids.ts';
import type { ReadLimits } from '../limits.ts';
import { changeSkillAssignment, placing } from '../change-skill-assignment.ts';
import { addSkill, changeSkill, getSkillHolder, skillContent, skillName } from '../skills.ts';
import { lockBrain } from '../store/brains.ts';
import { findSkill } from '../store/skills.ts';
import { decideSuggestion, lockSuggestion, type Suggestion, type SuggestionKind } from '../store/suggestions.ts';
import { isOutdated, emitBrainUpdated } from '../suggestions.ts';

/** An accepted suggestion, and the author of its changes. */
type AcceptedSuggestion = { suggestion: Suggestion; byLabel: string; readLimits: ReadLimits };

const savedSkill = z.object({ name: skillName.optional(), content: skillContent.optional() });

/** Applies each kind of suggestion, with the rights of the person who accepts it. */
const changes: Record<SuggestionKind, (ctx: Context, accepted: AcceptedSuggestion) => Promise<unknown>> = {
  add_core_knowledge: (ctx, { suggestion, byLabel }) =>
    setSection(ctx, getSuggestionBrainId(suggestion), newSection.parse(suggestion.input), byLabel),
  remove_core_knowledge: (ctx, { suggestion, byLabel }) =>
    removeItem(ctx, getSuggestionBrainId(suggestion), String(suggestion.input['item_id']), byLabel),
  async save_skill(ctx, { suggestion: { skill_id, input }, byLabel, readLimits }) {
    const { name, content } = savedSkill.parse(input);
    if (!skill_id) return addSkill(ctx, readLimits, { name: name ?? '', content: content ?? '' }, byLabel);
    const skill = await findSkill(ctx.db, { id: skill_id });
    if (!skill) throw createNotFoundError('skill');
    return changeSkill(ctx, skill, { name, content }, byLabel);
  },
  async place_skill(ctx, { suggestion: { skill_id, brain_id, input } }) {
    const { agent_id } = z.object({ agent_id: z.uuid().optional() }).parse(input);
    const holder = getSkillHolder({ brain_id: brain_id ?? undefined, agent_id });
    return changeSkillAssignment(ctx, skill_id ?? '', holder, placing.parse(input));
  },
};

export function acceptSuggestion(readLimits: ReadLimits) {
  return defineOperation({
    name: 'accept_suggestion',
    summary: "Accept an agent's suggestion for core knowledge or skills. It takes effect at once.",
    toolset: 'brains',
    effect: 'write',
    isWidening: true,
    access: {
      scope: 'knowledge:write',
      brain: { role: 'admin', of: 'suggestion_id', whenAbsent: 'allow' },
      isForPeople: true,
    },
    rest: [{ method: 'POST', path: '/v1/suggestions/{suggestion_id}/accept' }],
    input: z.strictObject({ suggestion_id: suggestionId }),
    output: z.object({ suggestion_id: z.uuid(), state: z.literal('accepted') }),
    errors: ['not_found', 'forbidden', 'conflict', 'plan_limit', 'invalid_input'],
    examples: [{ title: 'As the agent wrote it', input: { suggestion_id: createExampleId('suggestion') } }],
    async run(ctx, { suggestion_id }) {
      const suggestion = await lockWaitingSuggestion(ctx, suggestion_id);
      if (suggestion.brain_id) await lockBrain(ctx.db, suggestion.brain_id);
      if (await isOutdated(ctx, suggestion)) throw createOutdatedError();
      const byLabel = `${ctx.caller.label}, suggested by ${suggestion.suggested_by_label}`;
      await changes[suggestion.change](ctx, { suggestion, byLabel, readLimits });
      await decide(ctx, suggestion, 'accepted');
      return { suggestion_id, state: 'accepted' as const };
    },
  });
}

/** The locked suggestion. Throws `conflict` when it was already decided. */
export async function lockWaitingSuggestion(ctx: Context, id: string): Promise<Suggestion> {
  const suggestion = await lockSuggestion(ctx.db, id);
  if (!suggestion) throw createNotFoundError('suggestion');
  if (suggestion.state === 'waiting') return suggestion;
  throw new AppError('conflict', `This suggestion was ${suggestion.state} by ${suggestion.decided_by_label} already.`);
}

/** Stores a decision, and emits it. */
export async function decide(ctx: Context, suggestion: Suggestion, state: 'accepted' | 'declined'): Promise<void> {
  const { personId: by, label: byLabel } = ctx.caller;
  await decideSuggestion(ctx.db, suggestion.id, { state, by, byLabel, at: ctx.now });
  if (suggestion.brain_id) await emitBrainUpdated(ctx, suggestion.brain_id);
}

function getSuggestionBrainId({ brain_id }: Suggestion): string {
  if (!brain_id) throw new Error('a suggestion about core knowledge names no brain');
  return brain_id;
}

function createOutdatedError(): AppError {
  return new AppError(
    'conflict',
    'The text that this suggestion would replace has changed. Decline it, or have the agent suggest it again.',
  );
}
