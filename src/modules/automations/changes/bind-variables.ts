// Binds the names of variables when a person activates an automation: from then on each name means the same variable.
import type { Context } from '#kernel/context';
import { AppError } from '#kernel/errors';
import { readPersonalBrainId } from '#modules/brains';
import { bindNames, findLostBindings, type NameBinding } from '#modules/variables';
import { listActivatedBindings, setBindings } from '../store/automations.ts';
import type { AutomationRow, Db, RunRow } from '../store/tables.ts';

/** Binds the names for the runs of a locked automation. Its owner is the caller. */
export async function bindVariables(ctx: Context, automation: AutomationRow): Promise<void> {
  const { id: automationId, brain_id, person_id } = automation;
  const brainId = brain_id ?? (await readPersonalBrainId(ctx.db, person_id));
  await setBindings(ctx.db, automation, await bindNames(ctx, { automationId, brainId }));
}

/** What names mean for a run; null: its version was not activated, so the current meaning applies. */
export async function listRunBindings(
  db: Db,
  { id, bound_version_id }: AutomationRow,
  { version_id }: Pick<RunRow, 'version_id'>,
): Promise<NameBinding[] | null> {
  return bound_version_id === version_id ? listActivatedBindings(db, id) : null;
}

/**
 * Throws `conflict` when a variable that the source names was deleted: a later variable of the same name is another
 * one.
 */
export async function checkBindings(db: Db, bindings: readonly NameBinding[], source: string): Promise<void> {
  const words = new Set(source.match(/\w+/g));
  const lost = (await findLostBindings(db, bindings)).filter(
    ({ name, handle }) => words.has(name) || words.has(handle),
  );
  if (!lost.length) return;
  const names = lost.map(({ name }) => name);
  throw new AppError(
    'conflict',
    `It was activated with ${names.join(', ')}, and that was deleted. Set it again if you still want it to run, and activate the automation once more.`,
    { variables: names },
  );
}
