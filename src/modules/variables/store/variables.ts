import { exportLine, idCursor, type BrainContents } from '#kernel/brain-contents';
import { sql, type Kysely } from 'kysely';
import type { VariableTier, Tier } from '../tiers.ts';

/** Whether a person set a value, or an agent wrote it. */
export type SetterKind = 'person' | 'agent';

export type VariableRow = {
  id: string;
  workspace_id: string;
  scope: Tier;
  scope_id: string;
  brain_id: string | null;
  key_id: string | null;
  grant_id: string | null;
  permission_set_id: string | null;
  person_id: string | null;
  name: string;
  value: string;
  handle: string;
  description: string;
  placements: string[];
  hosts: string[];
  set_by: string;
  set_by_label: string;
  set_by_kind: SetterKind;
  /** Counts changes of the value and of its allowed places. A token that its provider rotates keeps its version. */
  version: number;
  description_by: string | null;
  /** Whether an agent wrote the description, and no person has saved it since. */
  is_description_unseen: boolean;
  created_at: Date;
  updated_at: Date;
};
type Tables = { variables: VariableRow };
type Db = Kysely<Tables>;

/** The column that names the holder of each tier, so that variables are deleted with their holder. */
const holderColumn = {
  org: null,
  brain: 'brain_id',
  agent: null, // a key or a connected client
  permission_set: 'permission_set_id',
  person: 'person_id',
} as const satisfies Record<Tier, keyof VariableRow | null>;

/** The holder of an agent's variable, if it is of this kind. */
function selectAgentId(kind: 'keys' | 'oauth_grants', { scope, scopeId }: VariableTier) {
  return sql<string | null>`(select id from ${sql.table(kind)} where id = ${scope === 'agent' ? scopeId : null}::uuid)`;
}

export type NewVariable = VariableTier &
  Pick<VariableRow, 'id' | 'workspace_id' | 'name' | 'handle' | 'set_by' | 'set_by_label' | 'set_by_kind'> & {
    /** When the variable exists, omitted fields stay as they are. */
    description?: string | undefined;
    placements?: readonly string[] | undefined;
    hosts?: readonly string[] | undefined;
    defaultPlacements: readonly string[];
    /** A placement that an existing variable loses with this value; null: none. */
    withoutPlacement: string | null;
    at: Date;
  };

/**
 * Creates the row of a variable, or finds the one with its name, locked until the transaction ends. Its value is stored
 * next. Undefined: one with its name exists and may not be replaced.
 */
export async function upsertVariable(
  db: Db,
  variable: NewVariable,
  { mayReplace }: { mayReplace: boolean },
): Promise<VariableRow | undefined> {
  const { scope, scopeId, at, description, placements, hosts, defaultPlacements, withoutPlacement, ...same } = variable;
  const column = holderColumn[scope];
  const described = {
    description: description ?? '',
    description_by: description ? same.set_by_label : null,
    is_description_unseen: Boolean(description) && same.set_by_kind === 'agent',
  };
  const changed = {
    set_by: same.set_by,
    set_by_label: same.set_by_label,
    set_by_kind: same.set_by_kind,
    version: sql<number>`variables.version + 1`,
    updated_at: at,
    ...(description !== undefined && described),
    ...(withoutPlacement && { placements: sql<string[]>`array_remove(variables.placements, ${withoutPlacement})` }),
    ...(placements && { placements: [...placements] }),
    ...(hosts && { hosts: [...hosts] }),
  };
  return db
    .insertInto('variables')
    .values({
      ...same,
      scope,
      scope_id: scopeId,
      brain_id: null,
      key_id: selectAgentId('keys', { scope, scopeId }),
      grant_id: selectAgentId('oauth_grants', { scope, scopeId }),
      permission_set_id: null,
      person_id: null,
      ...(column && { [column]: scopeId }),
      value: '',
      version: 1,
      ...described,
      placements: [...(placements ?? defaultPlacements)],
      hosts: [...(hosts ?? [])],
      created_at: at,
      updated_at: at,
    })
    .onConflict((conflict) => {
      const same = conflict.columns(['workspace_id', 'scope', 'scope_id', 'name']);
      return mayReplace ? same.doUpdateSet(changed) : same.doNothing();
    })
    .returningAll()
    .executeTakeFirst();
}

/**
 * Changes the fields of a variable except its value. Returns the changed row; undefined when there is none with this
 * name.
 */
