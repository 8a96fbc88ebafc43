// When a key is revoked, everything that it created ends, because a thief of the key may have it. Expiry and rotation
// end nothing.
import type { Context } from '#kernel/context';
import { AppError } from '#kernel/errors';
import type { Module } from '#kernel/module';
import type { Ground } from '#platform';
import { withVisibleUninstalled } from '#platform/database';
import { endMembership, type EndPerson } from '../people/end-membership.ts';
import { withdrawInvitationsOfKeys } from '../people/invitations.ts';
import { checkAdministers, checkNotOwner } from '../people/roles.ts';
import { listDerivedKeyIds, revokeKey } from '../store/keys.ts';
import { findOwner, listPeopleOfKeys, type Person } from '../store/people.ts';
import { revokeSessionsOfKeys } from '../store/sessions.ts';
import { dropLinksOfKeys } from '../store/sign-in-links.ts';
import { lockPeople } from '../store/workspaces.ts';

/** Ends what these keys created in another module. Returns how many items that were, by plural noun. */
export type EndKeys = NonNullable<Module<Ground>['endKeys']>;

export function listKeyEnders(modules: readonly Module<Ground>[]): readonly EndKeys[] {
  return modules.flatMap(({ endKeys }) => endKeys ?? []);
}

/** How much ended with a key, and who joined through it and is still there. */
export type EndedWithKey = { counts: Record<string, number>; people: Person[] };

/** Revokes a key, the keys that it created, and so on, with everything that they created except people. */
export async function endKey(ctx: Context, keyId: string, ends: readonly EndKeys[]): Promise<EndedWithKey> {
  const { db, now: at } = ctx;
  const ids = await listDerivedKeyIds(db, keyId);
  for (const id of ids) await revokeKey(db, id, at);
  await dropLinksOfKeys(db, ids);
  const counts: Record<string, number> = {
    keys: ids.length - 1,
    sessions: await revokeSessionsOfKeys(db, ids, at),
    invitations: await withdrawInvitationsOfKeys(db, ids),
  };
  // What was uninstalled can come back, so it ends, too.
  await withVisibleUninstalled(db, async () => {
    for (const end of ends) Object.assign(counts, await end(db, ids, at));
  });
  return { counts, people: await listPeopleOfKeys(db, ids) };
}

/** Removes people who joined through a key. Throws unless the caller may remove each of them. */
export async function removeJoined(
  ctx: Context,
  { personIds, joined, ends }: { personIds: readonly string[]; joined: readonly Person[]; ends: readonly EndPerson[] },
): Promise<void> {
  if (!personIds.length) return;
  checkAdministers(ctx);
  if (!ctx.caller.scopes.has('workspace:admin'))
    throw new AppError('forbidden', 'Removing people needs the scope workspace:admin.');
  await lockPeople(ctx.db);
  const owner = await findOwner(ctx.db);
  for (const personId of personIds) {
    const person = joined.find(({ id }) => id === personId);
    if (!person || !owner)
      throw new AppError('conflict', 'This person did not join through the key. Use remove_person.');
    if (personId === ctx.caller.personId) throw new AppError('conflict', 'This is you. Leave yourself out.');
    checkNotOwner(person);
    await endMembership(ctx, { personId, heirId: owner.id, ends });
  }
}
