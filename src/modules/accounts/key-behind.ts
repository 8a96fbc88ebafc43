// The key by which a caller came in, for what must not outlive it.
import { findOwnId } from '#kernel/caller';
import type { Context } from '#kernel/context';
import { expiryOfKey } from './store/keys.ts';
import { keyBehindSession } from './store/sessions.ts';

/** The key that calls, or that opened the session which calls; null for a person who signed in otherwise. */
export async function keyBehind({ db, caller }: Context): Promise<string | null> {
  const sessionId = findOwnId(caller, 'session');
  return sessionId === null ? findOwnId(caller, 'key') : keyBehindSession(db, sessionId);
}

/** When the key behind a caller ends: a key that it makes lives no longer. Null: there is none, or it does not end. */
export async function expiryBehind(ctx: Context): Promise<Date | null> {
  const key = await keyBehind(ctx);
  return key === null ? null : expiryOfKey(ctx.db, key);
}
