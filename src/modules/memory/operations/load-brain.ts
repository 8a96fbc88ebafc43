import { brainRoles } from '#kernel/caller';
import { defineOperation } from '#kernel/operation';
import { brainId, coreKnowledgeOutput, skillSummary } from '#modules/brains';
import { z } from 'zod';
import { memoryOutput, trigger } from '../memory-fields.ts';
import { viewOf } from '../session-view.ts';
import { insertSession } from '../store.ts';

const brainSummary = z.object({
  id: z.uuid(),
  name: z.string(),
  description: z.string(),
  routing_rules: z.string(),
  parent_brain_id: z.uuid().nullable(),
});

export function loadBrain(publicUrl: string) {
  return defineOperation({
    name: 'load_brain',
    summary: 'Open a session: what is known, what matters, where things belong. Call this first in every conversation.',
    toolset: 'memory',
    effect: 'write',
    access: { scope: 'memory:read', brain: { role: 'viewer', of: 'brain_id' } },
    rest: [{ method: 'POST', path: '/v1/brain/load' }],
    input: z.strictObject({
      brain_id: brainId.optional().describe('Default: your home brain.'),
      context: z
        .string()
        .trim()
        .max(4_000)
        .optional()
        .describe('What you are about to work on; memories with a fitting trigger come up.'),
      max_tokens: z.number().int().min(200).max(50_000).default(4_000).describe('About how long the answer may be.'),
    }),
    output: z.object({
      session_id: z.uuid(),
      brain: brainSummary,
      core_knowledge: z.array(coreKnowledgeOutput).describe('What always holds here, from the highest brain down.'),
      core_knowledge_omitted: z.number().int().describe('Items there was no room for; `list_core_knowledge` has them.'),
      skills: z.array(skillSummary).describe('Skills in force here; `skills` with action=load tells what one says.'),
      recent_sessions: z.array(
        z.object({ session_id: z.uuid(), summary: z.string(), opened_by: z.string(), started_at: z.iso.datetime() }),
      ),
      critical_memories: z.array(memoryOutput),
      triggered_memories: z.array(memoryOutput.extend({ fired: trigger })),
      inherited_policies: z.array(memoryOutput),
      active_context: z.array(memoryOutput).describe('The newest memories of this brain.'),
      stats: z.object({
        memories: z.number().int(),
        by_type: z.record(z.string(), z.number().int()),
        brains: z.number().int(),
      }),
      constellations: z.array(z.object({ label: z.string(), memory_count: z.number().int() })),
      accessible_brains: z.array(brainSummary.extend({ access_level: z.enum(brainRoles) })),
      documentation_urls: z.array(z.url()),
    }),
    errors: ['not_found'],
    examples: [
      { title: 'At the start of a conversation', input: { context: 'choosing a database for graph storage' } },
    ],
    async run(ctx, { brain_id, context, max_tokens }) {
      const id = brain_id ?? (await ctx.brains()).homeBrainId;
      const { brain, ...view } = await viewOf(ctx, id, context, max_tokens);
      if (!brain) throw new Error('a brain that was resolved is not there');
      const session_id = ctx.newId();
      const { workspaceId, personId, label } = ctx.caller;
      await insertSession(ctx.db, { id: session_id, workspaceId, brainId: id, personId, openedBy: label, at: ctx.now });
      return { session_id, brain, ...view, documentation_urls: [`${publicUrl}/llms.txt`, `${publicUrl}/docs`] };
    },
  });
}