export async function changeVariable(
  db: Db,
  { scope, scopeId }: VariableTier,
  name: string,
  change: Partial<
    Pick<VariableRow, 'description' | 'placements' | 'hosts' | 'description_by' | 'is_description_unseen'>
  > & {
    updated_at: Date;
  },
): Promise<VariableRow | undefined> {
  const isElsewhere = change.hosts !== undefined || change.placements !== undefined;
  return db
    .updateTable('variables')
    .set({ ...change, ...(isElsewhere && { version: sql<number>`version + 1` }) })
    .where('scope', '=', scope)
    .where('scope_id', '=', scopeId)
    .where('name', '=', name)
    .returningAll()
    .executeTakeFirst();
}

/** A variable, locked until the transaction ends. */
export async function lockVariable(db: Db, id: string): Promise<VariableRow | undefined> {
  return db.selectFrom('variables').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

export async function storeValue(db: Db, id: string, sealed: string): Promise<void> {
  await db.updateTable('variables').set({ value: sealed }).where('id', '=', id).execute();
}

/** The variables of any of these holders, by name. */
export async function listVariables(db: Db, standings: readonly VariableTier[]): Promise<VariableRow[]> {
  return selectTierVariables(db, standings).orderBy('name').orderBy('scope').limit(2_000).execute();
}

/** Those with these names, or these handles, that belong to any of these holders. */
export async function findVariables(
  db: Db,
  standings: readonly VariableTier[],
  by: { names: readonly string[] } | { handles: readonly string[] },
): Promise<VariableRow[]> {
  const isSought =
    'names' in by ? sql<boolean>`name = any(${by.names}::text[])` : sql<boolean>`handle = any(${by.handles}::text[])`;
  return selectTierVariables(db, standings).where(isSought).execute();
}

/** Those of these ids that exist. */
export async function findVariablesById(db: Db, ids: readonly string[]): Promise<VariableRow[]> {
  if (!ids.length) return [];
  return db.selectFrom('variables').selectAll().where('id', 'in', ids).execute();
}

/** The agents that have variables of their own. */
export async function listAgentsWithVariables(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('variables').select('scope_id').distinct().where('scope', '=', 'agent').execute();
  return rows.map((row) => row.scope_id);
}

/** Deletes a person's own variables. */
export async function deleteVariablesOfPerson(db: Db, personId: string): Promise<void> {
  await db.deleteFrom('variables').where('person_id', '=', personId).execute();
}

/** Deletes a variable. Returns the deleted row; undefined when there is none with this name. */
export async function deleteVariable(db: Db, { scope, scopeId }: VariableTier, name: string) {
  return db
    .deleteFrom('variables')
    .where('scope', '=', scope)
    .where('scope_id', '=', scopeId)
    .where('name', '=', name)
    .returning(['id', 'value'])
    .executeTakeFirst();
}

function selectTierVariables(db: Db, standings: readonly VariableTier[]) {
  const scopes = standings.map(({ scope }) => scope);
  const ids = standings.map(({ scopeId }) => scopeId);
  return db
    .selectFrom('variables')
    .selectAll()
    .where(sql<boolean>`(scope, scope_id) in (select * from unnest(${scopes}::text[], ${ids}::uuid[]))`);
}

/** Columns that an export leaves out: no value is exported, sealed or not. */
const hidden = ['value', 'key_id', 'grant_id', 'permission_set_id', 'person_id', 'scope', 'scope_id'];

/** The variables of a brain: listed in an export, and deleted with the brain. */
export const variableContents: BrainContents = {
  name: 'variables',
  scope: 'variables:read',
  cursor: idCursor,
  async count(db: Db, brainIds) {
    const rows = await db
      .selectFrom('variables')
      .select(['brain_id', (eb) => eb.fn.countAll<number>().as('count')])
      .where(sql<boolean>`brain_id = any(${brainIds}::uuid[])`)
      .groupBy('brain_id')
      .execute();
    return new Map(rows.map((row) => [String(row.brain_id), row.count]));
  },
  async exportBatch(db: Db, brainId, { after, limit }) {
    const rows = await db
      .selectFrom('variables')
      .selectAll()
      .where('brain_id', '=', brainId)
      .$if(after !== null, (query) => query.where('id', '>', after ?? ''))
      .orderBy('id')
      .limit(limit)
      .execute();
    return { lines: rows.map((row) => exportLine('variable', row, hidden)), next: rows.at(-1)?.id ?? null };
  },
};
