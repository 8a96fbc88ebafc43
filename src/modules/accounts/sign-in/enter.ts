// Decides which identity a proved address belongs to, and which workspace the person enters.
import type { Db } from '#kernel/database';
import type { EmitEvent } from '#kernel/event';
import { withWorkspaceBound, withPresentedHashes } from '#platform/database';
import { sql } from 'kysely';
import { endWhatActs, type EndPerson } from '../people/end-membership.ts';
import { addPerson, joinAsInvited, buildNameFromAddress } from '../people/join.ts';
import { hashAddress, hashIdentity } from '../identity-hashes.ts';
import type { EnteredWorkspace } from '../sessions/open-session.ts';
import { removeAuthenticators } from '../store/authenticators.ts';
import {
  listProvedAddresses,
  findIdentity,
  findPresentedIdentity,
  insertAddress,
  insertIdentity,
  removeAddress,
  takeOver,
} from '../store/identities.ts';
import { withdrawInvitationsOfInviter } from '../people/invitations.ts';
import { listInvitingWorkspaceIds } from '../store/invitations.ts';
import {
  changePerson,
  findPersonByIdentity,
  listPeopleByAddress,
  listPeopleByIdentity,
  type PersonRow,
} from '../store/people.ts';
import { findLastWorkspaceId, revokeSessionsOfIdentity } from '../store/sessions.ts';
import { insertWorkspace } from '../store/workspaces.ts';

export type EnterDeps = {
  /** Who may create an identity of their own; see `THALAMUS_SIGN_UP`. */
  maySignUp: (email: string) => boolean;
  at: Date;
  newId: () => string;
  emitEvent: EmitEvent;
  /** Ends things in other modules that act for a person. */
  ends: readonly EndPerson[];
};
export type ProofDeps = Pick<EnterDeps, 'at' | 'newId' | 'ends'>;

/** Shows the rows of these hashes for the rest of a transaction that is bound to no workspace. */
async function present(db: Db, ...hashes: string[]): Promise<void> {
  await sql`select set_config('thalamus.presented_hash', ${hashes.join(',')}, true)`.execute(db);
}

