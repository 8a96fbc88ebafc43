// Invitations that an identity must accept by hand: signing in accepts none for somebody who has an account.
import type { Db } from '#kernel/database';
import { withWorkspaceBound, withPresentedHashes } from '#platform/database';
import { hashAddress, hashIdentity } from '../identity-hashes.ts';
import { computeInvitedRole } from './invitations.ts';
import { listProvedAddresses } from '../store/identities.ts';
import { findInviter, listInvitingWorkspaceIds, type InvitedRole } from '../store/invitations.ts';
import { findPersonByIdentity } from '../store/people.ts';
import { findWorkspaceName } from '../store/workspaces.ts';

/** An invitation as the invited person sees it. */
export type OwnInvitation = {
  workspaceId: string;
  workspace: string;
  email: string;
  role: InvitedRole;
  invitedBy: string;
};

/** The invitations of the proved addresses of an identity to workspaces that it is not in. */
export async function findInvitationsTo(db: Db, identityId: string): Promise<OwnInvitation[]> {
  const emails = await withPresentedHashes(db, [hashIdentity(identityId)], () => listProvedAddresses(db, identityId));
  const invitations: OwnInvitation[] = [];
  for (const email of emails) {
    const hash = hashAddress(email);
    for (const workspaceId of await withPresentedHashes(db, [hash], () => listInvitingWorkspaceIds(db, hash))) {
      const invitation = await withWorkspaceBound(db, workspaceId, () =>
        readInvitation(db, { identityId, workspaceId, email }),
      );
      if (invitation) invitations.push(invitation);
    }
  }
  return invitations;
}

async function readInvitation(
  db: Db,
  { identityId, workspaceId, email }: { identityId: string; workspaceId: string; email: string },
): Promise<OwnInvitation | null> {
  const person = await findPersonByIdentity(db, identityId);
  const role = await computeInvitedRole(db, email);
  if (!role || (person && !person.removed_at)) return null;
  const [workspace, invitedBy] = [await findWorkspaceName(db, workspaceId), await findInviter(db, email)];
  return { workspaceId, workspace, email, role, invitedBy: invitedBy ?? 'Somebody' };
}
