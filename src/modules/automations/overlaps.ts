// Finds automations that write to the same place.
import type { Context } from '#kernel/context';
import { AppError } from '#kernel/errors';
import { locateBoards } from '#modules/boards';
import { findWriters } from './store/automations.ts';

export type OverlapQuery = {
  writes_to_boards: readonly string[];
  dedupe_target_field?: string | undefined;
  /** Null: the automation has none, so none is equal. */
  dedupe_key_field?: string | null | undefined;
  trigger_kind?: string | undefined;
};

/**
 * Automations that write to the same boards, filtered by a field if one is given; `strict_overlap` where they avoid
 * duplicates by the same field. `purpose`: the purpose of each, in its owner's words.
 */
export async function findOverlaps(
  ctx: Context,
  { writes_to_boards, trigger_kind, ...fields }: OverlapQuery,
  exceptId?: string,
) {
  const boards = await filterReadableBoards(ctx, writes_to_boards);
  const rows = (await findWriters(ctx.db, boards)).filter(({ id }) => id !== exceptId);
  const withKinds = rows.map((row) => ({ row, kinds: [...new Set(row.triggers.map(({ kind }) => kind))] }));
  return withKinds
    .filter(({ row }) => mayShareField(row, fields))
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
      strict_overlap: hasSameField(row, fields),
      purpose: row.intent || row.description || row.name,
    }));
}

type Fields = Pick<OverlapQuery, 'dedupe_target_field' | 'dedupe_key_field'>;
type RowFields = { dedupe_target_field: string | null; dedupe_key_field: string | null };

/** Whether it matches the request: always, unless the request names where rows go. */
function mayShareField(row: RowFields, { dedupe_target_field: target, dedupe_key_field: key }: Fields): boolean {
  return target === undefined || row.dedupe_target_field === target || (key != null && row.dedupe_key_field === key);
}

/** Whether both avoid duplicates by the same field of the same board. A missing field matches any. */
function hasSameField(row: RowFields, { dedupe_target_field: target, dedupe_key_field: key }: Fields): boolean {
  const isAnyKey = key === undefined && target === undefined;
  const isSameTarget =
    row.dedupe_target_field !== null && (target ?? row.dedupe_target_field) === row.dedupe_target_field;
  const isSameKey = row.dedupe_key_field !== null && (isAnyKey || key === row.dedupe_key_field);
  return isSameTarget || isSameKey;
}

/** Every reader of a board sees the automations that write to it. */
async function filterReadableBoards(ctx: Context, boardIds: readonly string[]): Promise<string[]> {
  const { roles } = await ctx.brains();
  const located = await locateBoards(ctx.db, boardIds);
  return located.filter(({ brainId }) => brainId !== null && roles.has(brainId)).map(({ id }) => id);
}

type SavedOverlap = {
  writes_to_boards: readonly string[];
  dedupe_target_field?: string | undefined;
  dedupe_key_field?: string | undefined;
  acknowledged_overlap?: boolean | undefined;
  coexistence_note?: string | undefined;
};

/** Throws `conflict` when another automation writes to the same board and nobody acknowledged the overlap. */
export async function checkOverlap(ctx: Context, saved: SavedOverlap): Promise<void> {
  const { acknowledged_overlap, coexistence_note, writes_to_boards } = saved;
  if (!writes_to_boards.length) return;
  if (acknowledged_overlap && !coexistence_note)
    throw new AppError(
      'invalid_input',
      'coexistence_note: explain in 10 to 1,000 characters how the two work together.',
    );
  if (acknowledged_overlap) return;
  const asked = { ...saved, dedupe_key_field: saved.dedupe_key_field ?? null };
  const matches = (await findOverlaps(ctx, asked)).filter(({ strict_overlap }) => strict_overlap);
  if (!matches.length) return;
  const names = matches.map(({ name }) => `“${name}”`).join(', ');
  const message = `${names} writes to the same board and field. Extend it by update_automation, or send acknowledged_overlap with a coexistence_note.`;
  throw new AppError('conflict', message, {
    matches: matches.map(({ automation_id, name }) => ({ automation_id, name })),
  });
}
