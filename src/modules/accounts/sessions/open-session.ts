import type { Db } from '#kernel/database';
import { withWorkspaceBound } from '#platform/database';
import { hashSecret, generateSecret } from '#platform/one-time-secrets';
import { generateCredential } from '../secrets.ts';
import { insertSession, type SignInMethod } from '../store/sessions.ts';

const sessionLivesMs = 30 * 24 * 60 * 60 * 1000;

/**
 * A session that was opened. Its token is for a cookie, which a browser also sends to other ports of this host; its
 * proof is for the storage of the console's own origin. Only both together authenticate a caller.
 */
export type NewSession = { id: string; workspaceId: string; token: string; proof: string; expiresAt: Date };

/** The workspace that an identity enters. */
export type EnteredWorkspace = { identityId: string; personId: string; workspaceId: string };

type SessionInput = EnteredWorkspace & {
  id: string;
  method: SignInMethod;
  isHumanSurface: boolean;
  madeByKey?: string | null;
  /** Whether the operator's terminal showed the link. */
  byOperator?: boolean;
  /** When the person proved who they are; default: now. */
  provedAt?: Date | null;
  userAgent: string | null;
  at: Date;
};

/** Opens a session of an identity in one workspace. A session from a key's link proves nothing about a person. */
export async function openSession(db: Db, opening: SessionInput): Promise<NewSession> {
  const { userAgent, madeByKey = null, byOperator = false, at, isHumanSurface } = opening;
  const [token, proof] = [generateCredential('ts'), generateSessionProof()];
  const expiresAt = new Date(at.getTime() + sessionLivesMs);
  const session = {
    ...opening,
    madeByKey,
    byOperator,
    provedAt: isHumanSurface ? (opening.provedAt ?? at) : null,
    tokenHash: hashSecret(token),
    proofHash: hashSecret(proof),
    expiresAt,
    userAgent: userAgent?.slice(0, 400) ?? null,
  };
  await withWorkspaceBound(db, opening.workspaceId, () => insertSession(db, session));
  return { id: opening.id, workspaceId: opening.workspaceId, token, proof, expiresAt };
}

/** A new second secret of a session. */
export function generateSessionProof(): string {
  return generateSecret('tp');
}
