import type { Context } from '#kernel/context';
import { findBrains, lineageOf } from '#modules/brains';
import { presentMemory } from './present.ts';
import { countMemories, countTopics, listMemories, listSessions, listTriggered, type Memory } from './store.ts';
import { stemsOf } from './topics.ts';

/** A trigger fires when at least this share of the words of one of its alternatives stands in the context. */
const triggerShare = 0.5;
const alternatives = /\bor\b|[,;]/i;
const charactersPerToken = 4;

/** Memories whose trigger fits the context, each with the trigger that fired. */
function firedTriggers(memories: readonly Memory[], context: string) {
  const here = stemsOf(context);
  return memories.flatMap((memory) => {
    const fired = memory.triggers.find(({ condition }) =>
      condition.split(alternatives).some((each) => fits(each, here)),
    );
    return fired ? [{ ...presentMemory(memory), fired }] : [];
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
  const critical = await listMemories(ctx.db, { brainIds: lineage, salience: 'critical' }, page);
  const triggered = context ? firedTriggers(await listTriggered(ctx.db, lineage), context) : [];
  const policies = ancestors.length
    ? await listMemories(ctx.db, { brainIds: ancestors, type: 'constraint' }, page)
    : [];
  const recent = await listMemories(ctx.db, { brainIds: [brainId] }, page);
  const { total, byType } = await countMemories(ctx.db, { brainIds: [brainId] });
  return {
    brain: brains.find((brain) => brain.id === brainId),
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
