// The last step of signing in: a session, or first a one-time code if the identity uses them.
import type { Db } from '#kernel/database';
import { withWorkspaceBound, withPresentedHashes } from '#platform/database';
import { issueSecret } from '#platform/one-time-secrets';
import { openSession, type EnteredWorkspace, type NewSession } from '../sessions/open-session.ts';
import { hashIdentity } from '../identity-hashes.ts';
import { findOfKind } from '../store/authenticators.ts';
import { insertPending } from '../store/pending.ts';
import type { SignInMethod } from '../store/sessions.ts';

export const secondFactorPurpose = 'second_factor';
const livesMs = 10 * 60 * 1000;

/** A session, or the secret of a person who must still enter a code; both are for cookies. */
export type Admission = { session: NewSession } | { secondFactor: string };

type AdmissionInput = EnteredWorkspace & {
  newId: () => string;
  method: SignInMethod;
  isHumanSurface: boolean;
  madeByKey?: string | null;
  byOperator?: boolean;
  provedAt?: Date | null;
  userAgent: string | null;
  at: Date;
};

/** A proof that another person could have read or guessed is not enough when one-time codes are on. */
const askedForCode: readonly SignInMethod[] = ['password', 'mail'];

export async function admit(db: Db, { newId, ...admitting }: AdmissionInput): Promise<Admission> {
  const { identityId, personId, workspaceId, method, at } = admitting;
  const needsCode = askedForCode.includes(method) && (await hasTotp(db, identityId));
  if (!needsCode) return { session: await openSession(db, { ...admitting, id: newId() }) };
  const id = newId();
  return withWorkspaceBound(db, workspaceId, async () => {
    const expiresAt = new Date(at.getTime() + livesMs);
    const secret = { purpose: secondFactorPurpose, prefix: 'sf' as const, subjectId: id, workspaceId, at, expiresAt };
    const secondFactor = await issueSecret(db, secret);
    await insertPending(db, { id, workspace_id: workspaceId, person_id: personId, method });
    return { secondFactor };
  });
}

async function hasTotp(db: Db, identityId: string): Promise<boolean> {
  const totp = await withPresentedHashes(db, [hashIdentity(identityId)], () => findOfKind(db, identityId, 'totp'));
  return totp?.confirmed_at != null;
}
