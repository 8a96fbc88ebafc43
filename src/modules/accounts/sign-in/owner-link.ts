import type { Db } from '#kernel/database';
import { makeSignInLink, type SignInLink } from '../sessions/sign-in-links.ts';
import { findOwner } from '../store/people.ts';

/**
 * A link that signs the owner of a workspace in as a person. It is for the operator of the server, who can access its
 * database anyway; no caller of the server can request it. Null when there is no owner yet.
 */
export async function makeOwnerLink(
  db: Db,
  link: { id: string; workspaceId: string; publicUrl: string; at: Date },
): Promise<(SignInLink & { personId: string }) | null> {
  const owner = await findOwner(db);
  if (!owner) return null;
  return {
    ...(await makeSignInLink(db, { ...link, personId: owner.id, isHumanSurface: true, byOperator: true })),
    personId: owner.id,
  };
}
