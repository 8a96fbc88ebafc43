// Installs that move to another version.
import { toJsonColumn } from '#platform/database';
import type { InstallState } from '../install-states.ts';
import type { Db, InstallBase, RecipeInstallRow } from './tables.ts';

/** The install that made something. */
export async function findInstallOfEntity(db: Db, entityId: string): Promise<RecipeInstallRow | undefined> {
  return db.selectFrom('recipe_installs').selectAll().where('entity_id', '=', entityId).executeTakeFirst();
}

export async function findInstall(db: Db, id: string): Promise<RecipeInstallRow | undefined> {
  return db.selectFrom('recipe_installs').selectAll().where('id', '=', id).executeTakeFirst();
}

/** The parts of a bundle, in the order in which they were installed. */
export async function listParts(db: Db, bundleId: string): Promise<RecipeInstallRow[]> {
  return db.selectFrom('recipe_installs').selectAll().where('bundle_id', '=', bundleId).orderBy('id').execute();
}

export type UpgradedFields = {
  version: string;
  name: string;
  base: InstallBase;
  inputs: RecipeInstallRow['inputs'];
  state: InstallState;
  at: Date;
};

/** Cursor, account and counters stay. An install that needs something first is not due. */
export async function updateUpgraded(
  db: Db,
  { id, next_at }: Pick<RecipeInstallRow, 'id' | 'next_at'>,
  { version, name, base, inputs, state, at }: UpgradedFields,
): Promise<void> {
  await db
    .updateTable('recipe_installs')
    .set({
      version,
      name,
      base: toJsonColumn(base),
      inputs: toJsonColumn(inputs),
      state,
      next_at: state === 'needs_setup' ? null : next_at,
      updated_at: at,
    })
    .where('id', '=', id)
    .execute();
}

/** Puts an install into a bundle. */
export async function joinBundle(db: Db, id: string, bundleId: string): Promise<void> {
  await db.updateTable('recipe_installs').set({ bundle_id: bundleId }).where('id', '=', id).execute();
}
