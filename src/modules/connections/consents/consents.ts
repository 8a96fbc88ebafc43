// Pending consents: started and finished once, in one browser, with sealed data in between.
import type { Db } from '#kernel/database';
import { issueSecret, presentSecret, generateSecret, useSecret } from '#platform/one-time-secrets';
import type { Vault } from '#platform/vault';
import type { Kysely } from 'kysely';
import { insertConsent, removeConsent, type ConsentKind } from '../store/consents.ts';

/** The prefix of a state, by which a shared callback tells the kinds of consent apart. */
const prefixes = {
  account: 'oa',
  sign_in: 'si',
  bundle: 'sv',
  playground: 'sp',
  playground_result: 'pr',
} as const satisfies Record<ConsentKind, string>;

type ConsentState<Kept> = {
  kind: ConsentKind;
  id: string;
  workspaceId: string;
  /** A secret of the browser that starts the consent. */
  browser: string;
  at: Date;
  expiresAt: Date;
  /** The variable link of the consent. A link has at most one pending consent. */
  linkId?: string;
  kept: Kept;
};

type PresentedConsent = { kind: ConsentKind; state: string; browser: string; at: Date };

/** Stores sealed data for one browser. Returns the one-time secret to take it. */
export async function keepForBrowser<Kept>(db: Db, vault: Vault, keeping: ConsentState<Kept>): Promise<string> {
  const { kind, id, workspaceId, browser: boundTo, at, expiresAt, linkId, kept } = keeping;
  const secret = { purpose: kind, prefix: prefixes[kind], subjectId: id, workspaceId, boundTo, at, expiresAt };
  const token = await issueSecret(db, secret);
  const sealed = await vault.seal(db, buildSealedColumn(workspaceId, id), JSON.stringify(kept));
  await insertConsent(db, { id, workspace_id: workspaceId, kind, link_id: linkId ?? null, sealed });
  return token;
}

/** Takes the stored data. Undefined: it was taken, has expired, or belongs to another browser. */
export async function takeForBrowser<Kept>(
  db: Db,
  vault: Vault,
  { kind, state, browser, at }: PresentedConsent,
): Promise<Kept | undefined> {
  const id = await useSecret(db, kind, { secret: state, boundTo: browser, at });
  const row = id && (await removeConsent(db, id));
  if (!row) return undefined;
  return JSON.parse(await vault.open(db, buildSealedColumn(row.workspace_id, row.id), row.sealed)) as Kept; // sealed by `keepForBrowser`
}

/**
 * Starts a consent, and returns the address of its page. `url` builds it from the state and the code verifier (PKCE,
 * RFC 7636).
 */
export async function beginConsent<Kept>(
  db: Db,
  vault: Vault,
  { url, ...begun }: ConsentState<Kept> & { url: (asked: { state: string; codeVerifier: string }) => Promise<string> },
): Promise<string> {
  const codeVerifier = generateSecret();
  const state = await keepForBrowser(db, vault, { ...begun, kept: { codeVerifier, kept: begun.kept } });
  return url({ state, codeVerifier });
}

/** Takes a consent after the callback. Undefined: it was used, has expired, or was started in another browser. */
export function takeConsent<Kept>(db: Db, vault: Vault, presented: PresentedConsent) {
  return takeForBrowser<{ codeVerifier: string; kept: Kept }>(db, vault, presented);
}

/** The workspace of a consent, found by its state. */
export async function findConsentWorkspaceId(
  db: Kysely<unknown>,
  kind: ConsentKind,
  state: string,
): Promise<string | undefined> {
  return (await presentSecret(db, kind, state))?.workspaceId;
}

/** Whether a state belongs to this kind of consent. */
export function isStateOfKind(kind: ConsentKind, state: string): boolean {
  return state.startsWith(`${prefixes[kind]}_`);
}

function buildSealedColumn(workspaceId: string, row: string) {
  return { workspaceId, table: 'consents', row, column: 'sealed' };
}
