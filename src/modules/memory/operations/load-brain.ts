import { brainRoles } from '#kernel/caller';
import { defineOperation } from '#kernel/operation';
import { brainId, coreKnowledgeOutput, skillSummary } from '#modules/brains';
import { describeVariables } from '#modules/variables';
import { uri } from '#kernel/uri';
import { z } from 'zod';
import { memoryOutput, trigger } from '../memory-fields.ts';
import type { RecallRecord } from '../recalling/recall-record.ts';
import { readSessionView } from '../recalling/session-view.ts';
import { insertSession } from '../store/sessions.ts';

const brainSummary = z.object({
  id: z.uuid(),
  name: z.string(),
  description: z.string(),
  routing_rules: z.string(),
  parent_brain_id: z.uuid().nullable(),
});

const recentSession = z.object({
  session_id: z.uuid(),
  summary: z.string(),
  opened_by: z.string(),
  opened_by_person: z.string().nullable(),
  started_at: z.iso.datetime(),
});

const output = z.object({
  session_id: z.uuid(),
  brain: brainSummary,
  core_knowledge: z
    .array(coreKnowledgeOutput)
    .describe('Core knowledge that applies here, from the highest brain down.'),
  core_knowledge_omitted: z
    .number()
    .int()
    .describe('Number of items that did not fit. `list_core_knowledge` has them.'),
  skills: z.array(skillSummary).describe('Skills that apply here. Load one by `skills` with action=load.'),
  recent_sessions: z.array(recentSession),
  critical_memories: z.array(memoryOutput),
  triggered_memories: z.array(memoryOutput.extend({ fired: trigger })),
  inherited_policies: z.array(memoryOutput),
  active_context: z.array(memoryOutput).describe('The newest memories of this brain.'),
  stats: z.object({
    memories: z.number().int(),
    by_type: z.record(z.string(), z.number().int()),
    brains: z.number().int(),
  }),
  constellations: z.array(z.object({ id: z.uuid(), label: z.string(), memory_count: z.number().int() })),
  accessible_brains: z.array(brainSummary.extend({ access_level: z.enum(brainRoles) })),
  documentation_urls: z.array(uri()),
  agent_prompt: z.string().nullable().describe('Instructions for an agent; null for other callers.'),
  agent_variables: z.array(z.object({ name: z.string(), description: z.string() })),
  truncated: z.array(z.string()).describe('How many entries fit or were shortened, and how to get the rest.'),
});

export function loadBrain(publicUrl: string, recalls: RecallRecord) {
  return defineOperation({
    name: 'load_brain',
    summary:
      'Open a session: returns core knowledge, important memories, and where things belong. Call this first in every conversation.',
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
        .describe('What you will work on. Memories with a matching trigger are shown.'),
      max_tokens: z
        .number()
        .int()
        .min(400)
        .max(50_000)
        .default(4_000)
        .describe('Approximate maximum length of the answer.'),
    }),
    output,
    errors: ['not_found'],
    examples: [
      { title: 'At the start of a conversation', input: { context: 'choosing a database for graph storage' } },
    ],
    async run(ctx, { brain_id, context, max_tokens }) {
      const id = brain_id ?? (await ctx.brains()).homeBrainId;
      const view = await readSessionView(ctx, id, context, max_tokens);
      const session_id = ctx.newId();
      const { workspaceId, personId, label } = ctx.caller;
      await insertSession(ctx.db, { id: session_id, workspaceId, brainId: id, personId, openedBy: label, at: ctx.now });
      recalls.note({ workspaceId, sessionId: session_id, memories: listShownMemories(view) });
      const agent_variables = await describeVariables(ctx, id);
      const documentation_urls = [`${publicUrl}/llms.txt`, `${publicUrl}/docs`];
      return { session_id, ...view, documentation_urls, agent_prompt: null, agent_variables };
    },
  });
}

/** Every memory of the view once: those that the caller received. */
function listShownMemories(view: Awaited<ReturnType<typeof readSessionView>>) {
  const { critical_memories, triggered_memories, inherited_policies, active_context } = view;
  const all = [...critical_memories, ...triggered_memories, ...inherited_policies, ...active_context];
  return [...new Map(all.map((memory) => [memory.id, memory])).values()];
}
