// Determines which variables a caller can use: of several with one name, the narrowest.
import { createCaller } from '#kernel/caller';
import type { Context } from '#kernel/context';
import type { Db } from '#kernel/database';
import { listReachableBrainIds, listCredentialHolders, type ChainLink } from './chain.ts';
import { findVariablesById, listVariables, type VariableRow } from '../store/variables.ts';

/** A variable, and the link of the chain that it comes from. */
type EffectiveVariable = { row: VariableRow; link: ChainLink };

/**
 * The caller's variables on a brain, by name. Of several with one name the narrowest wins. A variable that an agent
 * stored outside its own tier ranks below all that people stored, so it cannot replace a name.
 */
export async function listEffectiveVariables(ctx: Context, brainId: string): Promise<EffectiveVariable[]> {
  const brainIds = await listReachableBrainIds(ctx.db, brainId, (await ctx.brains()).roles);
  const holders = await listCredentialHolders(ctx.db, ctx.caller, brainIds);
  const rows = await listVariables(ctx.db, holders);
  const byName = new Map<string, EffectiveVariable>();
  for (const isPlanted of [false, true]) {
    for (const { scope, scopeId, link } of holders) {
      for (const row of rows) {
        if (row.scope !== scope || row.scope_id !== scopeId || isPlantedByAgent(row) !== isPlanted) continue;
        if (!byName.has(row.name)) byName.set(row.name, { row, link });
      }
    }
  }
  return [...byName.values()].toSorted((a, b) => (a.row.name < b.row.name ? -1 : 1));
}

function isPlantedByAgent({ scope, set_by_kind }: VariableRow): boolean {
  return set_by_kind === 'agent' && scope !== 'agent';
}

/** Those of some names that the caller has no variable for on a brain. */
export async function listMissingVariables(ctx: Context, brainId: string, names: readonly string[]): Promise<string[]> {
  if (!names.length) return [];
  const known = new Set((await listEffectiveVariables(ctx, brainId)).map(({ row: { name } }) => name));
  return names.filter((name) => !known.has(name));
}

/** What an agent sees of them when it opens a session: names, and descriptions that a person wrote or saved. */
export async function describeVariables(
  ctx: Context,
  brainId: string,
): Promise<{ name: string; description: string }[]> {
  if (!ctx.caller.scopes.has('variables:read')) return [];
  return (await listEffectiveVariables(ctx, brainId)).map(({ row: { name, description, is_description_unseen } }) => ({
    name,
    description: is_description_unseen ? '' : description,
  }));
}

/**
 * What a name means for an automation: bound when a person activates it, so that a later variable with the name does
 * not count.
 */
export type NameBinding = { name: string; variable_id: string; handle: string };

/** What each name means for the runs of an automation on a brain, by the chain of its owner, who calls. */
export async function bindNames(
  ctx: Context,
  { automationId, brainId }: { automationId: string; brainId: string },
): Promise<NameBinding[]> {
  return bindCallerNames({ ...ctx, caller: createCaller({ ...ctx.caller, kind: 'run', id: automationId }) }, brainId);
}

/** What each name means for the caller on a brain. */
export async function bindCallerNames(ctx: Context, brainId: string): Promise<NameBinding[]> {
  const inForce = await listEffectiveVariables(ctx, brainId);
  return inForce.map(({ row: { id, name, handle } }) => ({ name, variable_id: id, handle }));
}

/** The bindings whose variables no longer exist. */
export async function findLostBindings(db: Db, bindings: readonly NameBinding[]): Promise<NameBinding[]> {
  const rows = await findVariablesById(
    db,
    bindings.map(({ variable_id }) => variable_id),
  );
  const there = new Set(rows.map(({ id }) => id));
  return bindings.filter(({ variable_id }) => !there.has(variable_id));
}

/** The value of `env` in code: the handle of each variable on the home brain, by name. Handles are not secrets. */
export async function mapEffectiveHandles(ctx: Context): Promise<Record<string, string>> {
  const { homeBrainId } = await ctx.brains();
  const inForce = await listEffectiveVariables(ctx, homeBrainId);
  return Object.fromEntries(inForce.map(({ row: { name, handle } }) => [name, handle]));
}
