// Secrets by their names, for work of the server that a person set up: the values leave only through egress.
import type { Context } from '#kernel/context';
import type { Db } from '#kernel/database';
import type { Handle } from '#platform/egress';
import type { Vault } from '#platform/vault';
import type { BoundVariable } from '../bound-variable.ts';
import { bindVariable } from './bound-variables.ts';
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

/** The variables with these names that the caller's chain reaches from a brain, bound by id and version for a draft. */
export async function bindNamedVariables(
  ctx: Context,
  brainId: string,
  names: readonly string[],
): Promise<BoundVariable[]> {
  if (!names.length) return [];
  const inForce = await listEffectiveVariables(ctx, brainId);
  return inForce.filter(({ row }) => names.includes(row.name)).map(({ row }) => bindVariable(row));
}

/** Variables that a person bound to names before, bound to their present versions for a draft. */
export async function bindVariablesById(
  db: Db,
  bound: readonly { name: string; variable_id: string }[],
): Promise<BoundVariable[]> {
  const rows = await findVariablesById(
    db,
    bound.map(({ variable_id }) => variable_id),
  );
  return rows.flatMap((row) => {
    const name = bound.find(({ variable_id }) => variable_id === row.id)?.name;
    return name === undefined || row.set_by_kind !== 'person' ? [] : [{ ...bindVariable(row), name }];
  });
}
