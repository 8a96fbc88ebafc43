import type { Caller } from '#kernel/caller';
import { createNotFoundError } from '#kernel/errors';
import type { ItemLocation } from '#kernel/resource';
import type { NameBinding } from '#modules/variables';
import { toJsonColumn } from '#platform/database';
import { sql } from 'kysely';
import type { AutomationRow, Db, VersionRow } from './tables.ts';

/** Automations that the caller may see: their own, or all for an administrator of the workspace. */
function selectVisible(db: Db, { personId, role, reach, homeBrainId }: Caller) {
  return db
    .selectFrom('automations')
    .$if(role === 'member', (query) => query.where('person_id', '=', personId))
    .$if(reach !== 'owner', (query) => query.where('person_id', '=', personId).where('brain_id', '=', homeBrainId));
}

export async function locateAutomations(db: Db, ids: readonly string[], caller: Caller): Promise<ItemLocation[]> {
  const rows = await selectVisible(db, caller).select('id').where('id', 'in', ids).execute();
  return rows.map(({ id }) => ({ id, brainId: null }));
}

export type AutomationFilter = { state?: AutomationRow['state'] | undefined; limit: number; offset: number };

/** Automations by name, and their number. Killed ones are included on request. */
export async function listAutomations(db: Db, caller: Caller, { state, limit, offset }: AutomationFilter) {
  const of = selectVisible(db, caller).where('state', state ? '=' : '<>', state ?? 'killed');
  const rows = await of.selectAll().orderBy('name').orderBy('id').limit(limit).offset(offset).execute();
  const { total } = await of.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  return { rows, total: Number(total) };
}

export type NewAutomation = Omit<AutomationRow, 'active_version_id' | 'bound_version_id'>;

/** Stores an automation with its first version. False: its owner already has one with that name. */
export async function insertAutomation(
  db: Db,
  automation: NewAutomation,
  version: Omit<VersionRow, 'automation_id' | 'workspace_id' | 'version'>,
): Promise<boolean> {
  const { id, workspace_id } = automation;
  const inserted = await db
    .insertInto('automations')
    .values({ ...automation, ...toJsonColumns(automation), active_version_id: version.id, bound_version_id: null })
    .onConflict((oc) => oc.doNothing())
    .executeTakeFirst();
  if (!inserted.numInsertedOrUpdatedRows) return false;
  await db
    .insertInto('automation_versions')
    .values({ ...version, automation_id: id, workspace_id, version: 1 })
    .execute();
  return true;
}

export type AutomationChange = Partial<Omit<AutomationRow, 'id' | 'workspace_id' | 'person_id' | 'created_at'>>;

export async function updateAutomationRow(db: Db, id: string, change: AutomationChange): Promise<void> {
  await db
    .updateTable('automations')
    .set({ ...change, ...toJsonColumns(change) })
    .where('id', '=', id)
    .execute();
}

/** The JSON among some columns. The driver would write lists as SQL arrays. */
function toJsonColumns({ triggers, tool_grants, settings, activated }: Partial<AutomationRow>) {
  return {
    ...(settings && { settings: toJsonColumn(settings) }),
    ...(triggers && { triggers: toJsonColumn(triggers) }),
    ...(tool_grants && { tool_grants: toJsonColumn(tool_grants) }),
    ...(activated && { activated: toJsonColumn(activated) }),
  };
}

