// The rules of the tiers: the name of each, and who may change its variables.
import { isAgent, isAtLeast, mayActAsPerson, type Caller } from '#kernel/caller';
import type { Context } from '#kernel/context';
import { AppError, createNotFoundError } from '#kernel/errors';
import type { ExtraScope } from '#kernel/operation';
import type { Db } from '#kernel/database';
import { keyResource } from '#modules/accounts';
import { readPersonalBrainId } from '#modules/brains';
import { connectedClientResource } from '#modules/oauth-server';
import type { VariableTier, Tier } from '../tiers.ts';
import { filterVisibleSets } from './visible-sets.ts';

/** The word in messages for anything that `scope_id` can name. */
export const scopeNoun = 'brain, agent or permission set';

type Rule = {
  /** Whether `scope_id` may name it; otherwise each caller has exactly one. */
  isNamed: boolean;
  /** The default when nothing is named; null when a name is required. */
  unnamed(ctx: Context): Promise<string | null> | string | null;
  /** Whether the id is of this kind and the caller may know it. */
  isThere(ctx: Context, id: string): Promise<boolean> | boolean;
  /** What the caller lacks to change variables there; null when nothing. */
  lacks(ctx: Context, id: string): Promise<string | null> | string | null;
};

/** Those of these ids that are agents the caller may know: keys and connected clients. */
export async function locateAgents(db: Db, ids: readonly string[], caller: Caller): Promise<string[]> {
  const kinds = [keyResource, connectedClientResource];
  const located = await Promise.all(kinds.map((kind) => kind.locate(db, ids, caller)));
  return located.flat().map(({ id }) => id);
}

const administrator = 'the role admin or owner of the workspace, and the reach of a person';

/** The rules of each tier. */
const rules: Readonly<Record<Tier, Rule>> = {
  org: {
    isNamed: false,
    unnamed: ({ caller }) => caller.workspaceId,
    isThere: () => true,
    lacks: ({ caller }) => (caller.role !== 'member' && caller.reach === 'owner' ? null : administrator),
  },
  brain: {
    isNamed: true,
    unnamed: async (ctx) => (await ctx.brains()).homeBrainId,
    isThere: async (ctx, id) => (await ctx.brains()).roles.has(id),
    async lacks(ctx, id) {
      const role = (await ctx.brains()).roles.get(id) ?? 'viewer';
      return isAtLeast(role, 'admin') ? null : `the role admin on the brain; yours is ${role}`;
    },
  },
  agent: {
    isNamed: true,
    unnamed: ({ caller }) => (isAgent(caller) ? caller.id : null),
    isThere: async ({ db, caller }, id) => (await locateAgents(db, [id], caller)).length > 0,
    lacks: ({ caller }, id) =>
      caller.reach === 'owner' || caller.id === id ? null : 'that agent itself, or the reach of a person',
  },
  permission_set: {
    isNamed: true,
    unnamed: () => null,
    isThere: async ({ db, caller }, id) => (await filterVisibleSets(db, [id], caller)).length > 0,
    lacks: ({ caller }) => (caller.role !== 'member' && caller.reach === 'owner' ? null : administrator),
  },
  person: {
    isNamed: false,
    unnamed: ({ caller }) => caller.personId,
    isThere: () => true,
    lacks: ({ caller }) => (caller.reach === 'owner' ? null : 'the reach of a person'),
  },
};

/** The holder that an input names with `var_scope` and `scope_id`. Throws for one that the caller may not know. */
export async function resolveTier(
  ctx: Context,
  { var_scope, scope_id }: { var_scope: Tier; scope_id?: string | undefined },
): Promise<VariableTier> {
  const rule = rules[var_scope];
  if (scope_id && !rule.isNamed) throw new AppError('invalid_input', `scope_id: leave it out for ${var_scope}.`);
  const id = scope_id ?? (await rule.unnamed(ctx));
  if (!id) throw new AppError('invalid_input', `scope_id: name the ${var_scope.replace('_', ' ')} by its id.`);
  if (!(await rule.isThere(ctx, id))) throw createNotFoundError(scopeNoun);
  return { scope: var_scope, scopeId: id };
}

/**
 * The scope that variables and links for others need in addition to the operation's own: those of the workspace, of
 * permission sets, of brains that are not the personal brain of the caller's person, and of other agents.
 */
export const sharedTier = {
  scope: 'shared_variables:write',
  async when(ctx, input) {
    const { scope, scopeId } = await resolveTier(ctx, input);
    if (scope === 'brain') return scopeId !== (await readPersonalBrainId(ctx.db, ctx.caller.personId));
    return scopeId !== ctx.caller.id && scopeId !== ctx.caller.personId;
  },
} satisfies ExtraScope<{ var_scope: Tier; scope_id?: string | undefined }>;

/** Throws `forbidden` unless the caller may change this holder's variables. */
export async function checkMayChange(ctx: Context, { scope, scopeId }: VariableTier): Promise<void> {
  const lacking = await rules[scope].lacks(ctx, scopeId);
  if (lacking === null) return;
  throw new AppError('forbidden', `Variables of the tier ${scope} are changed with ${lacking}. Ask who has that.`, {
    var_scope: scope,
  });
}

/**
 * Whether a caller stores, changes and deletes this holder's values itself. An agent does so only at its own tier
 * (decision 35).
 */
export function mayWriteAt(caller: Caller, { scope, scopeId }: VariableTier): boolean {
  return mayActAsPerson(caller) || (scope === 'agent' && scopeId === caller.id);
}

/** Throws `forbidden` unless the caller may change this holder's values itself. */
export function checkWritesAt({ caller }: Context, variableTier: VariableTier): void {
  if (mayWriteAt(caller, variableTier)) return;
  const message = `Agents change only variables of their own tier, and this one is of the tier ${variableTier.scope}. Ask your person to change it at the console.`;
  throw new AppError('forbidden', message, { var_scope: variableTier.scope });
}

type Reach = { hosts?: readonly string[] | undefined; placements?: readonly string[] | undefined };

/**
 * Throws `forbidden` when somebody without the right would allow a value at more hosts or placements: only the person
 * who set it, and the owner and administrators of the workspace, may do that.
 */
export function checkMayWiden(
  { caller }: Context,
  before: { hosts: readonly string[]; placements: readonly string[]; set_by: string; set_by_label: string },
  { hosts = [], placements = [] }: Reach,
): void {
  const added = [
    ...hosts.filter((host) => !before.hosts.includes(host)),
    ...placements.filter((placement) => !before.placements.includes(placement)),
  ];
  if (!added.length || caller.role !== 'member' || before.set_by === caller.personId) return;
  throw new AppError(
    'forbidden',
    `Adding ${added.join(', ')} would let a value go where ${before.set_by_label}, who set it, did not allow. Ask them or an administrator of the workspace, or set your own value with set_variable first.`,
    { added },
  );
}
