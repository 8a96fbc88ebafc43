// Storing a variable: its row, its value sealed at that row, and word that it changed.
import type { Db } from '#kernel/database';
import { defaultPlacements } from '#platform/egress';
import type { Vault } from '#platform/vault';
import { newHandle } from './handles.ts';
import { holdVariable, storeValue, type VariableRow } from './store/variables.ts';
import type { Standing } from './tiers.ts';

/** What is given for a variable. What is left out stays as it was. */
export type Given = {
  name: string;
  value: string;
  description?: string | undefined;
  placements?: readonly string[] | undefined;
  hosts?: readonly string[] | undefined;
};

/** Who stores, and when. */
export type Storing = { workspaceId: string; by: string; byLabel: string; at: Date; newId: () => string };

/** Where the value of a variable is sealed. */
export function placeOf(workspaceId: string, id: string) {
  return { workspaceId, table: 'variables', row: id, column: 'value' };
}

/**
 * Stores a variable. One of the same name is replaced and keeps its handle, so that whatever names it goes on. Where a
 * value may go is changed together with the value alone: whoever widens it has to have it.
 */
export async function saveVariable(
  vault: Vault,
  db: Db,
  standing: Standing,
  given: Given,
  { workspaceId, by, byLabel, at, newId }: Storing,
): Promise<VariableRow> {
  const { name, value, description, placements, hosts } = given;
  const row = await holdVariable(db, {
    ...standing,
    id: newId(),
    workspace_id: workspaceId,
    name,
    handle: newHandle(),
    description,
    placements,
    hosts,
    defaultPlacements,
    set_by: by,
    set_by_label: byLabel,
    at,
  });
  await storeValue(db, row.id, await vault.seal(db, placeOf(workspaceId, row.id), value));
  return row;
}
