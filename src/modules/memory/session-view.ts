// What a caller is told at the start of a session, within a budget of tokens.
import type { Context } from '#kernel/context';
import { coreKnowledgeInForce, findBrains, lineageOf, skillsInForce, type Brain } from '#modules/brains';
import { createBudget } from './budget.ts';
import { presentMemory } from './present.ts';
import { listConstellations } from './store/constellations.ts';
import { countMemories, listMemories } from './store/memories.ts';
import { listSessions } from './store/sessions.ts';
import { firingTriggers, presentFiring } from './triggered.ts';

/** Of the budget, what names of keys, numbers and ids take. */
const reservedCharacters = 900;
const mostTriggered = 100;
const mostSessions = 5;
const mostConstellations = 10;

/** What is known, what matters and where things belong. `truncated` names what did not fit into the budget as a whole. */
export async function viewOf(ctx: Context, brainId: string, context: string | undefined, maxTokens: number) {
  const { roles } = await ctx.brains();
  const lineage = (await lineageOf(ctx.db, brainId)).filter((id) => roles.has(id));
  const ancestors = lineage.slice(1);
  const brains = await findBrains(ctx.db, [...roles.keys()]);
  const brain = brains.find(({ id }) => id === brainId);
  if (!brain) throw new Error('a brain that was resolved is not there');
  const page = { limit: 30, offset: 0 };
  const coreKnowledge = await coreKnowledgeInForce(ctx, brainId, maxTokens / 2);
  const critical = await listMemories(ctx.db, { brainIds: lineage, salience: 'critical' }, page);
  const firing = context ? await firingTriggers(ctx, lineage, context, mostTriggered) : new Map<string, number>();
  const triggered = await presentFiring(ctx, firing);
  const policies = await listMemories(ctx.db, { brainIds: ancestors, type: 'constraint' }, page);
  const recent = await listMemories(ctx.db, { brainIds: [brainId] }, page);
  const { total, byType } = await countMemories(ctx.db, { brainIds: [brainId] });
  const budget = createBudget(maxTokens, reservedCharacters);
  return {
    brain: {
      ...placeOf(brain),
      description: budget.text('brain.description', brain.description),
      routing_rules: budget.text('brain.routing_rules', brain.routing_rules),
    },
    core_knowledge: budget.items('core_knowledge', coreKnowledge.items),
    core_knowledge_omitted: coreKnowledge.omitted,
    skills: budget.items('skills', await skillsInForce(ctx, brainId)),
    critical_memories: budget.items('critical_memories', critical.map(presentMemory)),
    triggered_memories: budget.items('triggered_memories', triggered),
    inherited_policies: budget.items('inherited_policies', policies.map(presentMemory)),
    recent_sessions: budget.items('recent_sessions', await sessionsOf(ctx, lineage)),
    accessible_brains: budget.items(
      'accessible_brains',
      nearestFirst(brains, lineage).map((each) => ({ ...placeOf(each), access_level: roles.get(each.id) ?? 'viewer' })),
    ),
    constellations: budget.items('constellations', await constellationsOf(ctx, lineage)),
    active_context: budget.items('active_context', recent.map(presentMemory)),
    stats: { memories: total, by_type: byType, brains: brains.length },
    truncated: budget.truncated,
  };
}

function placeOf({ id, name, description, routing_rules, parent_brain_id }: Brain) {
  return { id, name, description, routing_rules, parent_brain_id };
}

/** The brain itself and its ancestors, then the others by name: those that are cut off matter least. */
function nearestFirst(brains: readonly Brain[], lineage: readonly string[]): Brain[] {
  const near = lineage.flatMap((id) => brains.find((brain) => brain.id === id) ?? []);
  return [...near, ...brains.filter(({ id }) => !lineage.includes(id))];
}

async function sessionsOf(ctx: Context, brainIds: string[]) {
  const sessions = await listSessions(ctx.db, brainIds, mostSessions);
  return sessions.map(({ id, summary, opened_by, started_at }) => ({
    session_id: id,
    summary: summary ?? '',
    opened_by,
    started_at: started_at.toISOString(),
  }));
}

async function constellationsOf(ctx: Context, brainIds: string[]) {
  const constellations = await listConstellations(ctx.db, brainIds, mostConstellations);
  return constellations.map(({ id, label, memory_count }) => ({ id, label, memory_count }));
}
