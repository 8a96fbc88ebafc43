import { isAtConsole, type Caller } from '#kernel/caller';
import { AppError } from '#kernel/errors';
import type { Scope } from '#kernel/scopes';

/**
 * Throws unless the caller may resume this credential: a person at the console, or a caller with all its scopes and its
 * reach. A weaker key cannot undo a person's pause.
 */
export function checkMayResume(caller: Caller, paused: { scopes: readonly Scope[]; reach: Caller['reach'] }): void {
  if (isAtConsole(caller)) return;
  const missing = paused.scopes.filter((scope) => !caller.scopes.has(scope));
  if (!missing.length && (caller.reach === 'owner' || paused.reach === 'brain')) return;
  throw new AppError(
    'forbidden',
    'Only a person at the console can resume this, or a key with at least the same rights. Resume it under Agents.',
    { missing },
  );
}
