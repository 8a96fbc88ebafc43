// What an invitation currently grants, and how invitations end whose inviter may not invite any more.
import type { Db } from '#kernel/database';
import {
  dropSentBrainInvitations,
  dropBrainInvitationsOfKeys,
  dropBrainInvitations,
  findInvitedBrains,
  noteKeyOfBrainInvitations,
} from '#modules/brains';
import { withPresentedHashes } from '#platform/database';
import { hashIdentity } from '../identity-hashes.ts';
import { listProvedAddresses } from '../store/identities.ts';
import {
  dropAdminInvitations,
  dropInvitation,
  dropInvitationsOfInviter,
  dropInvitationsOfKeys,
  findInvitedRole,
  noteKeyOfInvitation,
  type InvitedRole,
} from '../store/invitations.ts';
import { readIdentityId } from '../store/people.ts';
import { dropLinksOfAddress } from '../store/sign-in-links.ts';

/**
 * The role with which an address joins the bound workspace: the invited role, limited by what the inviter may grant
 * now. Null: it is not invited.
 */
export async function computeInvitedRole(db: Db, email: string): Promise<InvitedRole | null> {
  return (await findInvitedRole(db, email)) ?? ((await findInvitedBrains(db, email)).length ? 'member' : null);
}

/** Withdraws an address from the bound workspace: its invitations and its links end. */
export async function withdrawAddress(db: Db, email: string): Promise<void> {
  await dropInvitation(db, email);
  await dropBrainInvitations(db, email);
  await dropLinksOfAddress(db, email);
}

/** Withdraws a person's invitations with their links: the holders of the links may be that person. */
export async function withdrawInvitationsOfInviter(db: Db, personId: string): Promise<void> {
  const emails = [...(await dropInvitationsOfInviter(db, personId)), ...(await dropSentBrainInvitations(db, personId))];
  for (const email of emails) await dropLinksOfAddress(db, email);
}

/** The same for invitations by keys. Returns how many addresses were invited. */
export async function withdrawInvitationsOfKeys(db: Db, keyIds: readonly string[]): Promise<number> {
  const emails = new Set([
    ...(await dropInvitationsOfKeys(db, keyIds)),
    ...(await dropBrainInvitationsOfKeys(db, keyIds)),
  ]);
  for (const email of emails) await dropLinksOfAddress(db, email);
  return emails.size;
}

/** The same, only for invitations of admins, when their inviter is no longer one. */
export async function withdrawAdminInvitations(db: Db, personId: string): Promise<void> {
  for (const email of await dropAdminInvitations(db, personId)) await dropLinksOfAddress(db, email);
}

/** Withdraws the addresses of a removed person: an open invitation of another address would bring them back. */
export async function withdrawPersonAddresses(db: Db, personId: string): Promise<void> {
  const identityId = await readIdentityId(db, personId);
  const emails = await withPresentedHashes(db, [hashIdentity(identityId)], () => listProvedAddresses(db, identityId));
  for (const email of emails) await withdrawAddress(db, email);
}

/** Records that a key received the link of an invited address, to the workspace or to its brains. */
export async function noteKeyOfInvitations(db: Db, email: string, keyId: string): Promise<void> {
  await noteKeyOfInvitation(db, email, keyId);
  await noteKeyOfBrainInvitations(db, email, keyId);
}