/** Serializes transactions that decide who owns an address. */
async function lockAddressProof(db: Db, email: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`proof ${email.toLowerCase()}`}, 0))`.execute(db);
}

/**
 * The identity for a proved address: the one that proved it before, the known person with it, an invited person, or a
 * new identity where people may sign up. Null: none. The transaction is bound to no workspace, and presents the
 * identity from here on.
 */
export async function findOrCreateProvedIdentity(db: Db, email: string, entering: EnterDeps): Promise<string | null> {
  const hash = hashAddress(email);
  await lockAddressProof(db, email);
  await present(db, hash);
  const known = await findPresentedIdentity(db, hash);
  if (known) {
    await present(db, hash, hashIdentity(known));
    return known;
  }
  const [first] = await listPeopleByAddress(db, hash);
  if (first) {
    await proveAddress(db, { email, identityId: first.identity_id }, entering);
    return first.identity_id;
  }
  const isWelcome = (await listInvitingWorkspaceIds(db, hash)).length > 0 || entering.maySignUp(email);
  if (!isWelcome) return null;
  const id = entering.newId();
  await present(db, hash, hashIdentity(id));
  await insertIdentity(db, { id, name: buildNameFromAddress(email), is_handed_over: false, at: entering.at });
  await insertAddress(db, { email, identityId: id, at: entering.at });
  return id;
}

/**
 * Makes an address the proved address of an identity, and of no other. If one of the identity's people was invited by
 * it, everything that came through a passed-on link ends, because another person may have opened that link. People of
 * other workspaces with the same address join the identity, unless their identity proved another address. An address
 * that another identity has proved stays with that identity.
 */
export async function proveAddress(
  db: Db,
  { email, identityId }: { email: string; identityId: string },
  proving: ProofDeps,
): Promise<void> {
  const hash = hashAddress(email);
  await lockAddressProof(db, email);
  await present(db, hash, hashIdentity(identityId));
  const known = await findPresentedIdentity(db, hash);
  if (known && known !== identityId) return;
  const others = (await listPeopleByAddress(db, hash)).filter(({ identity_id }) => identity_id !== identityId);
  await endIfHandedOver(db, { email, identityId }, proving);
  await insertAddress(db, { email, identityId, at: proving.at });
  for (const other of others) await unite(db, other, identityId, proving);
  await present(db, hash, hashIdentity(identityId));
}

async function unite(db: Db, person: PersonRow, identityId: string, proving: ProofDeps): Promise<void> {
  const { identity_id: before, workspace_id: workspaceId } = person;
  await present(db, hashIdentity(before), hashIdentity(identityId));
  await endIfHandedOver(db, { email: person.email, identityId: before }, proving);
  if (
    (await listProvedAddresses(db, before)).length ||
    (await withWorkspaceBound(db, workspaceId, () => findPersonByIdentity(db, identityId)))
  )
    return;
  await revokeSessionsOfIdentity(db, before, proving.at);
  await withWorkspaceBound(db, workspaceId, () => changePerson(db, person.id, { identity_id: identityId }));
}

/**
 * Ends what a passed-on link brought into an identity, when the owner of the invited address proves it. People with
 * other addresses leave the identity: they belong to the person who opened the link, who could otherwise return with
 * such an address.
 */
async function endIfHandedOver(
  db: Db,
  { email, identityId }: { email: string; identityId: string },
  { at, newId, ends }: ProofDeps,
): Promise<void> {
  if (!(await findIdentity(db, identityId))?.is_handed_over) return;
  const byAddress = Map.groupBy(await listPeopleByIdentity(db, identityId), (person) => person.email.toLowerCase());
  const invited = byAddress.get(email.toLowerCase());
  if (!invited) return;
  await revokeSessionsOfIdentity(db, identityId, at);
  await removeAuthenticators(db, identityId);
  await removeAddress(db, identityId);
  await takeOver(db, identityId);
  for (const { id, workspace_id } of invited)
    await withWorkspaceBound(db, workspace_id, async () => {
      await endWhatActs(db, id, at, ends);
      await withdrawInvitationsOfInviter(db, id);
    });
  byAddress.delete(email.toLowerCase());
  for (const others of byAddress.values()) await moveToNewIdentity(db, others, { id: newId(), at });
}

/** Moves people to a new identity. The next proof of their address signs in to that identity. */
async function moveToNewIdentity(
  db: Db,
  people: readonly PersonRow[],
  { id, at }: { id: string; at: Date },
): Promise<void> {
  const [{ name } = { name: '' }] = people;
  await withPresentedHashes(db, [hashIdentity(id)], () => insertIdentity(db, { id, name, is_handed_over: false, at }));
  for (const person of people)
    await withWorkspaceBound(db, person.workspace_id, () => changePerson(db, person.id, { identity_id: id }));
}

/**
 * The workspace that an identity enters: the named one, otherwise the last used one. An identity in no workspace first
 * joins those that invited its addresses. Any other identity joins through an invitation's link (`joinsNamed`) or a
 * button in the console, so that nobody becomes a member unasked. An identity without a workspace gets its own if it
 * may sign up. Null: none, or not the named one. The transaction presents it.
 */
export async function enter(
  db: Db,
  identityId: string,
  workspaceId: string | undefined,
  entering: EnterDeps,
  joinsNamed = false,
): Promise<EnteredWorkspace | null> {
  const emails = await listProvedAddresses(db, identityId);
  await present(db, hashIdentity(identityId), ...emails.map(hashAddress));
  const before = await listPeopleByIdentity(db, identityId);
  const mayJoin = (inviting: string) =>
    !before.length || (joinsNamed && inviting === workspaceId) || before.some((each) => each.workspace_id === inviting);
  const waiting: string[] = [];
  for (const email of emails)
    for (const inviting of await listInvitingWorkspaceIds(db, hashAddress(email))) {
      if (!mayJoin(inviting)) waiting.push(inviting);
      else
        await withWorkspaceBound(db, inviting, () =>
          joinAsInvited(db, { ...entering, workspaceId: inviting, identityId, email }),
        );
    }
  const people = await listPeopleByIdentity(db, identityId);
  const named = workspaceId && waiting.includes(workspaceId) ? undefined : workspaceId;
  const last = named ?? (await findLastWorkspaceId(db, identityId));
  const person = people.find((each) => each.workspace_id === last) ?? (named ? undefined : people[0]);
  if (person) return { identityId, personId: person.id, workspaceId: person.workspace_id };
  const [email] = emails;
  if (named || people.length || !email || !entering.maySignUp(email)) return null;
  return createOwnedWorkspace(db, { identityId, email, name: buildNameFromAddress(email) }, entering);
}

/** Creates a workspace that an identity owns. */
export async function createOwnedWorkspace(
  db: Db,
  owner: { identityId: string; email: string; name: string; workspaceName?: string },
  { at, newId }: Pick<EnterDeps, 'at' | 'newId'>,
): Promise<EnteredWorkspace> {
  const { identityId, email, name, workspaceName = `${name}'s workspace` } = owner;
  const workspaceId = newId();
  const personId = await withWorkspaceBound(db, workspaceId, async () => {
    await insertWorkspace(db, { id: workspaceId, name: workspaceName, at });
    return addPerson(db, { workspaceId, identityId, email, at, newId }, 'owner', name);
  });
  return { identityId, personId, workspaceId };
}
