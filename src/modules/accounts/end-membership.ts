// Ends a person's membership in a workspace: nothing acts for them there any more, and their stored items keep their
// name.
import type { Context } from '#kernel/context';
import { releaseBrainsOf } from '#modules/brains';
import { peopleChanged, personRemoved } from './events.ts';
import { revokeKeysOfPerson } from './store/keys.ts';
import { changePerson } from './store/people.ts';
import { dropLinksOfPerson, revokeSessionsOfPerson } from './store/sessions.ts';

/** Ends a person's sessions, keys, links and roles in the workspace; brains that they own go to `heirId`. */
export async function endMembership(ctx: Context, personId: string, heirId: string): Promise<void> {
  const { db, now: at } = ctx;
  await changePerson(db, personId, { removed_at: at, role: 'member' });
  await revokeSessionsOfPerson(db, personId, at);
  await revokeKeysOfPerson(db, personId, at);
  await dropLinksOfPerson(db, personId);
  await releaseBrainsOf(db, { personId, heirId, at });
  await ctx.emit(personRemoved({ person_id: personId }));
  await ctx.emit(peopleChanged({ person_id: personId }));
}
