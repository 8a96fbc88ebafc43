// Builds the content for the start of a session, within a budget of tokens.
import type { BrainRole } from '#kernel/caller';
import type { Context } from '#kernel/context';
import { listActiveCoreKnowledge, findBrains, listBrainLineage, listActiveSkills, type Brain } from '#modules/brains';
import { createBudget, type Budget } from './budget.ts';
import { presentMemory } from './present.ts';
import { listConstellations } from '../store/constellations.ts';
import { countMemories, listMemories, type MemoryFilter } from '../store/memories.ts';
import { listSessions } from '../store/sessions.ts';
import { findFiringTriggers, presentFiring } from './triggered.ts';

/** The share of the budget for keys, numbers and ids. */
const reservedCharacters = 900;
const mostTriggered = 100;
const mostSessions = 5;
const mostConstellations = 10;
const mostRecent = 30;
/** A memory takes at least this many characters, so no more memories need to be read than could fit. */
const leastOfMemory = 350;

const more = 'load_brain with a higher max_tokens';

/** What is known, what matters and where things belong. `truncated` says what did not fit into the budget. */
export async function readSessionView(ctx: Context, brainId: string, context: string | undefined, maxTokens: number) {
  const { roles } = await ctx.brains();
  const lineage = (await listBrainLineage(ctx.db, brainId)).filter((id) => roles.has(id));
  const brains = await findBrains(ctx.db, [...roles.keys()]);
  const brain = brains.find(({ id }) => id === brainId);
  if (!brain) throw new Error('a brain that was just found is missing');
  const known = await readCandidates(ctx, lineage, context, Math.ceil((maxTokens * 4) / leastOfMemory));
  const { total, byType } = await countMemories(ctx.db, { brainIds: [brainId] });
  const reachable = sortNearestFirst(brains, lineage).map((each) => ({
    ...presentPlace(each),
    access_level: roles.get(each.id) ?? 'viewer',
  }));
  return {
    ...fitIntoBudget(createBudget(maxTokens, reservedCharacters, lists), maxTokens, { brain, reachable, ...known }),
    stats: { memories: total, by_type: byType, brains: brains.length },
  };
}

/** The possible content of a session. A limited number of critical memories and policies is read. */
async function readCandidates(ctx: Context, lineage: string[], context: string | undefined, most: number) {
  const [brainId = ''] = lineage;
  const firing = context ? await findFiringTriggers(ctx, lineage, context, mostTriggered) : new Map<string, number>();
  const recent = await listMemories(ctx.db, { brainIds: [brainId] }, { limit: mostRecent, offset: 0 });
  return {
    coreKnowledge: await listActiveCoreKnowledge(ctx, brainId),
    skills: await listActiveSkills(ctx, brainId),
    critical: await listNewest(ctx, { brainIds: lineage, salience: 'critical' }, most),
    triggered: await presentFiring(ctx, firing),
    policies: await listNewest(ctx, { brainIds: lineage.slice(1), type: 'constraint' }, most),
    sessions: await listOwnSessions(ctx, lineage),
    constellations: await presentConstellations(ctx, lineage),
    recent: recent.map(presentMemory),
  };
}

type SessionCandidates = Awaited<ReturnType<typeof readCandidates>> & {
  brain: Brain;
  reachable: (ReturnType<typeof presentPlace> & { access_level: BrainRole })[];
};

/** The content that fits, the most important first. */
function fitIntoBudget(budget: Budget, maxTokens: number, known: SessionCandidates) {
  const { brain, coreKnowledge, critical, triggered, policies } = known;
  const manyTriggered = triggered.length === mostTriggered && { total: `${mostTriggered} or more` };
  return {
    brain: {
      ...presentPlace(brain),
      description: budget.text('brain.description', brain.description, 'list_brains has the rest'),
      routing_rules: budget.text('brain.routing_rules', brain.routing_rules, 'list_brains has the rest'),
    },
    ...sortHighestFirst(
      // The nearest are cut last.
      budget.items('core_knowledge', coreKnowledge.toReversed(), {
        most: maxTokens * 2,
        rest: 'list_core_knowledge has the rest',
      }),
      coreKnowledge.length,
    ),
    skills: budget.items('skills', known.skills, { rest: 'skills with action=list has the rest' }),
    critical_memories: budget.items('critical_memories', critical.memories, {
      total: critical.total,
      rest: `${more}, or search_memory with salience=critical; get_memory shows a whole text`,
    }),
    triggered_memories: budget.items('triggered_memories', triggered, {
      ...manyTriggered,
      rest: `${more}, or search_memory`,
    }),
    inherited_policies: budget.items('inherited_policies', policies.memories, {
      total: policies.total,
      rest: 'list_memories with type=constraint of the brains above',
    }),
    recent_sessions: budget.items('recent_sessions', known.sessions, { rest: more }),
    accessible_brains: budget.items('accessible_brains', known.reachable, { rest: 'list_brains has the rest' }),
    constellations: budget.items('constellations', known.constellations, {
      rest: 'list_constellations has the rest',
    }),
    active_context: budget.items('active_context', known.recent, { rest: 'list_memories has the rest' }),
    truncated: budget.truncated,
  };
}

/** The number of lists that the view requests from its budget. */
const lists = 9;

/** The newest memories that match a filter, and their total number. */
async function listNewest(ctx: Context, filter: MemoryFilter, limit: number) {
  const found = await listMemories(ctx.db, filter, { limit, offset: 0 });
  const total = found.length < limit ? found.length : (await countMemories(ctx.db, filter)).total;
  return { memories: found.map(presentMemory), total };
}

/** Core knowledge from the highest brain down, and the number of omitted items. */
function sortHighestFirst<Item>(nearestItemsFirst: readonly Item[], total: number) {
  return {
    core_knowledge: nearestItemsFirst.toReversed(),
    core_knowledge_omitted: total - nearestItemsFirst.length,
  };
}

function presentPlace({ id, name, description, routing_rules, parent_brain_id }: Brain) {
  return { id, name, description, routing_rules, parent_brain_id };
}

/** The brain itself and its ancestors, then the others by name: brains that are cut off matter least. */
function sortNearestFirst(brains: readonly Brain[], lineage: readonly string[]): Brain[] {
  const near = lineage.flatMap((id) => brains.find((brain) => brain.id === id) ?? []);
  return [...near, ...brains.filter(({ id }) => !lineage.includes(id))];
}

async function listOwnSessions(ctx: Context, brainIds: string[]) {
  const sessions = await listSessions(ctx.db, brainIds, ctx.caller.personId, mostSessions);
  return sessions.map(({ id, summary, opened_by, person_name, started_at }) => ({
    session_id: id,
    summary: summary ?? '',
    opened_by,
    opened_by_person: person_name,
    started_at: started_at.toISOString(),
  }));
}

async function presentConstellations(ctx: Context, brainIds: string[]) {
  const constellations = await listConstellations(ctx.db, brainIds, mostConstellations);
  return constellations.map(({ id, label, memory_count }) => ({ id, label, memory_count }));
}
