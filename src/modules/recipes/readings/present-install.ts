import { z } from 'zod';
import { installStates } from '../install-states.ts';
import { recipeKinds } from '../manifest/kinds.ts';
import type { ReadingRow } from '../store/readings.ts';

const count = z.number().int();

/** An install in answers. */
export const installOutput = z.object({
  install_id: z.uuid(),
  slug: z.string(),
  name: z.string(),
  version: z.string(),
  brain_id: z.uuid(),
  entity_kind: z.enum(recipeKinds),
  entity_id: z.uuid().describe('What was made; of a bundle and of a declarative integration the install itself.'),
  bundle_id: z.uuid().nullable().describe('The install of the bundle that it came with.'),
  state: z.enum(installStates),
  inputs: z.record(z.string(), z.unknown()),
  account: z.uuid().nullable().describe('The linked account that it uses.'),
  next_at: z.iso.datetime().nullable().describe('When it is read next; null: never by itself.'),
  read_at: z.iso.datetime().nullable().describe('When it was last read. Its pages are of that time.'),
  failure: z
    .string()
    .nullable()
    .describe('Why the last reading failed, or which items of it; what was read before stays.'),
  failed_at: z.iso.datetime().nullable(),
  counters: z
    .object({ requests: count, retries: count, items: count, pages: count, bytes: count })
    .describe('Since it was installed.'),
  created_by: z.string(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});

export function presentInstall(install: ReadingRow): z.input<typeof installOutput> {
  const { id, slug, name, version, brain_id, entity_kind, entity_id, bundle_id, state, inputs } = install;
  const { requests = 0, retries = 0, items = 0, pages = 0, bytes = 0 } = install.counters;
  return {
    install_id: id,
    slug,
    name,
    version,
    brain_id,
    entity_kind,
    entity_id,
    bundle_id,
    state,
    inputs,
    account: install.connection_id,
    next_at: install.next_at?.toISOString() ?? null,
    read_at: install.read_at?.toISOString() ?? null,
    failure: install.failure,
    failed_at: install.failed_at?.toISOString() ?? null,
    counters: { requests, retries, items, pages, bytes },
    created_by: install.created_by,
    created_at: install.created_at.toISOString(),
    updated_at: install.updated_at.toISOString(),
  };
}
