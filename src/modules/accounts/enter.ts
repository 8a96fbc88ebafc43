// Decides which identity a proved address belongs to, and which workspace the person enters.
import type { Db } from '#kernel/database';
import type { Tell } from '#kernel/event';
import { inWorkspace, presenting } from '#platform/database';
import { sql } from 'kysely';
import { endWhatActs, type EndPerson } from './end-membership.ts';
import { addPerson, joinAsInvited, nameOf } from './join.ts';
import { addressHash, identityHash } from './identity-hashes.ts';
import { removeAllOf } from './store/authenticators.ts';
import {
  addressesOf,
  findIdentity,
  identityByAddress,
  insertAddress,
  insertIdentity,
  removeAddress,
  takeOver,
} from './store/identities.ts';
import { withdrawInvitationsBy } from './invitations.ts';
import { workspacesInviting } from './store/invitations.ts';
import { changePerson, findPersonOf, peopleByAddress, peopleOfIdentity, type PersonRow } from './store/people.ts';
import { lastWorkspaceOf, revokeSessionsOfIdentity } from './store/sessions.ts';
import { insertWorkspace } from './store/workspaces.ts';

export type EnterDeps = {
  /** Who may create their own identity; see `THALAMUS_SIGN_UP`. */
  maySignUp: (email: string) => boolean;
  at: Date;
  newId: () => string;
  tell: Tell;
  /** What other modules keep that acts for a person. */
  ends: readonly EndPerson[];
};
export type Proving = Pick<EnterDeps, 'at' | 'newId' | 'ends'>;

/** The workspace that an identity enters. */
export type Entered = { identityId: string; personId: string; workspaceId: string };

/** Shows the rows of these hashes for the rest of a transaction that is bound to no workspace. */
async function present(db: Db, ...hashes: string[]): Promise<void> {
  await sql`select set_config('thalamus.presented_hash', ${hashes.join(',')}, true)`.execute(db);
}

