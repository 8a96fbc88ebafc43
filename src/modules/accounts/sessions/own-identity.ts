// Work of a person at the console on their own identity.
import type { Context } from '#kernel/context';
import { withPresentedHashes } from '#platform/database';
import { hashIdentity } from '../identity-hashes.ts';
import { readIdentityId } from '../store/people.ts';

/** Runs with the rows of the caller's identity visible. */
export async function withOwnIdentity<T>(
  { db, caller }: Context,
  work: (identityId: string) => Promise<T>,
): Promise<T> {
  const identityId = await readIdentityId(db, caller.personId);
  return withPresentedHashes(db, [hashIdentity(identityId)], () => work(identityId));
}
