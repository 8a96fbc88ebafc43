import type { Context } from '#kernel/context';
import { exampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { brainId } from '../ids.ts';
import { findActiveItem } from '../store/core-knowledge.ts';
import { findSkill } from '../store/skills.ts';
import {
  listSuggestions as findSuggestions,
  suggestionKinds,
  suggestionStates,
  type Suggestion,
} from '../store/suggestions.ts';
import { visibleSkills } from '../skills.ts';
import { isOutdated } from '../suggestions.ts';

const suggestion = z.object({
  suggestion_id: z.uuid(),
  kind: z.enum(suggestionKinds),
  state: z.enum(suggestionStates),
  brain_id: z.uuid().nullable(),
  brain_name: z.string().nullable(),
  skill_id: z.uuid().nullable(),
  skill_name: z.string().nullable(),
  proposed: z.record(z.string(), z.unknown()).describe('What would be saved: such as section and content.'),
  now: z.string().nullable().describe('What holds there now, word for word.'),
  is_outdated: z.boolean().describe('What it would replace has changed: it can only be declined.'),
  suggested_by: z.object({ agent: z.string(), person: z.string() }),
  created_at: z.iso.datetime(),
  decided_by: z.string().nullable(),
  decided_at: z.iso.datetime().nullable(),
});

export const listSuggestions = defineOperation({
  name: 'list_suggestions',
  summary: 'List what agents suggest for core knowledge and skills, and what people decided about it.',
  toolset: 'brains',
  effect: 'read',
  access: { scope: 'brains:read', brain: { role: 'viewer', of: 'brain_id', whenAbsent: 'allow' } },
  rest: [{ method: 'GET', path: '/v1/suggestions' }],
  input: z.strictObject({
    brain_id: brainId.optional().describe('Only those about this brain.'),
    state: z.enum(suggestionStates).default('waiting'),
  }),
  output: z.object({ suggestions: z.array(suggestion) }),
  errors: ['not_found'],
  examples: [
    { title: 'What waits for a person?', input: {} },
    { title: 'About one brain', input: { brain_id: exampleId('brain') } },
  ],
  async run(ctx, { brain_id, state }) {
    const { roles } = await ctx.brains();
    const { caller } = ctx;
    const besides = caller.role === 'member' ? { personId: caller.personId } : ('everybody' as const);
    const found = await findSuggestions(ctx.db, {
      brainIds: brain_id ? [brain_id] : [...roles.keys()],
      state,
      beside: brain_id || caller.reach !== 'owner' ? null : besides,
    });
    const skillIds = found.flatMap(({ skill_id }) => skill_id ?? []);
    const visible = new Set(await visibleSkills(ctx.db, skillIds, caller));
    const seen = found.filter(({ skill_id }) => skill_id === null || visible.has(skill_id));
    return { suggestions: await Promise.all(seen.map((each) => present(ctx, each))) };
  },
});

async function present(ctx: Context, row: Suggestion): Promise<z.input<typeof suggestion>> {
  const { id, change, state, brain_id, brain_name, skill_id, skill_name, input } = row;
  return {
    suggestion_id: id,
    kind: change,
    state,
    brain_id,
    brain_name,
    skill_id,
    skill_name,
    proposed: input,
    now: await whatHolds(ctx, row),
    is_outdated: state === 'waiting' && (await isOutdated(ctx, row)),
    suggested_by: { agent: row.suggested_by_label, person: row.person_name },
    created_at: row.created_at.toISOString(),
    decided_by: row.decided_by_label,
    decided_at: row.decided_at?.toISOString() ?? null,
  };
}

/** What would be replaced, as it is now; of what was decided nothing is told any more. */
async function whatHolds(ctx: Context, row: Suggestion): Promise<string | null> {
  const { change, state, brain_id, skill_id, input } = row;
  if (state !== 'waiting') return null;
  if (brain_id && change === 'add_core_knowledge')
    return (await findActiveItem(ctx.db, brain_id, { section: String(input['section']) }))?.content ?? null;
  if (brain_id && change === 'remove_core_knowledge')
    return (await findActiveItem(ctx.db, brain_id, { id: String(input['item_id']) }))?.content ?? null;
  if (change === 'save_skill' && skill_id) return (await findSkill(ctx.db, { id: skill_id }))?.content ?? null;
  return null;
}
