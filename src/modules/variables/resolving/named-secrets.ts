// Secrets by their names, for work of the server that a person set up: the values leave only through egress.
import type { Context } from '#kernel/context';
import type { Db } from '#kernel/database';
import type { Handle } from '#platform/egress';
import type { Vault } from '#platform/vault';
import { listEffectiveVariables } from './effective-variables.ts';
import { findVariablesById, type VariableRow } from '../store/variables.ts';
import { buildValueColumn } from '../variables.ts';

/** The variables with these names that the caller's chain reaches from a brain, opened, by name. */
export async function openChainSecrets(
  vault: Vault,
  ctx: Context,
  brainId: string,
  names: readonly string[],
): Promise<Map<string, Handle>> {
  if (!names.length) return new Map();
  const inForce = await listEffectiveVariables(ctx, brainId);
  return openSecrets(
    vault,
    ctx.db,
    inForce.map(({ row }) => row).filter(({ name }) => names.includes(name)),
  );
}

/** Variables that a person bound to names before, opened, by name. One that an agent has written since is left out. */
export async function openBoundSecrets(
  vault: Vault,
  db: Db,
  bound: readonly { name: string; variable_id: string }[],
): Promise<Map<string, Handle>> {
  const rows = await findVariablesById(
    db,
    bound.map(({ variable_id }) => variable_id),
  );
  const meant = bound.flatMap(({ name, variable_id }) => {
    const row = rows.find(({ id, set_by_kind }) => id === variable_id && set_by_kind === 'person');
    return row ? [{ ...row, name }] : [];
  });
  return openSecrets(vault, db, meant);
}

async function openSecrets(vault: Vault, db: Db, rows: readonly VariableRow[]): Promise<Map<string, Handle>> {
  const secrets = new Map<string, Handle>();
  for (const { id, workspace_id, name, handle, placements, hosts, value } of rows)
    secrets.set(name, {
      handle,
      placements,
      hosts,
      value: await vault.open(db, buildValueColumn(workspace_id, id), value),
    });
  return secrets;
}
