// Caches what intake needs to know of a connector, for one second in each process.
import type { Transactions } from '#kernel/database';
import { hasVariable } from '#modules/variables';
import { readPresented } from '#platform/database';
import type { Vault } from '#platform/vault';
import type { Kysely } from 'kysely';
import { LRUCache } from 'lru-cache';
import { hashOfSlug } from '../slug.ts';
import { getSignatureRule, type SignatureChoice } from '../signatures/schemes.ts';
import type { Rule } from '../signatures/rule.ts';
import { findBySlug, findConnector, findVersion } from '../store/connectors.ts';
import type { ConnectorState, Db, VersionRow } from '../store/tables.ts';
import { openSecret } from '../version-secret.ts';

export type KnownConnector = {
  id: string;
  workspaceId: string;
  state: ConnectorState;
  signing: SignatureChoice;
  rule: Rule;
  secret: string | null;
  /** Name of the deleted variable that had its secret: the connector stops. Null: none. */
  lostVariable: string | null;
};

type KnownConnectorDeps = { db: Kysely<unknown>; transactions: Transactions; vault: Vault; now: () => Date };
type Entry = { hash: string; until: number; connector: Promise<KnownConnector | null> };

const keptMs = 1_000;
const mostKept = 2_000;

export type KnownConnectors = {
  /** The connector of an address, in any state. Null: there is none. */
  find(slug: string): Promise<KnownConnector | null>;
  /** Drops a connector from the cache. Other processes read it again within a second. */
  forget(id: string): void;
};

export function createKnownConnectors({ db, transactions, vault, now }: KnownConnectorDeps): KnownConnectors {
  const kept = new LRUCache<string, Entry>({ max: mostKept });
  const hashes = new LRUCache<string, string>({ max: mostKept });

  async function read(hash: string): Promise<KnownConnector | null> {
    const found = await readPresented(db, hash, (presented) => findBySlug(presented, hash));
    if (!found) return null;
    return transactions.run(found.workspace_id, 'write', async (bound) => {
      const connector = await findConnector(bound, found.id);
      if (!connector) return null;
      const version = await findVersion(bound, connector.active_version_id ?? connector.head_version_id);
      const secret = connector.state === 'deleted' ? null : await openSecret(vault, bound, version);
      const signing = getVersionSigning(version);
      hashes.set(connector.id, hash);
      const { id, workspace_id: workspaceId, state } = connector;
      const lostVariable = await findLostVariable(bound, version);
      return { id, workspaceId, state, signing, rule: getSignatureRule(signing, secret), secret, lostVariable };
    });
  }

  return {
    find(slug) {
      const hash = hashOfSlug(slug);
      const at = now().getTime();
      const entry = kept.get(hash);
      if (entry && entry.until > at) return entry.connector;
      const connector = read(hash);
      connector.catch(() => kept.delete(hash));
      kept.set(hash, { hash, until: at + keptMs, connector });
      return connector;
    },
    forget(id) {
      const hash = hashes.get(id);
      if (hash !== undefined) kept.delete(hash);
    },
  };
}

/** The name of the variable that a version is bound to, if it was deleted; null: it exists, or there is none. */
export async function findLostVariable(
  db: Db,
  { secret_variable: name, secret_variable_id: id }: Pick<VersionRow, 'secret_variable' | 'secret_variable_id'>,
): Promise<string | null> {
  return id === null || (await hasVariable(db, id)) ? null : (name ?? 'A variable');
}

/** How the requests of a version are signed. */
export function getVersionSigning({ scheme, provider, signature_settings: settings }: VersionRow): SignatureChoice {
  return { scheme, provider, settings };
}
