// The key by which a caller came in, for what must not outlive it.
import { findOwnId } from '#kernel/caller';
import type { Context } from '#kernel/context';
import { findKeyExpiry } from './store/keys.ts';
import { findSessionKeyId } from './store/sessions.ts';

/** The key that calls, or that opened the session which calls; null for a person who signed in otherwise. */
export async function findCallerKeyId({ db, caller }: Context): Promise<string | null> {
  const sessionId = findOwnId(caller, 'session');
  return sessionId === null ? findOwnId(caller, 'key') : findSessionKeyId(db, sessionId);
}

/** When the key behind a caller ends: a key that it makes lives no longer. Null: there is none, or it does not end. */
export async function findCallerKeyExpiry(ctx: Context): Promise<Date | null> {
  const key = await findCallerKeyId(ctx);
  return key === null ? null : findKeyExpiry(ctx.db, key);
}
