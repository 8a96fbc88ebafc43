import type { Context } from '#kernel/context';
import type { Db } from '#kernel/database';
import { brainCreated } from './events.ts';
import { checkLimit, type ReadLimits } from './limits.ts';
import { checkDepth } from './place.ts';
import { countBrains, insertBrain, type Brain } from './store/brains.ts';

/** The name of a brain, which always ends in "Brain". */
export function formatBrainName(name: string): string {
  return /\bbrain$/i.test(name) ? name : `${name} Brain`;
}

/** Creates a person's personal brain. Returns its id. */
export async function createPersonalBrain(
  db: Db,
  person: { workspaceId: string; personId: string; name: string; brainId: string; at: Date },
): Promise<string> {
  await insertBrain(db, {
    id: person.brainId,
    workspaceId: person.workspaceId,
    parentBrainId: null,
    name: `${person.name}'s Brain`,
    description: 'Personal memory: notes that matter to one person and fit no other brain.',
    routing_rules: '',
    language: 'en',
    personalTo: person.personId,
    createdBy: person.personId,
    at: person.at,
  });
  return person.brainId;
}

/** Creates a brain owned by the caller, within the plan's limits. Returns its id. */
export async function addBrain(
  ctx: Context,
  readLimits: ReadLimits,
  brain: Omit<Brain, 'id' | 'personal_to'>,
): Promise<string> {
  const limits = await readLimits(ctx);
  if (limits.brains !== null) checkLimit(limits, 'brains', (await countBrains(ctx.db)) + 1);
  await checkDepth(ctx.db, limits, brain.parent_brain_id);
  const id = ctx.newId();
  const { workspaceId, personId } = ctx.caller;
  const { name, description, routing_rules, language, parent_brain_id: parentBrainId } = brain;
  const about = { name, description, routing_rules, language, parentBrainId };
  await insertBrain(ctx.db, { id, ...about, workspaceId, personalTo: null, createdBy: personId, at: ctx.now });
  await ctx.emit(brainCreated({ brain_id: id, name }, { brainId: id }));
  return id;
}