/** Lets one transaction at a time settle whose an address is. */
async function holdProof(db: Db, email: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`proof ${email.toLowerCase()}`}, 0))`.execute(db);
}

/**
 * The identity for a proved address: the one that proved it before, the known person with it, an invited person, or a
 * new identity where people may sign up. Null: none. The transaction is bound to no workspace, and presents the
 * identity from here on.
 */
export async function identityOfProved(db: Db, email: string, entering: EnterDeps): Promise<string | null> {
  const hash = addressHash(email);
  await holdProof(db, email);
  await present(db, hash);
  const known = await identityByAddress(db, hash);
  if (known) {
    await present(db, hash, identityHash(known));
    return known;
  }
  const [first] = await peopleByAddress(db, hash);
  if (first) {
    await proveAddress(db, { email, identityId: first.identity_id }, entering);
    return first.identity_id;
  }
  const isWelcome = (await workspacesInviting(db, hash)).length > 0 || entering.maySignUp(email);
  if (!isWelcome) return null;
  const id = entering.newId();
  await present(db, hash, identityHash(id));
  await insertIdentity(db, { id, name: nameOf(email), is_handed_over: false, at: entering.at });
  await insertAddress(db, { email, identityId: id, at: entering.at });
  return id;
}

/**
 * Makes an address the proved one of an identity, and of no other. If one of the identity's people was invited by it,
 * everything that came with a passed-on link is ended: another person may have opened that link. People of other
 * workspaces with the same address join the identity, unless their identity proved another address. An address that
 * another identity has proved stays with that identity.
 */
export async function proveAddress(
  db: Db,
  { email, identityId }: { email: string; identityId: string },
  proving: Proving,
): Promise<void> {
  const hash = addressHash(email);
  await holdProof(db, email);
  await present(db, hash, identityHash(identityId));
  const known = await identityByAddress(db, hash);
  if (known && known !== identityId) return;
  const others = (await peopleByAddress(db, hash)).filter(({ identity_id }) => identity_id !== identityId);
  await endIfHandedOver(db, { email, identityId }, proving);
  await insertAddress(db, { email, identityId, at: proving.at });
  for (const other of others) await unite(db, other, identityId, proving);
  await present(db, hash, identityHash(identityId));
}

async function unite(db: Db, person: PersonRow, identityId: string, proving: Proving): Promise<void> {
  const { identity_id: before, workspace_id: workspaceId } = person;
  await present(db, identityHash(before), identityHash(identityId));
  await endIfHandedOver(db, { email: person.email, identityId: before }, proving);
  if (
    (await addressesOf(db, before)).length ||
    (await inWorkspace(db, workspaceId, () => findPersonOf(db, identityId)))
  )
    return;
  await revokeSessionsOfIdentity(db, before, proving.at);
  await inWorkspace(db, workspaceId, () => changePerson(db, person.id, { identity_id: identityId }));
}

/**
 * Ends what a passed-on link brought into an identity, when the owner of the invited address proves it. People with other
 * addresses leave the identity: they belong to the opener of the link, who could come back by such an address.
 */
async function endIfHandedOver(
  db: Db,
  { email, identityId }: { email: string; identityId: string },
  { at, newId, ends }: Proving,
): Promise<void> {
  if (!(await findIdentity(db, identityId))?.is_handed_over) return;
  const byAddress = Map.groupBy(await peopleOfIdentity(db, identityId), (person) => person.email.toLowerCase());
  const invited = byAddress.get(email.toLowerCase());
  if (!invited) return;
  await revokeSessionsOfIdentity(db, identityId, at);
  await removeAllOf(db, identityId);
  await removeAddress(db, identityId);
  await takeOver(db, identityId);
  for (const { id, workspace_id } of invited)
    await inWorkspace(db, workspace_id, async () => {
      await endWhatActs(db, id, at, ends);
      await withdrawInvitationsBy(db, id);
    });
  byAddress.delete(email.toLowerCase());
  for (const others of byAddress.values()) await moveToNewIdentity(db, others, { id: newId(), at });
}

/** Moves people to a new identity. The next proof of their address signs in to that one. */
async function moveToNewIdentity(
  db: Db,
  people: readonly PersonRow[],
  { id, at }: { id: string; at: Date },
): Promise<void> {
  const [{ name } = { name: '' }] = people;
  await presenting(db, [identityHash(id)], () => insertIdentity(db, { id, name, is_handed_over: false, at }));
  for (const person of people)
    await inWorkspace(db, person.workspace_id, () => changePerson(db, person.id, { identity_id: id }));
}

/**
 * The workspace that an identity enters: the named one, otherwise the last used one. An identity that is in no workspace
 * first joins those that invited its addresses; any other joins by the link of an invitation (`joinsNamed`) or by a press in
 * the console, so that nobody becomes a member unasked. An identity without a workspace gets its own if it may sign up.
 * Null: none, or not the named one. The transaction presents it.
 */
export async function enter(
  db: Db,
  identityId: string,
  workspaceId: string | undefined,
  entering: EnterDeps,
  joinsNamed = false,
): Promise<Entered | null> {
  const emails = await addressesOf(db, identityId);
  await present(db, identityHash(identityId), ...emails.map(addressHash));
  const before = await peopleOfIdentity(db, identityId);
  const mayJoin = (inviting: string) =>
    !before.length || (joinsNamed && inviting === workspaceId) || before.some((each) => each.workspace_id === inviting);
  const waiting: string[] = [];
  for (const email of emails)
    for (const inviting of await workspacesInviting(db, addressHash(email))) {
      if (!mayJoin(inviting)) waiting.push(inviting);
      else
        await inWorkspace(db, inviting, () =>
          joinAsInvited(db, { ...entering, workspaceId: inviting, identityId, email }),
        );
    }
  const people = await peopleOfIdentity(db, identityId);
  const named = workspaceId && waiting.includes(workspaceId) ? undefined : workspaceId;
  const last = named ?? (await lastWorkspaceOf(db, identityId));
  const person = people.find((each) => each.workspace_id === last) ?? (named ? undefined : people[0]);
  if (person) return { identityId, personId: person.id, workspaceId: person.workspace_id };
  const [email] = emails;
  if (named || people.length || !email || !entering.maySignUp(email)) return null;
  return found(db, { identityId, email, name: nameOf(email) }, entering);
}

/** Makes a workspace that an identity owns. */
export async function found(
  db: Db,
  owner: { identityId: string; email: string; name: string; workspaceName?: string },
  { at, newId }: Pick<EnterDeps, 'at' | 'newId'>,
): Promise<Entered> {
  const { identityId, email, name, workspaceName = `${name}'s workspace` } = owner;
  const workspaceId = newId();
  const personId = await inWorkspace(db, workspaceId, async () => {
    await insertWorkspace(db, { id: workspaceId, name: workspaceName, at });
    return addPerson(db, { workspaceId, identityId, email, at, newId }, 'owner', name);
  });
  return { identityId, personId, workspaceId };
}
