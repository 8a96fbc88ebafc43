// The credential chain: whose credentials are tried for a caller, and in which order, in one table.
import { isAgent, isPerson, type Caller } from '#kernel/caller';
import type { Db } from '#kernel/database';
import { listBrainLineage } from '#modules/brains';
import { findHolderSetId } from '../store/permission-sets.ts';
import type { VariableTier } from '../tiers.ts';

/** The links of the chain, narrowest first; the first one with the credential is used. */
export const chainLinks = ['caller', 'permission_set', 'owner', 'brain', 'workspace'] as const;
export type ChainLink = (typeof chainLinks)[number];

/** One holder, and its link of the chain: the audit row of a call names the link that was used. */
export type CredentialHolder = VariableTier & { link: ChainLink };

type ChainContext = { db: Db; caller: Caller; brainIds: readonly string[] };

/** The holders of each link for a caller. A key of reach `brain` represents one brain, not its maker. */
const chain: Readonly<Record<ChainLink, (asking: ChainContext) => Promise<VariableTier[]> | VariableTier[]>> = {
  caller({ caller }) {
    if (isPerson(caller)) return [{ scope: 'person', scopeId: caller.personId }];
    return isAgent(caller) ? [{ scope: 'agent', scopeId: caller.id }] : [];
  },
  async permission_set({ db, caller }) {
    if (!isAgent(caller)) return [];
    const set = await findHolderSetId(db, { kind: 'key', id: caller.id });
    return set ? [{ scope: 'permission_set', scopeId: set }] : [];
  },
  owner({ caller }) {
    if (isPerson(caller) || caller.reach !== 'owner') return [];
    return [{ scope: 'person', scopeId: caller.personId }];
  },
  brain: ({ brainIds }) => brainIds.map((scopeId) => ({ scope: 'brain', scopeId })),
  workspace: ({ caller }) => [{ scope: 'org', scopeId: caller.workspaceId }],
};

/**
 * The possible holders for this caller, in order. `brainIds`: the brains whose variables count, nearest first; omitted
 * for accounts and other credentials that no brain has.
 */
export async function listCredentialHolders(
  db: Db,
  caller: Caller,
  brainIds: readonly string[] = [],
): Promise<CredentialHolder[]> {
  const holders: CredentialHolder[] = [];
  for (const link of chainLinks) {
    for (const variableTier of await chain[link]({ db, caller, brainIds })) holders.push({ ...variableTier, link });
  }
  return holders;
}

/** The first holder for which `find` returns something, and the result; null when there is none. */
export async function resolveByChain<Found>(
  holders: readonly CredentialHolder[],
  find: (holder: CredentialHolder) => Promise<Found | undefined> | Found | undefined,
): Promise<{ value: Found; holder: CredentialHolder } | null> {
  for (const holder of holders) {
    const value = await find(holder);
    if (value !== undefined) return { value, holder };
  }
  return null;
}

/** A brain and those above it whose variables the caller may use, nearest first. */
export async function listReachableBrainIds(
  db: Db,
  brainId: string,
  roles: ReadonlyMap<string, unknown>,
): Promise<string[]> {
  return (await listBrainLineage(db, brainId)).filter((id) => roles.has(id));
}
