// The key with which a caller came in, for things that must end with it.
import { findOwnId } from '#kernel/caller';
import type { Context } from '#kernel/context';
import { findKeyExpiry } from './store/keys.ts';
import { findSessionKeyId } from './store/sessions.ts';

/** The key that calls, or that opened the calling session; null for a person who signed in otherwise. */
export async function findCallerKeyId({ db, caller }: Context): Promise<string | null> {
  const sessionId = findOwnId(caller, 'session');
  return sessionId === null ? findOwnId(caller, 'key') : findSessionKeyId(db, sessionId);
}

/**
 * When the key behind a caller expires: keys that it creates expire then, too. Null: there is no key, or it does not
 * expire.
 */
export async function findCallerKeyExpiry(ctx: Context): Promise<Date | null> {
  const key = await findCallerKeyId(ctx);
  return key === null ? null : findKeyExpiry(ctx.db, key);
}
