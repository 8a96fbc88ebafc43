// Secrets of a run: its code names them by handles, and they end with the run.
import type { Context } from '#kernel/context';
import type { Db } from '#kernel/database';
import { AppError } from '#kernel/errors';
import type { Handle } from '#platform/egress';
import type { Vault } from '#platform/vault';
import {
  countRunSecrets,
  deleteRunSecrets,
  findRunSecrets,
  insertRunSecret,
  type RunSecretRow,
  type TokenRequest,
} from '../store/run-secrets.ts';
import type { ExchangeResult } from './exchange.ts';

/** A secret of a run, and how to obtain another one after the run. */
export type RunSecret = { handle: Handle; obtained: RunSecretRow['obtained'] };

const most = 200;
/** An access token belongs in a header, as its specification requires (RFC 6750, section 2.1). */
const placements = ['header'];

/** Those of the handles that belong to the caller's run, decrypted. */
export async function openRunSecrets(
  vault: Vault,
  { db, caller }: Context,
  handles: readonly string[],
): Promise<RunSecret[]> {
  if (!caller.run) return [];
  const rows = await findRunSecrets(db, caller.run.id, handles);
  return Promise.all(
    rows.map(async (row) => {
      const value = await vault.open(db, buildRunSecretColumn(row), row.value);
      return { handle: { handle: row.handle, value, placements, hosts: row.hosts }, obtained: row.obtained };
    }),
  );
}

/** Stores the tokens of an answer for the caller's run. */
export async function keepForRun(
  vault: Vault,
  { db, caller, now, newId }: Context,
  request: TokenRequest,
  { tokens, hosts }: ExchangeResult,
): Promise<void> {
  if (!caller.run) throw new Error('tokens are stored only for runs');
  if ((await countRunSecrets(db, caller.run.id)) + tokens.length > most)
    throw new AppError('plan_limit', `A run can have at most ${most} tokens. Use one of the existing ones.`);
  for (const { path, value, handle } of tokens) {
    const row = { id: newId(), workspace_id: caller.workspaceId };
    const sealed = await vault.seal(db, buildRunSecretColumn(row), value);
    const obtained = { request, path };
    await insertRunSecret(db, {
      ...row,
      run_id: caller.run.id,
      handle,
      value: sealed,
      hosts,
      obtained,
      created_at: now,
    });
  }
}

/** Ends the secrets of a run that has ended. */
export async function endRunSecrets(db: Db, runId: string): Promise<void> {
  await deleteRunSecrets(db, runId);
}

function buildRunSecretColumn({ id, workspace_id: workspaceId }: Pick<RunSecretRow, 'id' | 'workspace_id'>) {
  return { workspaceId, table: 'run_secrets', row: id, column: 'value' };
}
