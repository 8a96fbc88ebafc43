// Who hides and shows what recipes made: one row for each kind.
import type { Context } from '#kernel/context';
import type { Db } from '#kernel/database';
import { listAutomationNames, recoverAutomations, uninstallAutomations } from '#modules/automations';
import { listBoardNames, recoverBoards, uninstallBoards } from '#modules/boards';
import { listWorkflowTitles, recoverWorkflows, uninstallWorkflows } from '#modules/workflows';
import { isReading } from '../manifest/recipe.ts';
import { withVisibleUninstalled } from '#platform/database';
import type { RecipeInstallRow } from '../store/tables.ts';

type NamedEntity = { id: string; name: string };

type EntityOwner = {
  uninstall(ctx: Context, ids: readonly string[]): Promise<void>;
  /** Shows entities again and answers those that were there, with their names from now on. */
  recover(ctx: Context, ids: readonly string[]): Promise<NamedEntity[]>;
  listNames(db: Db, ids: readonly string[]): Promise<NamedEntity[]>;
};

/** The columns that tell what an install made. */
export type InstalledEntity = Pick<RecipeInstallRow, 'entity_kind' | 'entity_id' | 'base'>;

/** The present names of what installs made, by id; of what is uninstalled, too. */
export async function mapEntityNames(
  db: Db,
  installs: readonly InstalledEntity[],
): Promise<ReadonlyMap<string, string>> {
  const entities = await withVisibleUninstalled(db, async () => {
    const found = [];
    for (const owner of ownerNames) {
      const ids = installs.filter((install) => findOwnerName(install) === owner).map(({ entity_id }) => entity_id);
      if (ids.length) found.push(...(await entityOwners[owner].listNames(db, ids)));
    }
    return found;
  });
  return new Map(entities.map(({ id, name }) => [id, name]));
}

export const ownerNames = ['board', 'automation', 'workflow'] as const;
export type OwnerName = (typeof ownerNames)[number];

export const entityOwners: Readonly<Record<OwnerName, EntityOwner>> = {
  board: { uninstall: uninstallBoards, recover: recoverBoards, listNames: listBoardNames },
  automation: { uninstall: uninstallAutomations, recover: recoverAutomations, listNames: listAutomationNames },
  workflow: { uninstall: uninstallWorkflows, recover: recoverWorkflows, listNames: listWorkflowTitles },
};

/** The owner of what an install made. Null: it made nothing but itself. */
export function findOwnerName({ entity_kind, base }: Pick<RecipeInstallRow, 'entity_kind' | 'base'>): OwnerName | null {
  if (entity_kind === 'bundle') return null;
  if (entity_kind !== 'integration') return entity_kind;
  return base.recipe.kind === 'integration' && isReading(base.recipe.template) ? null : 'automation';
}
