import { getCallerKind, isConfined } from './caller-kinds.ts';
import { canAskForScopes, hasAllOfPerson, isAtLeast, type BrainRole, type Caller } from './caller.ts';
import type { Context } from './context.ts';
import { AppError, createNotFoundError } from './errors.ts';
import { readIds, type IdField } from './ids.ts';
import type { Operation } from './operation.ts';
import type { Ports } from './ports.ts';
import type { ItemLocation } from './resource.ts';
import { agentScopes, listRoleScopes, type Scope } from './scopes.ts';

/**
 * Throws for a caller whose credential allows only other operations. Without an operation, throws for a caller that is
 * limited to certain operations.
 */
export function refuseConfined(caller: Caller, operation?: string): void {
  if (!isConfined(caller.kind, operation)) return;
  const message = `A ${describeCaller(caller)} can call only POST /v1/ingest. Use a key for everything else.`;
  throw new AppError('forbidden', message);
}

/**
 * Throws unless the caller has the scopes of the call, and a person's authority where the call needs it. Returns how
 * the call continues: when a scope of `also` is missing, an operation that supports suggestions makes a suggestion.
 */
export async function checkScope(
  ctx: Context,
  operation: Operation,
  input: Record<string, unknown>,
): Promise<'run' | 'suggest'> {
  const { scope, denied, isForPeople, also = [] } = operation.access;
  checkToolset(ctx.caller, operation);
  if (!ctx.caller.scopes.has(scope)) {
    if (denied && listRoleScopes(ctx.caller.role).includes(scope)) throw await denied(ctx, input);
    throw createScopeError(ctx.caller, operation, scope);
  }
  if (isForPeople && ctx.caller.reach !== 'owner') throw createPersonNeededError(operation);
  for (const { scope: beside, when } of also) {
    if (ctx.caller.scopes.has(beside) || (when && !(await when(ctx, input)))) continue;
    if (operation.suggest) return 'suggest';
    throw createScopeError(ctx.caller, operation, beside);
  }
  return 'run';
}

/** The requirements of every call of an operation. */
export function listNeededScopes({ access, suggest }: Operation): Scope[] {
  const beside = suggest ? [] : (access.also ?? []).filter(({ when }) => !when);
  return [access.scope, ...beside.map(({ scope }) => scope)];
}

function checkToolset({ kind, toolsets }: Caller, { name, toolset }: Operation): void {
  if (!toolsets || toolsets.includes(toolset)) return;
  throw new AppError(
    'forbidden',
    `${name} belongs to the toolset ${toolset}, and this ${getCallerKind(kind).noun} may use only ${toolsets.join(', ')}. Connect it again to allow more.`,
    { toolset },
  );
}

/**
 * Resolves every id of the input, and checks that the caller may see the item and has the role that the operation
 * needs. An id that the caller may not see is `not_found`. Ids that the operation handles separately fail only when
 * none of them is visible.
 */
export async function checkIds(
  ports: Ports,
  ctx: Context,
  operation: Operation,
  input: Record<string, unknown>,
): Promise<void> {
  const { brain } = operation.access;
  let isRoleChecked = false;
  for (const field of operation.idFields) {
    const ids = readIds(input, field.path);
    if (!ids.length) continue;
    const isNamed = brain?.of.includes(field.path[0] ?? '') ?? false;
    if (isNamed) isRoleChecked = true;
    const role = brain && isNamed ? brain.role : 'viewer';
    await checkField(ports, ctx, field, ids, role);
  }
  if (brain && !isRoleChecked && brain.whenAbsent !== 'allow')
    await checkRole(ctx, (await ctx.brains()).homeBrainId, brain.role);
}

/** Throws unless the caller has the role on the brain: `not_found` when the brain is not visible to the caller. */
async function checkRole(ctx: Context, brainId: string, needed: BrainRole): Promise<void> {
  const role = (await ctx.brains()).roles.get(brainId);
  if (!role) throw createNotFoundError('brain');
  if (!isAtLeast(role, needed)) {
    throw new AppError(
      'forbidden',
      `This needs the role ${needed} on the brain; yours is ${role}. Ask one of its admins.`,
      {
        needed,
        role,
      },
    );
  }
}

async function checkField(ports: Ports, ctx: Context, field: IdField, ids: string[], role: BrainRole): Promise<void> {
  const resource = ports.resources.get(field.kind);
  if (!resource) throw new Error(`no module declares how a ${field.kind} is found`);
  const unique = [...new Set(ids)];
  const found = new Map((await resource.locate(ctx.db, unique, ctx.caller)).map((located) => [located.id, located]));
  for (const id of unique) {
    if (field.isForItself && found.size > 0 && !found.has(id)) continue;
    await checkLocation(ctx, found.get(id), resource.noun, role);
  }
}

async function checkLocation(
  ctx: Context,
  located: ItemLocation | undefined,
  noun: string,
  role: BrainRole,
): Promise<void> {
  if (!located) throw createNotFoundError(noun);
  if (!located.brainId) return;
  if (!(await ctx.brains()).roles.has(located.brainId)) throw createNotFoundError(noun);
  await checkRole(ctx, located.brainId, role);
}

function createPersonNeededError({ name }: Operation): AppError {
  return new AppError(
    'forbidden',
    `${name} needs a person's authority, and this key has reach brain. Use the console, or a key with reach owner.`,
  );
}

function createScopeError(caller: Caller, operation: Operation, scope: Scope): AppError {
  const { name } = operation;
  if (!listRoleScopes(caller.role).includes(scope))
    return new AppError('forbidden', `${name} needs a workspace administrator. Ask one of them.`, { scope });
  const reason = `${name} needs the scope ${scope}, which this ${describeCaller(caller)} does not have.`;
  const isTheirs = !hasAllOfPerson(caller) && !agentScopes.includes(scope);
  const next = isTheirs ? 'A person can do this in the console, or create a key with this scope.' : '';
  const all = canAskForScopes(caller) && { scopes: [...new Set([...listNeededScopes(operation), scope])] };
  return new AppError('forbidden', `${reason}${next}`, { scope, ...all });
}

function describeCaller(caller: Caller): string {
  return getCallerKind(caller.kind).noun;
}
