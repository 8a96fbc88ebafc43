// Finds automations that write to the same place.
import type { Context } from '#kernel/context';
import { AppError } from '#kernel/errors';
import { locateBoards } from '#modules/boards';
import { findWriters } from './store/automations.ts';

export type OverlapQuery = {
  writes_to_boards: readonly string[];
  dedupe_target_field?: string | undefined;
  trigger_kind?: string | undefined;
};

/**
 * Automations that write to the same boards; `strict` where field and trigger are the same, too. `purpose`: what each
 * is for, in its owner's words.
 */
export async function findOverlaps(
  ctx: Context,
  { writes_to_boards, dedupe_target_field, trigger_kind }: OverlapQuery,
  exceptId?: string,
) {
  const boards = await readable(ctx, writes_to_boards);
  const rows = (await findWriters(ctx.db, boards)).filter(({ id }) => id !== exceptId);
  const withKinds = rows.map((row) => ({ row, kinds: [...new Set(row.triggers.map(({ kind }) => kind))] }));
  return withKinds
    .filter(({ row }) => dedupe_target_field === undefined || row.dedupe_target_field === dedupe_target_field)
    .filter(({ kinds }) => trigger_kind === undefined || kinds.some((kind) => kind === trigger_kind))
    .map(({ row, kinds }) => ({
      automation_id: row.id,
      owner_email: row.owner_email,
      is_self: row.person_id === ctx.caller.personId,
      name: row.name,
      description: row.description,
      state: row.state,
      last_run_at: row.last_run_at?.toISOString() ?? null,
      writes_to_boards: row.writes_to_boards.filter(
        (id) => row.person_id === ctx.caller.personId || boards.includes(id),
      ),
      dedupe_target_field: row.dedupe_target_field,
      dedupe_key_field: row.dedupe_key_field,
      trigger_kinds: kinds,
      trigger_types: kinds,
      strict_overlap:
        row.dedupe_target_field !== null &&
        row.dedupe_target_field === (dedupe_target_field ?? row.dedupe_target_field),
      purpose: row.intent || row.description || row.name,
    }));
}

/** Every reader of a board sees the automations that write to it. */
async function readable(ctx: Context, boardIds: readonly string[]): Promise<string[]> {
  const { roles } = await ctx.brains();
  const located = await locateBoards(ctx.db, boardIds);
  return located.filter(({ brainId }) => brainId !== null && roles.has(brainId)).map(({ id }) => id);
}

type Saved = {
  writes_to_boards: readonly string[];
  dedupe_target_field?: string | undefined;
  acknowledged_overlap?: boolean | undefined;
  coexistence_note?: string | undefined;
};

/** Throws `conflict` when another automation writes to the same place and nobody acknowledged the overlap. */
export async function checkOverlap(ctx: Context, saved: Saved): Promise<void> {
  const { acknowledged_overlap, coexistence_note, writes_to_boards } = saved;
  if (!writes_to_boards.length) return;
  if (acknowledged_overlap && !coexistence_note)
    throw new AppError('invalid_input', 'coexistence_note: say in 10 to 1,000 characters how the two get along.');
  if (acknowledged_overlap) return;
  const matches = (await findOverlaps(ctx, saved)).filter(({ strict_overlap }) => strict_overlap);
  if (!matches.length) return;
  const names = matches.map(({ name }) => `“${name}”`).join(', ');
  const message = `${names} writes to the same board and field. Extend it by update_automation, or send acknowledged_overlap with a coexistence_note.`;
  throw new AppError('conflict', message, {
    matches: matches.map(({ automation_id, name }) => ({ automation_id, name })),
  });
}
