// Finds the secrets in a caller's text, through the caller's own chain, for egress to fill in.
import type { Context } from '#kernel/context';
import type { Db } from '#kernel/database';
import { listHandles, type Handle } from '#platform/egress';
import type { Vault } from '#platform/vault';
import type { BoundVariable } from '../bound-variable.ts';
import { bindVariable } from './bound-variables.ts';
import {
  listReachableBrainIds,
  listCredentialHolders,
  resolveByChain,
  type ChainLink,
  type CredentialHolder,
} from './chain.ts';
import { findVariables, findVariablesById, type VariableRow } from '../store/variables.ts';
import type { Tier } from '../tiers.ts';
import { openRunSecrets, type RunSecret } from '../tokens/run-secrets.ts';
import { buildValueColumn } from '../variables.ts';

/** The variable of a call, and its link of the chain, without its value: for the audit row. */
export type UsedVariable = { variable_id: string; name: string; var_scope: Tier; link: ChainLink };

/**
 * What egress needs, what the audit row records and what a draft is bound to, all in the same order; and the secrets of
 * the caller's own run.
 */
export type ResolvedHandles = {
  handles: Handle[];
  answered: UsedVariable[];
  bound: BoundVariable[];
  ofRun: RunSecret[];
};

/**
 * Resolves every handle in the texts of a request, including those inside `Basic`. A handle that the caller's chain
 * does not reach is left out, and egress then refuses the request. `brainId`: the brain whose variables count; default:
 * the home brain.
 */
export async function resolveHandles(
  vault: Vault,
  ctx: Context,
  texts: readonly string[],
  brainId?: string,
): Promise<ResolvedHandles> {
  const named = new Set(texts.flatMap((text) => [...listHandles(text), ...listHandles(decodeBasicHeader(text))]));
  if (!named.size) return { handles: [], answered: [], bound: [], ofRun: [] };
  const holders = await listHoldersInReach(ctx, brainId);
  const rows = await findVariables(ctx.db, holders, { handles: [...named] });
  return {
    ...(await resolve(vault, ctx, { holders, rows }, named)),
    ofRun: await openRunSecrets(vault, ctx, [...named]),
  };
}

async function listHoldersInReach(ctx: Context, brainId?: string): Promise<CredentialHolder[]> {
  const { homeBrainId, roles } = await ctx.brains();
  const brainIds = await listReachableBrainIds(ctx.db, brainId ?? homeBrainId, roles);
  return listCredentialHolders(ctx.db, ctx.caller, brainIds);
}

/** For each handle the row of the first holder. */
async function resolve(
  vault: Vault,
  ctx: Context,
  { holders, rows }: { holders: readonly CredentialHolder[]; rows: readonly VariableRow[] },
  handles: Iterable<string>,
): Promise<Omit<ResolvedHandles, 'ofRun'>> {
  const resolved: Omit<ResolvedHandles, 'ofRun'> = { handles: [], answered: [], bound: [] };
  for (const handle of handles) {
    const found = await resolveByChain(holders, (holder) =>
      rows.find((row) => row.handle === handle && row.scope === holder.scope && row.scope_id === holder.scopeId),
    );
    if (!found) continue;
    const { value: row, holder } = found;
    resolved.handles.push(await openVariable(vault, ctx.db, row));
    resolved.bound.push(bindVariable(row));
    resolved.answered.push({ variable_id: row.id, name: row.name, var_scope: row.scope, link: holder.link });
  }
  return resolved;
}

/**
 * The values behind handles that were resolved before, by the ids of their variables. Leaves out deleted variables, and
 * those whose version is not the named one.
 */
export async function openVariables(vault: Vault, db: Db, variables: readonly NamedVariable[]): Promise<Handle[]> {
  return openSome(vault, db, variables, ({ version }, row) => (version ?? row.version) === row.version);
}

/**
 * Like `openVariables`, for a lasting permission: its person may renew a value, an agent may not. A value that an agent
 * has written since then is left out.
 */
export async function openAllowedVariables(
  vault: Vault,
  db: Db,
  variables: readonly NamedVariable[],
): Promise<Handle[]> {
  return openSome(
    vault,
    db,
    variables,
    ({ version }, row) => row.set_by_kind === 'person' || (version ?? row.version) === row.version,
  );
}

type NamedVariable = Pick<BoundVariable, 'handle' | 'variable_id' | 'version'>;

async function openSome(
  vault: Vault,
  db: Db,
  variables: readonly NamedVariable[],
  isMeant: (named: NamedVariable, row: VariableRow) => boolean,
): Promise<Handle[]> {
  const rows = await findVariablesById(
    db,
    variables.map(({ variable_id }) => variable_id),
  );
  const meant = rows.filter((row) =>
    variables.some((named) => named.variable_id === row.id && named.handle === row.handle && isMeant(named, row)),
  );
  return Promise.all(meant.map((row) => openVariable(vault, db, row)));
}

async function openVariable(vault: Vault, db: Db, row: VariableRow): Promise<Handle> {
  const { handle, placements, hosts } = row;
  return {
    handle,
    placements,
    hosts,
    value: await vault.open(db, buildValueColumn(row.workspace_id, row.id), row.value),
  };
}

function decodeBasicHeader(text: string): string {
  const coded = /^basic\s+(\S+)$/i.exec(text)?.[1];
  return coded === undefined ? '' : Buffer.from(coded, 'base64').toString();
}
