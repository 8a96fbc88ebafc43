// Stores the values from a page: all or none, with an event for each and one audit row.
import type { Db } from '#kernel/database';
import type { EmitEvent } from '#kernel/event';
import { insertAuditRow } from '#modules/audit';
import type { Vault } from '#platform/vault';
import { getTierEventScope, variableChanged } from '../events.ts';
import type { SetterKind } from '../store/variables.ts';
import type { VariableTier } from '../tiers.ts';
import { saveVariable, type VariableInput, type SavedVariable } from '../variables.ts';

export type SavedName = Pick<SavedVariable, 'name' | 'notice'>;

/** Who stores, from which page, and in which request. */
export type ByPage = {
  workspaceId: string;
  by: string;
  byLabel: string;
  /** `agent`: it is unknown whether a person submitted the page. Default: `person`. */
  byKind?: SetterKind;
  /** False: an existing value stays. Default: true. */
  mayReplace?: boolean;
  /** The session, or the link that was the authority. */
  caller: { kind: string; id: string };
  page: string;
  requestId: string;
};

/** Stores the values of a page, in the transaction of `db`. Returns the names, and notes for the person about each. */
export async function saveGiven(
  { vault, emitEvent, now, newId }: { vault: Vault; emitEvent: EmitEvent; now: () => Date; newId: () => string },
  db: Db,
  variableTier: VariableTier,
  given: readonly VariableInput[],
  { workspaceId, by, byLabel, byKind = 'person', mayReplace = true, caller, page, requestId }: ByPage,
): Promise<SavedName[]> {
  const at = now();
  const saved: (SavedName & { id: string })[] = [];
  for (const each of given) {
    const storing = { workspaceId, by, byLabel, byKind, at, newId, mayReplace };
    const { id, name, notice } = await saveVariable(vault, db, variableTier, each, storing);
    const event = variableChanged(
      { variable_id: id, var_scope: variableTier.scope, change: 'set' },
      getTierEventScope(variableTier),
    );
    await emitEvent(db, event, { id: newId(), workspaceId, at });
    saved.push({ id, name, notice });
  }
  await insertAuditRow(db, {
    id: newId(),
    workspace_id: workspaceId,
    at,
    caller_kind: caller.kind,
    caller_id: caller.id,
    person_id: by,
    operation: page,
    face: 'console',
    request_id: requestId,
    subject: { variable_id: saved.map(({ id }) => id), scope_id: [variableTier.scopeId] },
  });
  return saved.map(({ name, notice }) => ({ name, notice }));
}
