// Makes an invited person a person of a workspace.
import type { Db } from '#kernel/database';
import { AppError } from '#kernel/errors';
import type { EmitEvent } from '#kernel/event';
import { toPrintable } from '#kernel/printable';
import { acceptInvitations, createPersonalBrain, lockAddress } from '#modules/brains';
import { withPresentedHashes } from '#platform/database';
import { peopleChanged } from '../events.ts';
import { findIdentityByAddress } from './find-identity-by-address.ts';
import { hashIdentity } from '../identity-hashes.ts';
import { insertIdentity } from '../store/identities.ts';
import { computeInvitedRole } from './invitations.ts';
import { dropInvitation, findKeyOfInvitation } from '../store/invitations.ts';
import {
  changePerson,
  findPersonByEmail,
  findPersonByIdentity,
  insertPerson,
  type PersonRole,
} from '../store/people.ts';

/** The identity that joins the bound workspace, and its address. */
export type JoinInput = { workspaceId: string; identityId: string; email: string; at: Date; newId: () => string };
type EventDeps = { emitEvent: EmitEvent };

/**
 * Makes an identity a person of the bound workspace if one of its addresses is invited there, with a personal brain and
 * the invited roles. A removed person becomes the same person again. Returns the person; null: the identity is neither
 * invited nor a member.
 */
export async function joinAsInvited(db: Db, joining: JoinInput & EventDeps): Promise<string | null> {
  const { identityId, email, at } = joining;
  await lockAddress(db, email);
  const role = await computeInvitedRole(db, email);
  const person = await findPersonByIdentity(db, identityId);
  if (person && !person.removed_at) {
    await acceptAll(db, { id: person.id, email, at });
    return person.id;
  }
  if (!role || (await findPersonByEmail(db, email))) return null;
  if (person) {
    const made_by_key = await findKeyOfInvitation(db, email);
    await changePerson(db, person.id, { removed_at: null, role, email, made_by_key });
    await acceptAll(db, { id: person.id, email, at });
    await emitJoined(db, joining, person.id);
    return person.id;
  }
  const id = await addPerson(db, joining, role);
  await acceptAll(db, { id, email, at });
  await emitJoined(db, joining, id);
  return id;
}

/** Adds an identity to the bound workspace with its own brain. Throws when another person has the address there. */
export async function addPerson(db: Db, joining: JoinInput, role: PersonRole, name?: string): Promise<string> {
  const { workspaceId, identityId, email, at, newId } = joining;
  const [id, brainId, called] = [newId(), newId(), name ?? buildNameFromAddress(email)];
  const madeByKey = await findKeyOfInvitation(db, email);
  const isNew = await insertPerson(db, { id, name: called, email, role, workspaceId, identityId, madeByKey, at });
  if (!isNew) throw createAddressJoinedError();
  await createPersonalBrain(db, { workspaceId, personId: id, name: called, brainId, at });
  return id;
}

/**
 * The person who joins by a passed-on link: a new identity, because the link proves no address. Throws without an
 * invitation, and when a person already has the address: the creator of the link must not sign in as them.
 */
export async function joinByHandedLink(db: Db, joining: Omit<JoinInput, 'identityId'> & EventDeps): Promise<JoinedBy> {
  const { email, at, newId } = joining;
  await lockAddress(db, email);
  if (await findPersonByEmail(db, email)) throw createAddressJoinedError();
  const role = await computeInvitedRole(db, email);
  if (!role) throw createInvitationWithdrawnError();
  if (await findIdentityByAddress(db, email)) throw createKnownElsewhereError();
  const identityId = newId();
  const name = buildNameFromAddress(email);
  await withPresentedHashes(db, [hashIdentity(identityId)], () =>
    insertIdentity(db, { id: identityId, name, is_handed_over: true, at }),
  );
  const id = await addPerson(db, { ...joining, identityId }, role, name);
  await acceptAll(db, { id, email, at });
  await emitJoined(db, joining, id);
  return { personId: id, identityId };
}

/** Somebody who is signed in elsewhere on this server, with the address of their person there. */
export type SignedInIdentity = { identityId: string; email: string };

/**
 * The person who joins by a passed-on link and is already signed in: the same identity, with its own address. The link
 * does not give them the invited address, because its later owner must not sign in as them.
 */
export async function joinWithIdentity(
  db: Db,
  joining: Omit<JoinInput, 'identityId'> & EventDeps,
  known: SignedInIdentity,
): Promise<JoinedBy> {
  const { email: invited, at } = joining;
  const { identityId, email } = known;
  await lockAddress(db, invited);
  const role = await computeInvitedRole(db, invited);
  if (!role) throw createInvitationWithdrawnError();
  const person = await findPersonByIdentity(db, identityId);
  if (person && !person.removed_at) throw createAlreadyMemberError();
  const made_by_key = await findKeyOfInvitation(db, invited);
  if (person) await changePerson(db, person.id, { removed_at: null, role, made_by_key });
  const id = person?.id ?? (await addPerson(db, { ...joining, identityId, email }, role));
  if (!person) await changePerson(db, id, { made_by_key });
  await acceptInvitations(db, { id, email: invited, at });
  await dropInvitation(db, invited);
  await emitJoined(db, joining, id);
  return { personId: id, identityId };
}

function createAlreadyMemberError(): AppError {
  const message = 'You are in this workspace already. Give this link to the person who was invited.';
  return new AppError('unauthenticated', message);
}

function emitJoined(
  db: Db,
  { emitEvent, workspaceId, at, newId }: Omit<JoinInput, 'identityId'> & EventDeps,
  id: string,
) {
  return emitEvent(db, peopleChanged({ person_id: id }), { id: newId(), workspaceId, at });
}

export type JoinedBy = { personId: string; identityId: string };

async function acceptAll(db: Db, person: { id: string; email: string; at: Date }): Promise<void> {
  await acceptInvitations(db, person);
  await dropInvitation(db, person.email);
}

/** `grace.hopper@…` becomes the name Grace Hopper until the person changes it. */
export function buildNameFromAddress(email: string): string {
  const words = email
    .slice(0, email.indexOf('@'))
    .split(/[._-]+/)
    .filter(Boolean);
  return toPrintable(words.map((word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`).join(' ') || email);
}

function createInvitationWithdrawnError(): AppError {
  return new AppError('unauthenticated', 'This invitation was withdrawn. Ask for a new one.');
}

function createAddressJoinedError(): AppError {
  return new AppError('unauthenticated', 'Somebody joined with this address already. Sign in as you did before.');
}

function createKnownElsewhereError(): AppError {
  return new AppError(
    'unauthenticated',
    'Somebody signs in to this server with this address already. Sign in as you did before to accept the invitation.',
  );
}
