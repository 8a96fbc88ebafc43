// Selects the brains of a request.
import type { Context } from '#kernel/context';
import { isAtLeast, type BrainRole } from '#kernel/caller';
import { findBrains, type Brain } from '#modules/brains';

/** How brains were selected: all readable ones, one, one or more with everything below, or several. */
export const modes = ['all', 'island', 'family', 'several'] as const;
export type Mode = (typeof modes)[number];

/** The requested brains, by name. The kernel has checked whether the caller may read the named ones. */
export async function selectBrains(
  ctx: Context,
  brainIds: readonly string[] | undefined,
  includeChildren: boolean,
): Promise<{ mode: Mode; brains: Brain[] }> {
  const all = await findBrains(ctx.db, [...(await ctx.brains()).roles.keys()]);
  if (!brainIds) return { mode: 'all', brains: all };
  const asked = new Set(brainIds);
  if (includeChildren) return { mode: 'family', brains: withChildren(all, asked) };
  const brains = all.filter(({ id }) => asked.has(id));
  return { mode: brains.length === 1 ? 'island' : 'several', brains };
}

/** A brain and those below it in which the caller has at least a role. */
export async function listBrainFamily(ctx: Context, brainId: string, role: BrainRole): Promise<Brain[]> {
  const { roles } = await ctx.brains();
  const permitted = [...roles].filter(([, own]) => isAtLeast(own, role)).map(([id]) => id);
  return withChildren(await findBrains(ctx.db, permitted), new Set([brainId]));
}

function withChildren(brains: readonly Brain[], roots: ReadonlySet<string>): Brain[] {
  const family = new Set(roots);
  for (let before = 0; before !== family.size;) {
    before = family.size;
    for (const { id, parent_brain_id } of brains) if (parent_brain_id && family.has(parent_brain_id)) family.add(id);
  }
  return brains.filter(({ id }) => family.has(id));
}
