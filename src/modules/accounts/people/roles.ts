// Checks who may change people and their roles.
import { isAtConsole } from '#kernel/caller';
import type { Context } from '#kernel/context';
import { AppError } from '#kernel/errors';
import { checkFresh, checkFreshPerson } from '../sessions/human.ts';
import type { Person } from '../store/people.ts';

/** Throws unless the caller's person owns the workspace. */
export function checkOwner({ caller }: Context): void {
  if (caller.role !== 'owner') throw new AppError('forbidden', 'Only the owner of the workspace may do this.');
}

/** Throws unless the caller's person administers the workspace. */
export function checkAdministers({ caller }: Context): void {
  if (caller.role === 'member')
    throw new AppError('forbidden', 'Only administrators of the workspace may do this. Ask one of them.');
}

/** Throws for the owner, whose role only the owner can transfer. */
export function checkNotOwner(person: Person): void {
  if (person.role !== 'owner') return;
  throw new AppError('conflict', 'A workspace must have an owner. The owner first hands it over to somebody else.');
}

/** Throws unless the caller may grant this role: only a person at the console with a fresh proof can make admins. */
export async function checkMayGiveRole(ctx: Context, role: 'admin' | 'member'): Promise<void> {
  if (role === 'member') return checkFreshPerson(ctx);
  if (isAtConsole(ctx.caller)) return checkFresh(ctx);
  throw new AppError(
    'forbidden',
    'Only a person at the console can make an admin, under People. Ask an administrator of the workspace, or choose the role member.',
  );
}
