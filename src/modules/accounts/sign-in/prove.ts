// Proves again who is at the console, before credentials or owners change.
import { isAtConsole, type Caller } from '#kernel/caller';
import { AppError } from '#kernel/errors';
import { withPresentedHashes } from '#platform/database';
import { beginAttempt, endAttempt, type Subject } from './attempts.ts';
import type { RequestResponse } from './passkeys.ts';
import { isPassword } from './passwords.ts';
import { hashIdentity } from '../identity-hashes.ts';
import { verifyPasskey } from './sign-in-by-passkey.ts';
import type { SignInOptions } from './sign-in-ways.ts';
import { findOfKind } from '../store/authenticators.ts';
import { readIdentityId } from '../store/people.ts';
import { noteProof } from '../store/sessions.ts';
import { acceptCode } from './totp.ts';

/** One of the person's authenticators. When one-time codes are on, a password counts only with a code. */
export type Proof =
  | { password: string; code?: string | undefined }
  | { code: string }
  | { response: RequestResponse; browser: string };

/** Records in a session of a person at the console that they proved who they are. Throws when the proof is wrong. */
export async function prove(options: SignInOptions, caller: Caller, proof: Proof): Promise<void> {
  const { db, transactions, now } = options;
  if (!isAtConsole(caller))
    throw new AppError('forbidden', 'Only a person who signed in to the console may do this. Open the console.');
  const identityId = await transactions.run(caller.workspaceId, 'read', (bound) =>
    readIdentityId(bound, caller.personId),
  );
  const subject: Subject = `identity ${identityId}`;
  await beginAttempt(db, subject, now());
  if (!(await isRight(options, caller, identityId, proof)))
    throw new AppError('unauthenticated', 'That was not correct. Try again, or sign out and sign in again.');
  await endAttempt(db, subject);
  await transactions.run(caller.workspaceId, 'write', (bound) => noteProof(bound, caller.id, now()));
}

async function isRight(options: SignInOptions, caller: Caller, identityId: string, proof: Proof): Promise<boolean> {
  const { transactions } = options;
  if ('response' in proof) return (await verifyPasskey(options, proof)).identity_id === identityId;
  if (!('password' in proof)) return isCode(options, caller, identityId, proof.code);
  const { password, totp } = await transactions.run(caller.workspaceId, 'read', (bound) =>
    withPresentedHashes(bound, [hashIdentity(identityId)], async () => ({
      password: await findOfKind(bound, identityId, 'password'),
      totp: await findOfKind(bound, identityId, 'totp'),
    })),
  );
  const isRightPassword = await isPassword(proof.password, password ? String(password.data['hash']) : null);
  if (!totp?.confirmed_at) return isRightPassword;
  if (proof.code === undefined)
    throw new AppError(
      'unauthenticated',
      'One-time codes are on. Also enter a code from your app, or a recovery code.',
      {
        reason: 'code_needed',
      },
    );
  return isRightPassword && isCode(options, caller, identityId, proof.code);
}

/** Whether a code is right. It is then used up. */
function isCode(options: SignInOptions, caller: Caller, identityId: string, code: string): Promise<boolean> {
  const { transactions, vault, now } = options;
  return transactions.run(caller.workspaceId, 'write', (bound) =>
    withPresentedHashes(bound, [hashIdentity(identityId)], () => acceptCode(bound, vault, identityId, code, now())),
  );
}
