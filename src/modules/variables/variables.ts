// Stores variables: the row, the value sealed at that row, and an event.
import type { Context } from '#kernel/context';
import { mayActAsPerson } from '#kernel/caller';
import { AppError } from '#kernel/errors';
import { readPastedSecret } from '#kernel/pasted-secret';
import type { Db } from '#kernel/database';
import { defaultPlacements } from '#platform/egress';
import type { Vault } from '#platform/vault';
import { generateHandle } from './handles.ts';
import { upsertVariable, lockVariable, storeValue, type SetterKind, type VariableRow } from './store/variables.ts';
import { checkSigningKey, isSigningKey, keyPlacement } from './signing-key.ts';
import type { VariableTier } from './tiers.ts';

/** The fields of a variable. Omitted ones stay unchanged. */
export type VariableInput = {
  name: string;
  value: string;
  description?: string | undefined;
  placements?: readonly string[] | undefined;
  hosts?: readonly string[] | undefined;
};

/** A stored variable, and what its person should know of its value or hosts. */
export type SavedVariable = VariableRow & { notice: string | null };

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

/** The context in which the value of a variable is sealed. */
export function buildValueColumn(workspaceId: string, id: string) {
  return { workspaceId, table: 'variables', row: id, column: 'value' };
}

/**
 * Stores a variable, without white space at the ends of its value. A variable with the same name is replaced and keeps
 * its handle, so references to it continue to work. Throws `forbidden` when one exists that the caller may not replace,
 * and `invalid_input` for a value with characters that were added by copying.
 */
export async function saveVariable(
  vault: Vault,
  db: Db,
  variableTier: VariableTier,
  given: VariableInput,
  { workspaceId, by, byLabel, byKind, at, newId, mayReplace = true }: StoreOptions,
): Promise<SavedVariable> {
  const { name, description, placements, hosts } = given;
  const { value, notice } = readPastedSecret(given.value, { field: name, mayHaveLines: mayHaveLines(placements) });
  const isOfAgent = byKind === 'agent';
  if (placements?.includes(keyPlacement)) checkSigningKey(value, { isOfAgent });
  const isKey = !isOfAgent && isSigningKey(value);
  const wanted = {
    ...variableTier,
    id: newId(),
    workspace_id: workspaceId,
    name,
    handle: generateHandle(),
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
  const row = await upsertVariable(db, wanted, { mayReplace });
  if (!row) throw createNotReplacedError(name);
  await storeValue(db, row.id, await vault.seal(db, buildValueColumn(workspaceId, row.id), value));
  return { ...row, notice: [notice, row.hosts.length ? null : nowhereYet].filter(Boolean).join(' ') || null };
}

const nowhereYet =
  'It cannot be sent anywhere yet, because it has no hosts. Add them with update_variable, or set it again with hosts, such as ["api.example.com"].';

/** Whether a value may have several lines, like a private key: not if it may be used in a header. */
export function mayHaveLines(placements: readonly string[] | undefined): boolean {
  return placements !== undefined && !placements.some((placement) => placement.split(':')[0] === 'header');
}

/**
 * Stores the value with which a provider replaced another, unless that was replaced meanwhile. The version stays the
 * same.
 */
export async function rotateValue(vault: Vault, db: Db, { id, from, to }: { id: string; from: string; to: string }) {
  const row = await lockVariable(db, id);
  if (!row) return;
  const place = buildValueColumn(row.workspace_id, id);
  if ((await vault.open(db, place, row.value)) === from) await storeValue(db, id, await vault.seal(db, place, to));
}

/** Who stores in a call, and when. */
export function getStoreOptions({ caller, now: at, newId }: Context): StoreOptions {
  const { workspaceId, personId: by, label: byLabel } = caller;
  return { workspaceId, by, byLabel, byKind: mayActAsPerson(caller) ? 'person' : 'agent', at, newId };
}

function createNotReplacedError(name: string): AppError {
  const message = `${name} already exists. An agent created this link, so only a signed-in person can replace the value with it: sign in to the console in this browser, and open the link again.`;
  return new AppError('forbidden', message, { var_name: name });
}
