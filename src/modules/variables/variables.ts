// Stores variables: the row, the value sealed at that row, and an event.
import type { Context } from '#kernel/context';
import { actsAsPerson } from '#kernel/caller';
import { AppError } from '#kernel/errors';
import type { Db } from '#kernel/database';
import { defaultPlacements } from '#platform/egress';
import type { Vault } from '#platform/vault';
import { newHandle } from './handles.ts';
import { holdVariable, lockVariable, storeValue, type SetterKind, type VariableRow } from './store/variables.ts';
import { checkSigningKey, isSigningKey, keyPlacement } from './signing-key.ts';
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
  /** Whether a person gave the value, or an agent wrote it. */
  byKind: SetterKind;
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
  { workspaceId, by, byLabel, byKind, at, newId, mayReplace = true }: StoreOptions,
): Promise<VariableRow> {
  const { name, value, description, placements, hosts } = given;
  const isOfAgent = byKind === 'agent';
  if (placements?.includes(keyPlacement)) checkSigningKey(value, { isOfAgent });
  const isKey = !isOfAgent && isSigningKey(value);
  const wanted = {
    ...standing,
    id: newId(),
    workspace_id: workspaceId,
    name,
    handle: newHandle(),
    description,
    placements,
    hosts,
    defaultPlacements: isKey ? [...defaultPlacements, keyPlacement] : defaultPlacements,
    withoutPlacement: isKey ? null : keyPlacement,
    set_by: by,
    set_by_label: byLabel,
    set_by_kind: byKind,
    at,
  };
  const row = await holdVariable(db, wanted, { mayReplace });
  if (!row) throw notReplaced(name);
  await storeValue(db, row.id, await vault.seal(db, placeOf(workspaceId, row.id), value));
  return row;
}

/** Stores the value that a provider gave in the place of another, unless that was replaced meanwhile. It is the same version. */
export async function rotateValue(vault: Vault, db: Db, { id, from, to }: { id: string; from: string; to: string }) {
  const row = await lockVariable(db, id);
  if (!row) return;
  const place = placeOf(row.workspace_id, id);
  if ((await vault.open(db, place, row.value)) === from) await storeValue(db, id, await vault.seal(db, place, to));
}

/** Who stores in a call, and when. */
export function storingOf({ caller, now: at, newId }: Context): StoreOptions {
  const { workspaceId, personId: by, label: byLabel } = caller;
  return { workspaceId, by, byLabel, byKind: actsAsPerson(caller) ? 'person' : 'agent', at, newId };
}

function notReplaced(name: string): AppError {
  const message = `${name} is there already. An agent made this link, so only a signed-in person replaces the value by it: sign in to the console in this browser, and open the link again.`;
  return new AppError('forbidden', message, { var_name: name });
}
