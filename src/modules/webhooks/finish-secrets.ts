// A connector that waits for a variable gets its secret as soon as somebody sets it, behind a link or elsewhere.
import type { Transactions } from '#kernel/database';
import { variableValue } from '#modules/variables';
import { lineageOf } from '#modules/brains';
import type { Vault } from '#platform/vault';
import type { KnownConnectors } from './intake/known-connectors.ts';
import { signingOf } from './intake/known-connectors.ts';
import { whyUnfit } from './signatures/schemes.ts';
import { addVersion, findVersion, lockConnector, waitingForVariable } from './store/connectors.ts';
import { sealSecret } from './version-secret.ts';
import { contentHash } from './versions.ts';

type Doors = { transactions: Transactions; vault: Vault; known: KnownConnectors; now: () => Date; newId: () => string };

/** Gives the value of a variable to connectors that wait for it, or that use it; each gets a new version. */
export async function finishSecrets(doors: Doors, workspaceId: string, variableId: string): Promise<void> {
  const { transactions, vault, known, now, newId } = doors;
  const changed = await transactions.run(workspaceId, 'write', async (db) => {
    const variable = await variableValue(vault, db, variableId);
    const ids: string[] = [];
    for (const { id, person_id, brain_id } of variable ? await waitingForVariable(db, variable.name) : []) {
      if (!variable) break;
      const { scope, scopeId, value } = variable;
      const brains = scope === 'brain' ? await lineageOf(db, brain_id) : [];
      const isTheirs = scope === 'org' || (scope === 'person' && scopeId === person_id) || brains.includes(scopeId);
      const connector = await lockConnector(db, id);
      const head = await findVersion(db, connector.head_version_id);
      if (!isTheirs || head.secret !== null || whyUnfit(signingOf(head), value) !== null) continue;
      const version = { ...head, id: newId(), created_by_label: variable.setByLabel, created_at: now() };
      const secret = await sealSecret(vault, db, version, value);
      await addVersion(db, { ...version, secret, content_hash: contentHash({ ...version, secret }) });
      ids.push(id);
    }
    return ids;
  });
  for (const id of changed) known.forget(id);
}
