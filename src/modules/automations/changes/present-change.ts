import type { Db } from '#kernel/database';
import { z } from 'zod';
import { language } from '../fields.ts';
import { findVersion, listAcknowledgedHosts } from '../store/automations.ts';
import type { AutomationRow, ChangeRow } from '../store/tables.ts';
import { computeAddedRights, moreOutput } from './added-rights.ts';

export const changeOutput = z.object({
  change_id: z.uuid(),
  version_id: z.uuid().nullable(),
  source: z.string().nullable().describe('The new source; null: it stays.'),
  language: language.nullable(),
  fields: z.record(z.string(), z.unknown()).describe('The other fields that would change.'),
  asks_for_more: moreOutput.describe('Additional rights that the change grants.'),
  created_by: z.string(),
  created_at: z.iso.datetime(),
});

/** A pending change, with the rights that it adds. */
export async function presentChange(
  db: Db,
  automation: AutomationRow,
  {
    id,
    version_id,
    fields,
    created_by_label,
    created_at,
  }: Omit<ChangeRow, 'status' | 'decided_at' | 'decided_by_label'>,
): Promise<z.output<typeof changeOutput>> {
  const hosts = await listAcknowledgedHosts(db, automation.id);
  const version = version_id ? await findVersion(db, automation.id, version_id) : undefined;
  const before = { ...automation, hosts };
  return {
    change_id: id,
    version_id,
    source: version?.source ?? null,
    language: version?.language ?? null,
    fields,
    asks_for_more: computeAddedRights(before, { ...before, ...fields }),
    created_by: created_by_label,
    created_at: created_at.toISOString(),
  };
}
