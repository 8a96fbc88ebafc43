import type { Context } from '#kernel/context';
import { createExampleId } from '#kernel/examples';
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
import { filterVisibleSkills } from '../skills.ts';
import { isOutdated } from '../suggestions.ts';

const suggestion = z.object({
  suggestion_id: z.uuid(),
  kind: z.enum(suggestionKinds),
  state: z.enum(suggestionStates),
  brain_id: z.uuid().nullable(),
  brain_name: z.string().nullable(),
  skill_id: z.uuid().nullable(),
  skill_name: z.string().nullable(),
  agent_name: z.string().nullable().describe('The agent that the skill would be assigned to; null: none.'),
  proposed: z.record(z.string(), z.unknown()).describe('What would be saved, such as section and content.'),
  now: z.string().nullable().describe('The current text that it would replace.'),
  is_outdated: z.boolean().describe('True: the text it would replace has changed, so it can only be declined.'),
  suggested_by: z.object({ agent: z.string(), person: z.string() }),
  created_at: z.iso.datetime(),
  decided_by: z.string().nullable(),
  decided_at: z.iso.datetime().nullable(),
});

export const listSuggestions = defineOperation({
  name: 'list_suggestions',
  summary: "List the agents' suggestions for core knowledge and skills, and the decisions.",
  toolset: 'brains',
  effect: 'read',
  access: { scope: 'brains:read', brain: { role: 'viewer', of: 'brain_id', whenAbsent: 'allow' } },
  rest: [{ method: 'GET', path: '/v1/suggestions' }],
  input: z.strictObject({
    brain_id: brainId.optional().describe('Only suggestions for this brain.'),
    state: z.enum(suggestionStates).default('waiting'),
    limit: z.number().int().min(1).max(200).default(200),
    cursor: z
      .string()
      .max(60)
      .regex(/^suggestion:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
      .optional()
      .describe('`next_cursor` of the previous page. Leave it out for the first page.'),
  }),
  output: z.object({
    suggestions: z.array(suggestion),
    next_cursor: z.string().nullable().describe('Null: this is the last page.'),
  }),
  errors: ['not_found'],
  examples: [
    { title: 'Which suggestions wait?', input: {} },
    { title: 'For one brain', input: { brain_id: createExampleId('brain') } },
  ],
  async run(ctx, { brain_id, state, limit, cursor }) {
    const { roles } = await ctx.brains();
    const { caller } = ctx;
    const besides = caller.role === 'member' ? { personId: caller.personId } : ('everybody' as const);
    const found = await findSuggestions(ctx.db, {
      brainIds: brain_id ? [brain_id] : [...roles.keys()],
      state,
      beside: brain_id || caller.reach !== 'owner' ? null : besides,
      afterId: cursor?.slice('suggestion:'.length) ?? null,
      limit,
    });
    const skillIds = found.flatMap(({ skill_id }) => skill_id ?? []);
    const visible = new Set(await filterVisibleSkills(ctx.db, skillIds, caller));
    const seen = found.filter(({ skill_id }) => skill_id === null || visible.has(skill_id));
    const last = found.length === limit ? found.at(-1) : undefined;
    return {
      suggestions: await Promise.all(seen.map((each) => present(ctx, each))),
      next_cursor: last ? `suggestion:${last.id}` : null,
    };
  },
});

async function present(ctx: Context, row: Suggestion): Promise<z.input<typeof suggestion>> {
  const { id, change, state, brain_id, brain_name, skill_id, skill_name, agent_name, input } = row;
  return {
    suggestion_id: id,
    kind: change,
    state,
    brain_id,
    brain_name,
    skill_id,
    skill_name,
    agent_name,
    proposed: input,
    now: await findCurrentText(ctx, row),
    is_outdated: state === 'waiting' && (await isOutdated(ctx, row)),
    suggested_by: { agent: row.suggested_by_label, person: row.person_name },
    created_at: row.created_at.toISOString(),
    decided_by: row.decided_by_label,
    decided_at: row.decided_at?.toISOString() ?? null,
  };
}

/** The text that would be replaced, as it is now; null once the suggestion was decided. */
async function findCurrentText(ctx: Context, row: Suggestion): Promise<string | null> {
  const { change, state, brain_id, skill_id, input } = row;
  if (state !== 'waiting') return null;
  if (brain_id && change === 'add_core_knowledge')
    return (await findActiveItem(ctx.db, brain_id, { section: String(input['section']) }))?.content ?? null;
  if (brain_id && change === 'remove_core_knowledge')
    return (await findActiveItem(ctx.db, brain_id, { id: String(input['item_id']) }))?.content ?? null;
  if (change === 'save_skill' && skill_id) return (await findSkill(ctx.db, { id: skill_id }))?.content ?? null;
  return null;
}
