// What a person last activated, and the differences of the automation since then.
import { isDeepStrictEqual } from 'node:util';
import type { Context } from '#kernel/context';
import type { Db } from '#kernel/database';
import { findCallerKeyId } from '#modules/accounts';
import { z } from 'zod';
import { findVersion, type AutomationChange } from '../store/automations.ts';
import { settingNames, type AcceptedReads, type AutomationRow, type Settings } from '../store/tables.ts';
import { computeAddedRights, moreOutput } from './added-rights.ts';

export const sinceActivationOutput = z.object({
  activated_at: z.iso.datetime(),
  activated_by: z.string().nullable().describe('null: not recorded.'),
  source: z.string().nullable().describe('The source that was activated; null: it is the same.'),
  settings: z
    .array(z.object({ name: z.string(), from: z.unknown(), to: z.unknown() }))
    .nullable()
    .describe('Settings that differ; null: the activated settings were not recorded.'),
  asks_for_more: moreOutput.nullable().describe('Additional rights since the activation.'),
});

/** Whether a person ever activated an automation. */
export function wasEverActive({ activated_at }: Pick<AutomationRow, 'activated_at'>): boolean {
  return activated_at !== null;
}

/** The record of what a person activates now. */
export async function buildActivation(
  ctx: Context,
  automation: AutomationRow,
  hosts: readonly string[],
  reads: AcceptedReads | undefined,
): Promise<AutomationChange> {
  const { now, caller } = ctx;
  const { active_version_id: version_id } = automation;
  const activated = { version_id, settings: getActivatedSettings(automation, hosts), reads };
  const by = { activated_by_label: caller.label, activated_by_key: await findCallerKeyId(ctx) };
  return { activated, activated_at: now, ...by };
}

/** The differences of an automation from what a person last activated. Null: nobody ever activated it. */
export async function presentSinceActivation(
  db: Db,
  automation: AutomationRow,
  hosts: readonly string[],
): Promise<z.output<typeof sinceActivationOutput> | null> {
  const { id, activated_at, activated_by_label: activated_by, activated, active_version_id } = automation;
  if (!activated_at) return null;
  const at = { activated_at: activated_at.toISOString(), activated_by };
  if (!activated) return { ...at, source: null, settings: null, asks_for_more: null };
  const [before, after] = [activated.settings, getActivatedSettings(automation, hosts)];
  const isSameVersion = activated.version_id === active_version_id;
  const version = isSameVersion ? undefined : await findVersion(db, id, activated.version_id);
  return {
    ...at,
    source: version?.source ?? null,
    settings: ([...settingNames, 'hosts'] as const)
      .filter((name) => !isDeepStrictEqual(before[name], after[name]))
      .map((name) => ({ name: toPublicName(name), from: before[name], to: after[name] })),
    asks_for_more: computeAddedRights(before, after),
  };
}

/** The name of a setting in inputs and answers. */
export function toPublicName(name: string): string {
  return name === 'hosts' ? 'acknowledged_http_fetch_hosts' : name;
}

function getActivatedSettings(automation: AutomationRow, hosts: readonly string[]): Settings {
  const settings = Object.fromEntries(settingNames.map((name) => [name, automation[name]]));
  return { ...settings, hosts: [...hosts].toSorted() } as Settings; // each of its names is present
}
