// How somebody who was invited becomes a person of the workspace.
import type { Db } from '#kernel/database';
import { AppError } from '#kernel/errors';
import { acceptInvitations, createPersonalBrain, holdAddress } from '#modules/brains';
import { findPersonByEmail, insertPerson } from './store/people.ts';

/** What to make of a link for an address: it was mailed there, or handed over by somebody else. */
export type Joining = { workspaceId: string; email: string; mailed: boolean; at: Date; newId: () => string };

/**
 * The person a link's address is of. Who is not here yet becomes one, with a personal brain and the roles they were invited
 * to, all in the transaction that uses the link up. Throws when there is no invitation any more, and when a link that was
 * handed over is used after they joined: whoever made it must not sign in as them.
 */
export async function joinByInvitation(db: Db, joining: Joining): Promise<string> {
  const { workspaceId, email, mailed, at, newId } = joining;
  const [id, brainId] = [newId(), newId()];
  const name = nameOf(email);
  await holdAddress(db, email);
  if (!(await findPersonByEmail(db, email))) {
    const isNew = await insertPerson(db, { id, name, email, role: 'member', workspaceId, at });
    if (isNew) {
      await createPersonalBrain(db, { workspaceId, personId: id, name, brainId, at });
      if (!(await acceptInvitations(db, { id, email, at })).length) throw withdrawn();
      return id;
    }
  }
  const person = await findPersonByEmail(db, email);
  if (person && mailed) {
    await acceptInvitations(db, { id: person.id, email, at });
    return person.id;
  }
  throw new AppError('unauthenticated', 'Somebody joined with this address already. Sign in as you did before.');
}

/** `grace.hopper@…` is called Grace Hopper until they say otherwise. */
function nameOf(email: string): string {
  const words = email
    .slice(0, email.indexOf('@'))
    .split(/[._-]+/)
    .filter(Boolean);
  return words.map((word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`).join(' ') || email;
}

function withdrawn(): AppError {
  return new AppError('unauthenticated', 'This invitation was withdrawn. Ask whoever invited you for a new one.');
}
