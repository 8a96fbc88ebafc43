// The variables that a draft is bound to: each variable behind its handles, by id and version, with what people see of
// it.
import { createHash } from 'node:crypto';
import type { Db } from '#kernel/database';
import type { BoundVariable } from '../bound-variable.ts';
import { findVariablesById, type VariableRow } from '../store/variables.ts';

/** Binds the present version of a variable. */
export function bindVariable(row: VariableRow): BoundVariable {
  const { handle, id: variable_id, version, name, set_by_label: set_by, set_by_kind, hosts, value } = row;
  const fingerprint = createHash('sha256').update(value).digest('hex').slice(0, 8); // of the sealed text
  const bound = { handle, variable_id, version, name, set_by: set_by.slice(0, 400), set_by_kind, hosts };
  return set_by_kind === 'agent' ? { ...bound, fingerprint } : bound;
}

/** What a stored preview shows of the variables: never a value, even one that the viewer set. */
export function previewFields(variables: readonly BoundVariable[]): { label: string; text: string }[] {
  return variables.flatMap((variable) =>
    variable.name === undefined ? [] : [{ label: `Variable ${variable.name}`, text: describe(variable) }],
  );
}

function describe({ handle, name, set_by, set_by_kind, hosts = [], fingerprint }: BoundVariable): string {
  if (set_by_kind === 'agent')
    return `${handle} is ${name}, whose value the agent “${set_by}” wrote (fingerprint ${fingerprint}). Only the approval page in the console shows it, and only there you can approve it.`;
  return `${handle} is ${name}, a secret that ${set_by} set. It may go to ${hosts.join(', ') || 'no host yet'}.`;
}

/** Whether an agent wrote a value among them: then a preview without it would hide what an agent wants to send. */
export function hasAgentText(variables: readonly BoundVariable[]): boolean {
  return variables.some(({ set_by_kind }) => set_by_kind === 'agent');
}

/** Why a draft with these variables is no longer valid. Null: each variable still has the same version. */
export async function findOutdatedReason(db: Db, variables: readonly BoundVariable[]): Promise<string | null> {
  const rows = await findVariablesById(
    db,
    variables.map(({ variable_id }) => variable_id),
  );
  for (const { variable_id, version, name = 'A variable' } of variables) {
    const row = rows.find(({ id }) => id === variable_id);
    if (!row)
      return `${name} was deleted after this was drafted. Nothing was sent. Draft it again if you still want it.`;
    if (version === undefined)
      return `This was drafted before versions of variables were counted, so ${row.name} may have changed since. Nothing was sent. Draft it again.`;
    if (row.version !== version)
      return `${row.name} was changed after this was drafted. Nothing was sent. Draft it again if you still want it.`;
  }
  return null;
}
