import type { Db } from '#kernel/database';
import { inWorkspace } from '#platform/database';
import { hashSecret } from '#platform/one-time-secrets';
import type { Entered } from './enter.ts';
import { newCredential } from './secrets.ts';
import { insertSession, type SignInMethod } from './store/sessions.ts';

const sessionLivesMs = 30 * 24 * 60 * 60 * 1000;

/** A session that was opened; its token is for a cookie. */
export type NewSession = { token: string; expiresAt: Date };

type Opening = Entered & {
  id: string;
  method: SignInMethod;
  isHumanSurface: boolean;
  madeByKey?: string | null;
  /** When the person proved who they are; by default now. */
  provedAt?: Date | null;
  userAgent: string | null;
  at: Date;
};

/** Opens a session of an identity in one workspace. What a key's link opened proves nothing. */
export async function openSession(db: Db, opening: Opening): Promise<NewSession> {
  const { userAgent, madeByKey = null, at, isHumanSurface } = opening;
  const token = newCredential('ts');
  const expiresAt = new Date(at.getTime() + sessionLivesMs);
  const session = {
    ...opening,
    madeByKey,
    provedAt: isHumanSurface ? (opening.provedAt ?? at) : null,
    tokenHash: hashSecret(token),
    expiresAt,
    userAgent: userAgent?.slice(0, 400) ?? null,
  };
  await inWorkspace(db, opening.workspaceId, () => insertSession(db, session));
  return { token, expiresAt };
}
