// Ends a person's membership in a workspace: nothing acts for them there any more. Items that they stored keep their
// name.
import type { Context } from '#kernel/context';
import type { Db } from '#kernel/database';
import type { Module } from '#kernel/module';
import { transferPersonBrains } from '#modules/brains';
import type { Ground } from '#platform';
import { withVisibleUninstalled } from '#platform/database';
import { peopleChanged } from '../events.ts';
import { withdrawPersonAddresses, withdrawInvitationsOfInviter } from './invitations.ts';
import { revokeKeysOfPerson } from '../store/keys.ts';
import { dropPendingSignIns } from '../store/pending.ts';
import { changePerson } from '../store/people.ts';
import { revokeSessionsOfPerson } from '../store/sessions.ts';
import { dropLinksOfPerson } from '../store/sign-in-links.ts';

/** Ends things in other modules that act for a person. */
export type EndPerson = (db: Db, personId: string, at: Date) => Promise<void>;

export function listPersonEnders(modules: readonly Module<Ground>[]): readonly EndPerson[] {
  return modules.flatMap(({ endPerson }) => endPerson ?? []);
}

/** Ends a person's sessions, keys, links and everything in other modules that acts for them, in the bound workspace. */
export async function endWhatActs(db: Db, personId: string, at: Date, ends: readonly EndPerson[]): Promise<void> {
  await revokeSessionsOfPerson(db, personId, at);
  await revokeKeysOfPerson(db, personId, at);
  await dropLinksOfPerson(db, personId);
  await dropPendingSignIns(db, personId);
  // What was uninstalled can come back, so it ends, too.
  await withVisibleUninstalled(db, async () => {
    for (const end of ends) await end(db, personId, at);
  });
}

/**
 * Ends a person's sessions, keys, links, roles, invitations and what other modules have for them. Brains that they own
 * go to `heirId`.
 */
export async function endMembership(
  ctx: Context,
  { personId, heirId, ends }: { personId: string; heirId: string; ends: readonly EndPerson[] },
): Promise<void> {
  const { db, now: at } = ctx;
  await changePerson(db, personId, { removed_at: at, role: 'member' });
  await endWhatActs(db, personId, at, ends);
  await withdrawInvitationsOfInviter(db, personId);
  await withdrawPersonAddresses(db, personId);
  await transferPersonBrains(db, { personId, heirId, at });
  await ctx.emit(peopleChanged({ person_id: personId }));
}
