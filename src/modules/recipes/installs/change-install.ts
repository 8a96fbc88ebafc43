// Changes the state, the inputs or the account of an install.
import type { Context } from '#kernel/context';
import { AppError } from '#kernel/errors';
import { moveInstallState } from '../install-states.ts';
import { updateInstall, type ReadingRow } from '../store/readings.ts';
import { checkInputs, chooseInputs, listMissingInputs, type GivenInputs } from './choose-inputs.ts';
import { findAccount } from './find-account.ts';

export type InstallChange = {
  state?: 'active' | 'paused' | undefined;
  inputs?: GivenInputs | undefined;
  account?: string | null | undefined;
};

/** The changed install. An active one is read at once. Throws for inputs and accounts that its recipe does not take. */
export async function changeInstall(
  ctx: Context,
  install: ReadingRow,
  change: InstallChange,
  publicUrl: string,
): Promise<ReadingRow> {
  if (install.entity_id !== install.id || install.entity_kind === 'bundle')
    throw new AppError('conflict', `${install.name} has what it does in its ${install.entity_kind}. Change it there.`);
  const { recipe, values } = install.base;
  if (change.inputs) checkInputs(change.inputs, [{ recipe }]);
  const given = { ...values.inputs, ...change.inputs };
  const missing = listMissingInputs({ recipe }, given).map(({ name }) => name);
  if (missing.length) throw new AppError('invalid_input', `inputs: these are missing: ${missing.join(', ')}.`);
  const inputs = chooseInputs({ recipe }, given);
  const connectionId = await chooseConnection(ctx, install, change, publicUrl);
  const state = moveInstallState(install.state, change.state ?? install.state);
  const isActive = state === 'active' || state === 'failing';
  return updateInstall(ctx.db, install.id, {
    state: isActive ? 'active' : state,
    inputs,
    base: { recipe, values: { inputs, ids: { ...values.ids, account: connectionId ?? '' } } },
    connection_id: connectionId,
    // Who activates it answers for it from now on.
    ...(change.state === 'active' && { person_id: ctx.caller.personId }),
    at: ctx.now,
    isDue: isActive,
  });
}

async function chooseConnection(
  ctx: Context,
  { connection_id, base }: ReadingRow,
  { account }: InstallChange,
  publicUrl: string,
): Promise<string | null> {
  if (account === undefined) return connection_id;
  return account === null ? null : findAccount(ctx, base.recipe, { account, publicUrl });
}
