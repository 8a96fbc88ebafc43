import type { Db } from '#kernel/database';
import { presenting } from '#platform/database';
import { addressHash } from './identity-hashes.ts';
import { identityByAddress } from './store/identities.ts';

/** The identity that has proved an address, visible for this query only. */
export function presentedAddress(db: Db, email: string): Promise<string | undefined> {
  const hash = addressHash(email);
  return presenting(db, [hash], () => identityByAddress(db, hash));
}