export async function findAutomation(db: Db, id: string): Promise<AutomationRow | undefined> {
  return db.selectFrom('automations').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Whether a person has an automation of this name. */
export async function hasAutomationNamed(db: Db, personId: string, name: string): Promise<boolean> {
  const row = await db
    .selectFrom('automations')
    .select('id')
    .where('person_id', '=', personId)
    .where('name', '=', name)
    .executeTakeFirst();
  return row !== undefined;
}

/** The names of automations that were not deleted. */
export async function listAutomationNames(
  db: Db,
  ids: readonly string[],
): Promise<Pick<AutomationRow, 'id' | 'name'>[]> {
  return db
    .selectFrom('automations')
    .select(['id', 'name'])
    .where('id', 'in', ids)
    .where('state', '<>', 'killed')
    .execute();
}

/** The automation whose address has this hash, visible because its hash is presented. */
export async function findByWebhook(db: Db, hash: string) {
  return db
    .selectFrom('automations')
    .select(['id', 'workspace_id'])
    .where('webhook_hash', '=', hash)
    .executeTakeFirst();
}

/** As `findAutomation`, with a row lock. Throws `not_found` for one that was uninstalled meanwhile. */
export async function lockAutomation(db: Db, id: string): Promise<AutomationRow> {
  return db
    .selectFrom('automations')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow(() => createNotFoundError('automation'));
}

export async function insertVersion(db: Db, version: Omit<VersionRow, 'version'>): Promise<number> {
  const row = await db
    .insertInto('automation_versions')
    .values({
      ...version,
      version: sql<number>`(select max(version) + 1 from automation_versions where automation_id = ${version.automation_id})`,
    })
    .returning('version')
    .executeTakeFirstOrThrow();
  return row.version;
}

export async function findVersion(db: Db, automationId: string, id: string): Promise<VersionRow | undefined> {
  return db
    .selectFrom('automation_versions')
    .selectAll()
    .where('automation_id', '=', automationId)
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Versions, the newest first. */
export async function listVersions(db: Db, automationId: string): Promise<VersionRow[]> {
  return db
    .selectFrom('automation_versions')
    .selectAll()
    .where('automation_id', '=', automationId)
    .orderBy('version', 'desc')
    .limit(100)
    .execute();
}

/** The hosts that were acknowledged for an automation; with `isByPerson` only those that a person acknowledged. */
export async function listAcknowledgedHosts(
  db: Db,
  automationId: string,
  { isByPerson = false }: { isByPerson?: boolean } = {},
): Promise<string[]> {
  const rows = await db
    .selectFrom('automation_http_fetch_hosts')
    .select('host')
    .where('automation_id', '=', automationId)
    .$if(isByPerson, (query) => query.where('is_by_person', '=', true))
    .orderBy('host')
    .execute();
  return rows.map(({ host }) => host);
}

/** Replaces the hosts of an automation. Hosts that a person acknowledged before stay acknowledged by the person. */
export async function setHosts(
  db: Db,
  { id: automation_id, workspace_id }: Pick<AutomationRow, 'id' | 'workspace_id'>,
  hosts: readonly string[],
  isByPerson: boolean,
): Promise<void> {
  const ofPeople = await listAcknowledgedHosts(db, automation_id, { isByPerson: true });
  await db.deleteFrom('automation_http_fetch_hosts').where('automation_id', '=', automation_id).execute();
  const rows = [...new Set(hosts)].map((host) => {
    return { automation_id, workspace_id, host, is_by_person: isByPerson || ofPeople.includes(host) };
  });
  if (rows.length) await db.insertInto('automation_http_fetch_hosts').values(rows).execute();
}

/** What names of variables meant at its activation. */
export async function listActivatedBindings(db: Db, automationId: string): Promise<NameBinding[]> {
  return db
    .selectFrom('automation_variables')
    .select(['name', 'variable_id', 'handle'])
    .where('automation_id', '=', automationId)
    .execute();
}

export async function setBindings(
  db: Db,
  { id: automation_id, workspace_id }: Pick<AutomationRow, 'id' | 'workspace_id'>,
  bindings: readonly NameBinding[],
): Promise<void> {
  await db.deleteFrom('automation_variables').where('automation_id', '=', automation_id).execute();
  const rows = bindings.map((binding) => ({ ...binding, automation_id, workspace_id }));
  if (rows.length) await db.insertInto('automation_variables').values(rows).execute();
}

/** Active automations with a trigger of a kind. */
export async function listAutomationsByTrigger(db: Db, kind: string): Promise<AutomationRow[]> {
  return db
    .selectFrom('automations')
    .selectAll()
    .where('state', '=', 'active')
    .where(sql<boolean>`triggers @> ${JSON.stringify([{ kind }])}::jsonb`)
    .orderBy('id') // everybody locks in this order
    .execute();
}

/** Automations that write to one of these boards, with their owners' addresses, and when each ran last. */
export async function findWriters(db: Db, boardIds: readonly string[]) {
  return db
    .selectFrom('automations')
    .innerJoin('people_directory as people', 'people.id', 'automations.person_id')
    .selectAll('automations')
    .select(['people.email as owner_email'])
    .select((eb) =>
      eb
        .selectFrom('automation_runs')
        .whereRef('automation_runs.automation_id', '=', 'automations.id')
        .select((of) => of.fn.max('started_at').as('at'))
        .as('last_run_at'),
    )
    .where('state', '<>', 'killed')
    .where(sql<boolean>`writes_to_boards && ${sql.val([...boardIds])}::uuid[]`)
    .orderBy('automations.name')
    .execute();
}

/** Ends the addresses that revoked keys created. */
export async function endHooksOfKeys(db: Db, keyIds: readonly string[], at: Date): Promise<{ hook_addresses: number }> {
  const ended = await db
    .updateTable('automations')
    .set({ webhook_hash: null, webhook_made_by_key: null, webhook_ended_reason: keyRevoked, updated_at: at })
    .where('webhook_made_by_key', 'in', keyIds)
    .where('webhook_hash', 'is not', null)
    .returning('id')
    .execute();
  return { hook_addresses: ended.length };
}

const keyRevoked = 'The address ended because the key that created it was revoked. Create another one.';

/** Pauses the automations that revoked keys activated last. Returns their ids. */
export async function pauseAutomationsOfKeys(db: Db, keyIds: readonly string[], at: Date): Promise<string[]> {
  const paused = await db
    .updateTable('automations')
    .set({ state: 'paused', next_run_at: null, paused_reason: activatorRevoked, updated_at: at })
    .where('activated_by_key', 'in', keyIds)
    .where('state', '=', 'active')
    .returning('id')
    .execute();
  return paused.map(({ id }) => id);
}

const activatorRevoked = 'It was paused because the key that activated it was revoked. Check it and activate it again.';

/** Pauses a person's automations and ends their addresses. Returns all their ids. */
export async function pausePersonAutomations(db: Db, personId: string, at: Date): Promise<string[]> {
  const paused = await db
    .updateTable('automations')
    .set({ state: 'paused', next_run_at: null, webhook_hash: null, updated_at: at })
    .where('person_id', '=', personId)
    .where('state', '<>', 'killed')
    .returning('id')
    .execute();
  return paused.map(({ id }) => id);
}
