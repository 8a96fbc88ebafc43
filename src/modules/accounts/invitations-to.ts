// The invitations that wait for a press of an identity: signing in accepts none for somebody who has an account.
import type { Db } from '#kernel/database';
import { inWorkspace, presenting } from '#platform/database';
import { addressHash, identityHash } from './identity-hashes.ts';
import { invitedAs } from './invitations.ts';
import { addressesOf } from './store/identities.ts';
import { findInviter, workspacesInviting, type InvitedRole } from './store/invitations.ts';
import { findPersonOf } from './store/people.ts';
import { findWorkspaceName } from './store/workspaces.ts';

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
  const emails = await presenting(db, [identityHash(identityId)], () => addressesOf(db, identityId));
  const invitations: OwnInvitation[] = [];
  for (const email of emails) {
    const hash = addressHash(email);
    for (const workspaceId of await presenting(db, [hash], () => workspacesInviting(db, hash))) {
      const invitation = await inWorkspace(db, workspaceId, () =>
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
  const person = await findPersonOf(db, identityId);
  const role = await invitedAs(db, email);
  if (!role || (person && !person.removed_at)) return null;
  const [workspace, invitedBy] = [await findWorkspaceName(db, workspaceId), await findInviter(db, email)];
  return { workspaceId, workspace, email, role, invitedBy: invitedBy ?? 'Somebody' };
}
