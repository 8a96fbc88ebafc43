// Reads a caller again in the transaction that widens somebody's access: authentication is cached for a second.
import type { Caller } from '#kernel/caller';
import type { Db } from '#kernel/database';
import { AppError } from '#kernel/errors';
import { ownCredentials, type Credentials } from './authenticate.ts';
import { lockPerson, personRoles } from './store/people.ts';

/**
 * Creates the check for callers of widening operations. It throws for a removed person, a lower role and an ended
 * credential, and locks their rows: a call that ends them waits for the transaction, and then sees what it stored.
 */
export function createLockCaller({ others, now }: { others: Credentials; now: () => Date }) {
  const credentials = { ...ownCredentials, ...others };
  return async function lockCaller(db: Db, caller: Caller): Promise<void> {
    const { id, personId, role } = caller;
    const person = await lockPerson(db, personId);
    if (!person) throw new AppError('unauthenticated', 'You are not in this workspace any more.');
    if (personRoles.indexOf(person.role) < personRoles.indexOf(role))
      throw new AppError('forbidden', `You are ${person.role} in this workspace now. Ask an administrator.`);
    const isInForce = (await credentials[caller.kind]?.lockInForce?.(db, id, now())) ?? true;
    if (!isInForce) throw new AppError('unauthenticated', 'This key or session was just ended. Sign in again.');
  };
}
