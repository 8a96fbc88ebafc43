// The design of an automation: all of it that a recipe says. It has neither state, versions, key-value pairs nor runs.
import { isDeepStrictEqual } from 'node:util';
import { createNotFoundError } from '#kernel/errors';
import type { Language } from '#platform/sandbox';
import { resolveGrantNames, type FindOperation } from './check-grants.ts';
import { findAutomation, findVersion, listAcknowledgedHosts } from './store/automations.ts';
import { findWaitingChange } from './store/changes.ts';
import { settingNames, type AutomationRow, type Db, type Settings, type WantedFields } from './store/tables.ts';
import { getUsualOverlap } from './triggers.ts';
import type { AutomationInput } from './save-automation.ts';

export type AutomationDesign = Settings & {
  /** A source merges with its language. */
  code: { source: string; language: Language };
};

/** The design of an automation that is saved like this. */
export function buildAutomationDesign(
  { source, language, acknowledged_http_fetch_hosts = [], ...input }: AutomationInput,
  find: FindOperation,
): AutomationDesign {
  const overlap = input.overlap ?? getUsualOverlap(input.triggers);
  const tool_grants = resolveGrantNames(input.tool_grants, find);
  const row = { ...input, overlap, tool_grants };
  return { ...pickSettings(row, acknowledged_http_fetch_hosts), code: { source, language } };
}

/**
 * The design of an automation as it is now, or as it will be once a person accepts the pending change, where that is one of
 * `changeIds`. Throws `not_found` for an automation that was deleted.
 */
export async function readAutomationDesign(
  db: Db,
  automationId: string,
  { changeIds = [] }: { changeIds?: readonly string[] } = {},
): Promise<AutomationDesign> {
  const automation = await findAutomation(db, automationId);
  if (!automation || automation.state === 'killed') throw createNotFoundError('automation');
  const change = changeIds.length ? await findWaitingChange(db, automationId) : undefined;
  const present = await buildPresentDesign(db, automation, change?.version_id ?? automation.active_version_id);
  return change && changeIds.includes(change.id) ? { ...present, ...sortHosts(change.fields) } : present;
}

/** The design of a row, with the source of one of its versions. */
export async function buildPresentDesign(
  db: Db,
  automation: AutomationRow,
  versionId: string = automation.active_version_id,
): Promise<AutomationDesign> {
  const version = await findVersion(db, automation.id, versionId);
  const code = { source: version?.source ?? '', language: version?.language ?? ('typescript' as const) };
  return { ...pickSettings(automation, await listAcknowledgedHosts(db, automation.id)), code };
}

/** The settings in which a design differs from another one. */
export function compareDesigns(before: AutomationDesign, after: AutomationDesign): WantedFields {
  const names = [...settingNames, 'hosts'] as const;
  const changed = names.filter((name) => !isDeepStrictEqual(before[name], after[name]));
  return Object.fromEntries(changed.map((name) => [name, after[name]]));
}

/** A design as what a new automation is made of. */
export function toAutomationInput({ code, hosts, ...design }: AutomationDesign): AutomationInput {
  return { ...design, ...code, acknowledged_http_fetch_hosts: hosts, writes_to_boards: [] };
}

function pickSettings(row: Omit<Settings, 'hosts'>, hosts: readonly string[]): Settings {
  const settings = Object.fromEntries(settingNames.map((name) => [name, row[name]]));
  return { ...settings, ...sortHosts({ hosts: [...hosts] }) } as Settings; // each of its names is present
}

function sortHosts(fields: WantedFields): WantedFields {
  return fields.hosts ? { ...fields, hosts: [...new Set(fields.hosts)].toSorted() } : fields;
}
