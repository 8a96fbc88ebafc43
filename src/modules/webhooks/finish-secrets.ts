// Copies the new value of a variable to the connectors that use it.
import type { Transactions } from '#kernel/database';
import { findVariableValue } from '#modules/variables';
import { listBrainLineage } from '#modules/brains';
import type { Vault } from '#platform/vault';
import type { KnownConnectors } from './intake/known-connectors.ts';
import { getVersionSigning } from './intake/known-connectors.ts';
import { findSecretError } from './signatures/schemes.ts';
import {
  addVersion,
  findVersion,
  lockConnector,
  updateConnector,
  listConnectorsWithVariable,
} from './store/connectors.ts';
import { copyPasses } from './store/fixtures.ts';
import type { VersionRow } from './store/tables.ts';
import { openSecret, sealSecret } from './version-secret.ts';

type FinishSecretDeps = {
  transactions: Transactions;
  vault: Vault;
  known: KnownConnectors;
  now: () => Date;
  newId: () => string;
};

/** Bound to this variable by id, not by name. */
function isBoundTo({ secret_variable_id }: VersionRow, variableId: string): boolean {
  return secret_variable_id === variableId;
}

/** Without a secret so far, and waiting for the first variable with this name. */
function isWaitingForVariable({ secret, secret_variable }: VersionRow, name: string): boolean {
  return secret === null && secret_variable === name;
}

/**
 * Copies the value of a variable to connectors that use it. The newest and the active version get a successor with
 * another secret and the same code, so that fixtures stay passed and the connector stays active.
 */
export async function finishSecrets(doors: FinishSecretDeps, workspaceId: string, variableId: string): Promise<void> {
  const { transactions, vault, known, now, newId } = doors;
  const changed = await transactions.run(workspaceId, 'write', async (db) => {
    const variable = await findVariableValue(vault, db, variableId);
    if (!variable || variable.setByKind === 'agent') return []; // a person can renew a signing secret, an agent cannot
    const ids: string[] = [];
    for (const { id, person_id, brain_id } of await listConnectorsWithVariable(db, {
      id: variableId,
      name: variable.name,
    })) {
      const { scope, scopeId, value } = variable;
      const brains = scope === 'brain' ? await listBrainLineage(db, brain_id) : [];
      const isTheirs = scope === 'org' || (scope === 'person' && scopeId === person_id) || brains.includes(scopeId);
      const connector = await lockConnector(db, id);
      const head = await findVersion(db, connector.head_version_id);
      const { active_version_id: activeId } = connector;
      const active = activeId === null || activeId === head.id ? null : await findVersion(db, activeId);
      let newest = head;
      const bound = { secret_variable_id: variableId };
      for (const before of active ? [active, head] : [head]) {
        const isUsed = isBoundTo(before, variableId) || (isTheirs && isWaitingForVariable(before, variable.name));
        if (
          !isUsed ||
          findSecretError(getVersionSigning(before), value) !== null ||
          (await openSecret(vault, db, before)) === value
        )
          continue;
        const version = { ...before, ...bound, id: newId(), created_by_label: variable.setByLabel, created_at: now() };
        const added = await addVersion(db, { ...version, secret: await sealSecret(vault, db, version, value) });
        await copyPasses(db, before.id, version.id);
        if (before.id === activeId) await updateConnector(db, id, { active_version_id: version.id });
        if (before.id === head.id) newest = added;
        ids.push(id);
      }
      await updateConnector(db, id, { head_version_id: newest.id, brain_id: newest.brain_id });
    }
    return ids;
  });
  for (const id of changed) known.forget(id);
}
