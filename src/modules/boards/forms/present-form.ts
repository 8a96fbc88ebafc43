import { z } from 'zod';
import type { BoardFormRow } from '../store/tables.ts';

/** A form in answers, without its address: that is shown once. */
export const formOutput = z.object({
  form_id: z.uuid(),
  board_id: z.uuid(),
  dataset: z.string(),
  title: z.string(),
  intro: z.string(),
  columns: z.array(z.string()),
  free_text: z.boolean(),
  entries: z.number().int().describe('How many rows came through it.'),
  last_entry_at: z.iso.datetime().nullable(),
  created_by: z.string(),
  created_at: z.iso.datetime(),
  closed_at: z.iso.datetime().nullable(),
});

export function presentForm(form: BoardFormRow): z.input<typeof formOutput> {
  const { id, board_id, dataset, title, intro, columns, free_text, created_by } = form;
  return {
    form_id: id,
    board_id,
    dataset,
    title,
    intro,
    columns,
    free_text,
    entries: form.entry_count,
    last_entry_at: form.last_entry_at?.toISOString() ?? null,
    created_by,
    created_at: form.created_at.toISOString(),
    closed_at: form.closed_at?.toISOString() ?? null,
  };
}
