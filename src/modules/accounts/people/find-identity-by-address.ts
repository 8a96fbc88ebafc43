import type { Db } from '#kernel/database';
import { withPresentedHashes } from '#platform/database';
import { hashAddress } from '../identity-hashes.ts';
import { findPresentedIdentity } from '../store/identities.ts';

/** The identity that has proved an address, visible for this query only. */
export function findIdentityByAddress(db: Db, email: string): Promise<string | undefined> {
  const hash = hashAddress(email);
  return withPresentedHashes(db, [hash], () => findPresentedIdentity(db, hash));
}
