import { setImmediate } from 'node:timers/promises';
import type { Context } from '#kernel/context';
import { coreKnowledgeInForce, findBrains, lineageOf, skillsInForce } from '#modules/brains';
import type { Trigger } from './memory-fields.ts';
import { presentMemory } from './present.ts';
import { countMemories, countTopics, findMemories, listMemories, listSessions, listTriggers } from './store.ts';
import { stemsOf } from './topics.ts';

/** A trigger fires when at least this share of the words of one of its alternatives stands in the context. */
const triggerShare = 0.5;
const alternatives = /\bor\b|[,;]/i;
const charactersPerToken = 4;
const memoriesAtOnce = 50;
const mostTriggered = 100;

/**
 * Memories with a trigger that fits the context, newest first, each with the trigger that fired. There may be thousands
 * to look at, so other calls get their turn in between.
 */
async function triggeredMemories(ctx: Context, brainIds: string[], context: string) {
  const here = stemsOf(context);
  const fired = new Map<string, Trigger>();
  for (const [position, { id, triggers }] of (await listTriggers(ctx.db, brainIds)).entries()) {
    if (position % memoriesAtOnce === 0) await setImmediate();
    const firing = triggers.find(({ condition }) => condition.split(alternatives).some((each) => fits(each, here)));
    if (firing) fired.set(id, firing);
    if (fired.size === mostTriggered) break;
  }
  const memories = await findMemories(ctx.db, [...fired.keys()]);
  return memories.flatMap((memory) => {
    const firing = fired.get(memory.id);
    return firing ? [{ ...presentMemory(memory), fired: firing }] : [];
  });
}

function fits(condition: string, here: ReadonlySet<string>): boolean {
  const words = [...stemsOf(condition)];
  return words.length > 0 && words.filter((stem) => here.has(stem)).length >= triggerShare * words.length;
}

/** What a caller should know at the start of a session in a brain, within a budget of tokens. */
export async function viewOf(ctx: Context, brainId: string, context: string | undefined, maxTokens: number) {
  const { roles } = await ctx.brains();
  const lineage = (await lineageOf(ctx.db, brainId)).filter((id) => roles.has(id));
  const ancestors = lineage.slice(1);
  const brains = await findBrains(ctx.db, [...roles.keys()]);
  const budget = { left: maxTokens * charactersPerToken };
  const page = { limit: 30, offset: 0 };
  const coreKnowledge = await coreKnowledgeInForce(ctx, brainId, maxTokens / 2);
  const critical = await listMemories(ctx.db, { brainIds: lineage, salience: 'critical' }, page);
  const triggered = context ? await triggeredMemories(ctx, lineage, context) : [];
  const policies = ancestors.length
    ? await listMemories(ctx.db, { brainIds: ancestors, type: 'constraint' }, page)
    : [];
  const recent = await listMemories(ctx.db, { brainIds: [brainId] }, page);
  const { total, byType } = await countMemories(ctx.db, { brainIds: [brainId] });
  return {
    brain: brains.find((brain) => brain.id === brainId),
    core_knowledge: within(budget, coreKnowledge.items),
    core_knowledge_omitted: coreKnowledge.omitted,
    skills: within(budget, await skillsInForce(ctx, brainId)),
    critical_memories: within(budget, critical.map(presentMemory)),
    triggered_memories: within(budget, triggered),
    inherited_policies: within(budget, policies.map(presentMemory)),
    recent_sessions: within(budget, await sessionsOf(ctx, lineage)),
    active_context: within(budget, recent.map(presentMemory)),
    stats: { memories: total, by_type: byType, brains: brains.length },
    constellations: await constellationsOf(ctx, lineage),
    accessible_brains: brains.map((brain) => ({
      id: brain.id,
      name: brain.name,
      description: brain.description,
      routing_rules: brain.routing_rules,
      parent_brain_id: brain.parent_brain_id,
      access_level: roles.get(brain.id) ?? 'viewer',
    })),
  };
}

async function sessionsOf(ctx: Context, brainIds: string[]) {
  const sessions = await listSessions(ctx.db, brainIds, 5);
  return sessions.map(({ id, summary, opened_by, started_at }) => ({
    session_id: id,
    summary: summary ?? '',
    opened_by,
    started_at: started_at.toISOString(),
  }));
}

async function constellationsOf(ctx: Context, brainIds: string[]) {
  const topics = await countTopics(ctx.db, brainIds, 10);
  return topics.map(({ topic, count }) => ({ label: topic, memory_count: count }));
}

/** The first items that still fit; what follows the first that does not is left out. */
function within<Item>(budget: { left: number }, items: Item[]): Item[] {
  const end = items.findIndex((item) => (budget.left -= JSON.stringify(item).length) < 0);
  return end < 0 ? items : items.slice(0, end);
}
