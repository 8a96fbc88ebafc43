// Turns invitations to brains into memberships, as far as their inviters may still give them.
import { isAtLeast } from '#kernel/caller';
import type { Db } from '#kernel/database';
import { readBrainRoles } from './store/brains.ts';
import { dropBrainInvitations, listOpenBrainInvitations, type OpenInvitation } from './store/invitations.ts';
import { restoreMember } from './store/members.ts';

/** The open invitations of an address to brains of the bound workspace that their inviters may still give. */
export async function findInvitedBrains(db: Db, email: string): Promise<OpenInvitation[]> {
  const invitations = await listOpenBrainInvitations(db, email);
  const given: OpenInvitation[] = [];
  for (const invitation of invitations) {
    const roles = await readBrainRoles(db, invitation.invited_by, invitation.by_administrator);
    if (isAtLeast(roles.get(invitation.brain_id) ?? 'viewer', 'admin')) given.push(invitation);
  }
  return given;
}

/** Turns the invitations of an address into memberships of its owner. Returns the brains. */
export async function acceptInvitations(db: Db, person: { id: string; email: string; at: Date }): Promise<string[]> {
  const accepted = await findInvitedBrains(db, person.email);
  await dropBrainInvitations(db, person.email);
  for (const { brain_id, workspace_id, access_level, cascades } of accepted) {
    await restoreMember(db, { brain_id, workspace_id, person_id: person.id, access_level, cascades, at: person.at });
  }
  return accepted.map(({ brain_id }) => brain_id);
}
