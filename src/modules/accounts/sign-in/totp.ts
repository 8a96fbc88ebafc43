// One-time codes of an app (RFC 6238), and recovery codes for when the app is not at hand.
import { randomBytes } from 'node:crypto';
import type { Db } from '#kernel/database';
import { withWorkspaceBound } from '#platform/database';
import { hashSecret } from '#platform/one-time-secrets';
import type { Vault } from '#platform/vault';
import { Secret, TOTP } from 'otpauth';
import { readHomeWorkspaceId } from '../workspaces/home-workspace.ts';
import {
  findOfKind,
  findTotpSecret,
  insertTotpSecret,
  raiseCounter,
  replaceRecoveryCodes,
  useRecoveryCode,
  type AuthenticatorRow,
} from '../store/authenticators.ts';

const issuer = 'Thalamus';
const stepMs = 30_000;
const recoveryCodes = 10;

/** A new secret, and the URI with which an app imports it. */
export function generateTotp(label: string): { secret: string; uri: string } {
  const totp = new TOTP({ issuer, label, secret: new Secret({ size: 20 }) });
  return { secret: totp.secret.base32, uri: totp.toString() };
}

/** Seals the secret of an authenticator. */
export async function keepTotp(db: Db, vault: Vault, id: string, secret: string): Promise<void> {
  const home = await readHomeWorkspaceId(db);
  await withWorkspaceBound(db, home, async () =>
    insertTotpSecret(db, { id, workspace_id: home, sealed: await vault.seal(db, buildSecretColumn(home, id), secret) }),
  );
}

async function openTotpSecret(db: Db, vault: Vault, id: string): Promise<string | null> {
  const home = await readHomeWorkspaceId(db);
  return withWorkspaceBound(db, home, async () => {
    const sealed = await findTotpSecret(db, id);
    return sealed === undefined ? null : vault.open(db, buildSecretColumn(home, id), sealed);
  });
}

function buildSecretColumn(workspaceId: string, row: string) {
  return { workspaceId, table: 'totp_secrets', row, column: 'sealed' };
}

/**
 * Whether a code belongs to an authenticator at this time step or an adjacent one, and was not used before. Uses it up.
 */
export async function acceptTotp(
  db: Db,
  vault: Vault,
  authenticator: AuthenticatorRow,
  code: string,
  at: Date,
): Promise<boolean> {
  const secret = await openTotpSecret(db, vault, authenticator.id);
  if (!secret) return false;
  const totp = new TOTP({ issuer, secret: Secret.fromBase32(secret) });
  const timestamp = at.getTime();
  const delta = totp.validate({ token: code, window: 1, timestamp });
  if (delta === null) return false;
  return raiseCounter(db, authenticator.id, Math.floor(timestamp / stepMs) + delta, at);
}

/** Whether a code of the app or a recovery code is right. Uses it up. The transaction presents the identity. */
export async function acceptCode(db: Db, vault: Vault, identityId: string, given: string, at: Date): Promise<boolean> {
  const code = given.replaceAll(/[\s-]/g, '').toLowerCase();
  const totp = await findOfKind(db, identityId, 'totp');
  if (/^\d{6}$/.test(code)) return totp?.confirmed_at ? acceptTotp(db, vault, totp, code, at) : false;
  return useRecoveryCode(db, identityId, hashSecret(`recovery ${code}`), at);
}

/** Creates new recovery codes of an identity. They are shown once. */
export async function makeRecoveryCodes(db: Db, identityId: string): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodes }, generateRecoveryCode);
  const hashes = codes.map((code) => hashSecret(`recovery ${code.replaceAll('-', '')}`));
  await replaceRecoveryCodes(db, identityId, hashes);
  return codes;
}

/** 80 random bits in letters that are not mistaken for each other. */
function generateRecoveryCode(): string {
  const letters = 'abcdefghjkmnpqrstuvwxyz123456789'; // 32, so that five bits choose one
  const code = [...randomBytes(16)].map((byte) => letters[byte % 32]).join('');
  return code.replaceAll(/(.{4})(?=.)/g, '$1-');
}
