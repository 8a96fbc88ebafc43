// Identities are found as keys are: a transaction presents a hash, and row level security shows what belongs to it (decision 13).
import { createHash } from 'node:crypto';

/** What a transaction presents to work as an identity; `hash_of_id` of the database. */
export function identityHash(id: string): string {
  return createHash('sha256')
    .update(Buffer.from(id.replaceAll('-', ''), 'hex'))
    .digest('hex');
}

/** What a transaction presents to see who has an address; `hash_of_address` of the database. */
export function addressHash(email: string): string {
  return createHash('sha256').update(`address ${email.toLowerCase()}`).digest('hex');
}
