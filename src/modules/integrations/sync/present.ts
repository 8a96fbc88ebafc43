import { z } from 'zod';
import type { Coverage } from '#providers/reading';
import { syncStates, type SyncRow } from '../store/syncs.ts';

/** A sync as operations return it. */
export const syncOutput = z.object({
  sync_id: z.uuid(),
  source: z.string(),
  connection_id: z.uuid(),
  brain_id: z.uuid(),
  status: z.enum(syncStates).describe('failing: it retries at next_at. stopped: a person must set it up again.'),
  every_minutes: z.number().int(),
  days: z.number().int().nullable().describe('How far back the first reading went; null: everything.'),
  input: z.record(z.string(), z.unknown()).describe('Further settings of the source.'),
  items_done: z.number().int().describe('Of the current reading, or of the last one.'),
  items_total: z.number().int().nullable(),
  pages_changed: z.number().int(),
  errors: z.array(z.object({ item: z.string(), message: z.string() })),
  goes_back: z.string().describe('How far back it reads, and which later changes it notices.'),
  not_read: z.array(z.string()).describe('What the sync does not read, by kind.'),
  left_out: z
    .array(z.object({ why: z.string(), items: z.number().int() }))
    .describe(
      'How many items were left out, wholly or in part, by reason. Beyond the newest 10,000, an item that is read again may be counted again.',
    ),
  failure: z.string().nullable(),
  started_at: z.iso.datetime().nullable(),
  finished_at: z.iso.datetime().nullable(),
  next_at: z.iso.datetime(),
});

/** `leftOut`: what was left out so far, by reason. */
export function presentSync(
  row: SyncRow,
  { coverage, leftOut }: { coverage: Coverage | undefined; leftOut: { why: string; items: number }[] },
): z.input<typeof syncOutput> {
  const { id, source, connection_id, brain_id, status, every_minutes, days, input } = row;
  const { items_done, items_total, pages_changed, errors, failure } = row;
  return {
    sync_id: id,
    source,
    connection_id,
    brain_id,
    status,
    every_minutes,
    days,
    input,
    items_done,
    items_total,
    pages_changed,
    errors,
    goes_back: coverage?.goesBack ?? '',
    not_read: [...(coverage?.notRead ?? [])],
    left_out: leftOut,
    failure,
    started_at: row.started_at?.toISOString() ?? null,
    finished_at: row.finished_at?.toISOString() ?? null,
    next_at: row.next_at.toISOString(),
  };
}
