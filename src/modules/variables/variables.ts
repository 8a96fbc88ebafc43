// Stores variables: the row, the value sealed at that row, and an event.
import type { Context } from '#kernel/context';
import { isAgent, type Caller } from '#kernel/caller';
import { AppError } from '#kernel/errors';
import type { Db } from '#kernel/database';
import { defaultPlacements } from '#platform/egress';
import type { Vault } from '#platform/vault';
import { newHandle } from './handles.ts';
import { holdVariable, lockVariable, storeValue, type VariableRow } from './store/variables.ts';
import type { Standing } from './tiers.ts';

/** The fields of a variable. Omitted ones stay unchanged. */
export type Given = {
  name: string;
  value: string;
  description?: string | undefined;
  placements?: readonly string[] | undefined;
  hosts?: readonly string[] | undefined;
};

/** Who stores, and when. */
export type StoreOptions = {
  workspaceId: string;
  by: string;
  byLabel: string;
  at: Date;
  newId: () => string;
  /** False: an existing one stays unchanged. Default: true. */
  mayReplace?: boolean;
};

/** The place where the value of a variable is sealed. */
export function placeOf(workspaceId: string, id: string) {
  return { workspaceId, table: 'variables', row: id, column: 'value' };
}

/**
 * Stores a variable. One of the same name is replaced and keeps its handle, so that whatever names it goes on. Throws `forbidden` when
 * there is one that the caller may not replace.
 */
export async function saveVariable(
  vault: Vault,
  db: Db,
  standing: Standing,
  given: Given,
  { workspaceId, by, byLabel, at, newId, mayReplace = true }: StoreOptions,
): Promise<VariableRow> {
  const { name, value, description, placements, hosts } = given;
  const wanted = {
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
  };
  const row = await holdVariable(db, wanted, { mayReplace });
  if (!row) throw notReplaced(name);
  await storeValue(db, row.id, await vault.seal(db, placeOf(workspaceId, row.id), value));
  return row;
}

/** Stores the value that came in the place of another, unless that was replaced meanwhile. */
export async function rotateValue(vault: Vault, db: Db, { id, from, to }: { id: string; from: string; to: string }) {
  const row = await lockVariable(db, id);
  if (!row) return;
  const place = placeOf(row.workspace_id, id);
  if ((await vault.open(db, place, row.value)) === from) await storeValue(db, id, await vault.seal(db, place, to));
}

/** An agent replaces only its own variables: a person's values and hosts stay theirs. */
function mayReplace(caller: Caller, { scope, scopeId }: Standing): boolean {
  if (!isAgent(caller) || caller.scopes.has('shared_variables:write')) return true;
  return scope === 'agent' && scopeId === caller.id;
}

/** Who stores in a call, and when. */
export function storingOf({ caller, now: at, newId }: Context, standing: Standing): StoreOptions {
  const { workspaceId, personId: by, label: byLabel } = caller;
  return { workspaceId, by, byLabel, at, newId, mayReplace: mayReplace(caller, standing) };
}

function notReplaced(name: string): AppError {
  const message = `${name} is there already, and agents do not replace what people keep. Ask your person for another value with create_variable_link.`;
  return new AppError('forbidden', message, { var_name: name });
}
