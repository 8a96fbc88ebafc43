// Work of a person at the console on what their identity has.
import type { Context } from '#kernel/context';
import { presenting } from '#platform/database';
import { identityHash } from './identity-hashes.ts';
import { identityOf } from './store/people.ts';

/** Runs with the rows of the caller's identity visible. */
export async function asOwnIdentity<T>({ db, caller }: Context, work: (identityId: string) => Promise<T>): Promise<T> {
  const identityId = await identityOf(db, caller.personId);
  return presenting(db, [identityHash(identityId)], () => work(identityId));
}
