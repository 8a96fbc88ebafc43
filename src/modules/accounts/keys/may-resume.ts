import { isAtConsole, type Caller } from '#kernel/caller';
import { AppError } from '#kernel/errors';
import type { Scope } from '#kernel/scopes';

/**
 * Throws unless the caller may resume this credential: a person at the console, or a caller that has all its scopes and its
 * reach. A pause by a person is not undone by a weaker key.
 */
export function checkMayResume(caller: Caller, paused: { scopes: readonly Scope[]; reach: Caller['reach'] }): void {
  if (isAtConsole(caller)) return;
  const missing = paused.scopes.filter((scope) => !caller.scopes.has(scope));
  if (!missing.length && (caller.reach === 'owner' || paused.reach === 'brain')) return;
  throw new AppError(
    'forbidden',
    'Only a person at the console resumes this, or a key that may do at least as much. Resume it under Agents.',
    { missing },
  );
}
