// Identities are found like keys: a transaction presents a hash, and row level security shows its rows (decision 13).
import { createHash } from 'node:crypto';

/** The hash that a transaction presents to work as an identity; `hash_of_id` of the database. */
export function hashIdentity(id: string): string {
  return createHash('sha256')
    .update(Buffer.from(id.replaceAll('-', ''), 'hex'))
    .digest('hex');
}

/** The hash that a transaction presents to find the owner of an address; `hash_of_address` of the database. */
export function hashAddress(email: string): string {
  return createHash('sha256').update(`address ${email.toLowerCase()}`).digest('hex');
}
