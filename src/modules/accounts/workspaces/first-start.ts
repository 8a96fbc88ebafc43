import type { Db, Transactions } from '#kernel/database';
import { ownerScopes } from '#kernel/scopes';
import { createPersonalBrain, readPersonalBrainId } from '#modules/brains';
import { runAsSystem } from '#platform/database';
import { sql, type Kysely } from 'kysely';
import { hashSecret } from '#platform/one-time-secrets';
import { generateKey, getVisiblePrefix } from '../secrets.ts';
import { makeSignInLink, type SignInLink } from '../sessions/sign-in-links.ts';
import { findKeyByHash, insertKey } from '../store/keys.ts';
import { findOwner, insertPerson } from '../store/people.ts';
import { insertWorkspace, listWorkspaceIds } from '../store/workspaces.ts';

/** Values that are shown once, in the terminal of the first start. */
export type Welcome = { key: string | null; signIn: SignInLink };

type Options = {
  db: Kysely<unknown>;
  transactions: Transactions;
  publicUrl: string;
  bootstrapKey: string | null;
  ownerEmail: string;
  now: () => Date;
  newId: () => string;
};

/**
 * Creates the workspace, its owner, the owner's brain and first key when there is no workspace yet; null otherwise.
 * Safe when several servers start at once. A new bootstrap key is added to the owner's keys.
 */
export async function createFirstWorkspace(options: Options): Promise<Welcome | null> {
  return runAsSystem(options.db, async (db) => {
    await sql`select pg_advisory_xact_lock(hashtext('thalamus first start'))`.execute(db);
    const [existing] = await listWorkspaceIds(db);
    if (existing) {
      await bindTo(db, existing);
      await addBootstrapKey(db, options, existing);
      return null;
    }
    return createWorkspace(db, options);
  });
}

async function createWorkspace(db: Db, options: Options): Promise<Welcome> {
  const at = options.now();
  const [workspaceId, personId, brainId] = [options.newId(), options.newId(), options.newId()];
  await bindTo(db, workspaceId);
  await insertWorkspace(db, { id: workspaceId, name: 'Workspace', at });
  await insertPerson(db, { id: personId, name: 'Owner', email: options.ownerEmail, role: 'owner', workspaceId, at });
  await createPersonalBrain(db, { workspaceId, personId, name: 'Owner', brainId, at });
  const key = options.bootstrapKey ?? generateKey();
  await insertOwnerKey(db, options, { workspaceId, personId, brainId, key });
  const { publicUrl } = options;
  const signIn = await makeSignInLink(db, {
    id: options.newId(),
    workspaceId,
    personId,
    isHumanSurface: true,
    byOperator: true,
    publicUrl,
    at,
  });
  return { key: options.bootstrapKey ? null : key, signIn };
}

async function addBootstrapKey(db: Db, options: Options, workspaceId: string): Promise<void> {
  const key = options.bootstrapKey;
  if (!key || (await findKeyByHash(db, hashSecret(key)))) return;
  const owner = await findOwner(db);
  if (!owner) throw new Error('the workspace has no owner');
  await insertOwnerKey(db, options, {
    workspaceId,
    personId: owner.id,
    brainId: await readPersonalBrainId(db, owner.id),
    key,
  });
}

async function insertOwnerKey(
  db: Db,
  options: Options,
  owner: { workspaceId: string; personId: string; brainId: string; key: string },
): Promise<void> {
  await insertKey(db, {
    id: options.newId(),
    workspaceId: owner.workspaceId,
    personId: owner.personId,
    label: 'Owner key',
    prefix: getVisiblePrefix(owner.key),
    keyHash: hashSecret(owner.key),
    scopes: [...ownerScopes],
    homeBrainId: owner.brainId,
    reach: 'owner',
    rules: [],
    expiresAt: null,
    at: options.now(),
  });
}

async function bindTo(db: Db, workspaceId: string): Promise<void> {
  await sql`select set_config('thalamus.workspace_id', ${workspaceId}, true)`.execute(db);
}
