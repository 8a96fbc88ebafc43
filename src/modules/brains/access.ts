import { isAtLeast, type BrainRole, type Caller } from '#kernel/caller';
import type { BrainAccess, Context } from '#kernel/context';
import type { Db } from '#kernel/database';
import { AppError, createNotFoundError } from '#kernel/errors';
import { listBrainLineage, readBrainRoles } from './store/brains.ts';

/** The brains a caller may use: its person's, or for a brain-scoped key the home brain and its ancestors. */
export async function readBrainAccess(db: Db, caller: Caller): Promise<BrainAccess> {
  const roles = await readBrainRoles(db, caller.personId, caller.role !== 'member');
  if (caller.reach === 'owner') return { homeBrainId: caller.homeBrainId, roles };
  const lineage = await listBrainLineage(db, caller.homeBrainId);
  const narrow = lineage.flatMap((id): [string, BrainRole][] => {
    const role = roles.get(id);
    if (!role) return [];
    return [[id, id === caller.homeBrainId ? role : 'viewer']];
  });
  return { homeBrainId: caller.homeBrainId, roles: new Map(narrow) };
}

/** Whether a person may read a brain, regardless of their keys' rights. */
export async function canPersonReadBrain(db: Db, person: Pick<Caller, 'role'> & { id: string }, brainId: string) {
  return (await readBrainRoles(db, person.id, person.role !== 'member')).has(brainId);
}

/** The brains of a read: the given one, or all that the caller may read. */
export async function listReadableBrainIds(ctx: Context, brainId?: string): Promise<string[]> {
  if (brainId) return [brainId];
  return [...(await ctx.brains()).roles.keys()];
}

/** Throws unless the caller may let a connector write to all of these brains: `not_found` for those it may not see. */
export async function checkConnectorBrains(ctx: Context, brainIds: readonly string[]): Promise<void> {
  const { roles } = await ctx.brains();
  for (const id of brainIds) {
    const role = roles.get(id);
    if (!role) throw createNotFoundError('brain');
    if (!isAtLeast(role, 'editor'))
      throw new AppError(
        'forbidden',
        `A connector writes, so it needs the role editor on each brain; yours is ${role}.`,
      );
  }
}
