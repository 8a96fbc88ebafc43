// What a draft is bound to: each variable behind its handles, by id and version, and what people are told of it.
import { createHash } from 'node:crypto';
import type { Db } from '#kernel/database';
import type { BoundVariable } from '../bound-variable.ts';
import { findVariablesById, type VariableRow } from '../store/variables.ts';

/** Binds a variable as it is now. */
export function bindVariable(row: VariableRow): BoundVariable {
  const { handle, id: variable_id, version, name, set_by_label: set_by, set_by_kind, hosts, value } = row;
  const fingerprint = createHash('sha256').update(value).digest('hex').slice(0, 8); // of the sealed text
  const bound = { handle, variable_id, version, name, set_by: set_by.slice(0, 400), set_by_kind, hosts };
  return set_by_kind === 'agent' ? { ...bound, fingerprint } : bound;
}

/** What a stored preview says of the variables: never a value, whoever set it. */
export function previewFields(variables: readonly BoundVariable[]): { label: string; text: string }[] {
  return variables.flatMap((variable) =>
    variable.name === undefined ? [] : [{ label: `Variable ${variable.name}`, text: describe(variable) }],
  );
}

function describe({ handle, name, set_by, set_by_kind, hosts = [], fingerprint }: BoundVariable): string {
  if (set_by_kind === 'agent')
    return `${handle} is ${name}, whose value the agent “${set_by}” wrote (fingerprint ${fingerprint}). The approval page in the console shows it, and it is approved there alone.`;
  return `${handle} is ${name}, a secret that ${set_by} set. It may go to ${hosts.join(', ') || 'no host yet'}.`;
}

/** Whether a value among them was written by an agent: then a preview without it hides what an agent wants to send. */
export function hasAgentText(variables: readonly BoundVariable[]): boolean {
  return variables.some(({ set_by_kind }) => set_by_kind === 'agent');
}

/** Why a draft with these variables no longer stands. Null: each is the one it was, in the same version. */
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
