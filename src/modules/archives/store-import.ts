// Stores what an import received, in one transaction: brains first, then their contents.
import type { Context } from '#kernel/context';
import { AppError } from '#kernel/errors';
import type { Portable } from '#kernel/portable';
import {
  addBrain,
  archivedBrain,
  dropArchiveLines,
  listArchivedKinds,
  listBrainLines,
  readPersonalBrainId,
  updateFromArchive,
  type ReadLimits,
} from '#modules/brains';
import { lockImport, markStored, type ImportRow } from './store.ts';
import { toImportError } from './import-errors.ts';

export type ImportDeps = { portable: readonly Portable[]; readLimits: ReadLimits };

type StoredImport = { brain_ids: string[]; stored: Record<string, number> };

/** Checks that an import is complete and may be stored here. Throws `conflict` or `forbidden`. */
export async function checkImport(ctx: Context, { portable }: ImportDeps, importId: string): Promise<void> {
  const known = await lockImport(ctx.db, importId);
  if (!known.stored_at) await checkWhole(ctx, portable, known);
}

/** The kinds of items in a complete import. */
async function checkWhole(ctx: Context, portable: readonly Portable[], known: ImportRow) {
  if (known.received < known.lines)
    throw new AppError('conflict', `Lines are missing: send from line ${known.received + 1} of ${known.lines}.`);
  await checkPlace(ctx, known);
  const kinds = await listArchivedKinds(ctx.db, known.id);
  checkScopes(ctx, portable, kinds);
  return kinds;
}

/**
 * Stores a complete import. Throws `conflict` before it is complete, and `invalid_input` when something does not fit.
 */
export async function storeImport(ctx: Context, storing: ImportDeps, importId: string): Promise<StoredImport> {
  const known = await lockImport(ctx.db, importId);
  if (known.stored_at) return { brain_ids: known.brain_ids, stored: {} };
  const kinds = await checkWhole(ctx, storing.portable, known);
  const brainIds = await storeBrains(ctx, storing, known);
  if (kinds.some(({ last }) => last > brainIds.length))
    throw new AppError('invalid_input', 'Some lines belong to a brain that the archive has no line for.');
  const to = {
    importId,
    workspaceId: ctx.caller.workspaceId,
    personId: ctx.caller.personId,
    label: ctx.caller.label,
    brainIds,
    shift: known.shift,
  };
  const stored: Record<string, number> = { brain: brainIds.length };
  try {
    for (const { kind, store, checkStored } of storing.portable.filter((each) =>
      kinds.some(({ kind: there }) => there === each.kind),
    )) {
      stored[kind] = await store(ctx.db, to);
      await checkStored?.(ctx);
      ctx.progress(Object.keys(stored).length, kinds.length, `Storing ${kind}`);
    }
  } catch (error) {
    throw toImportError(error);
  }
  await dropArchiveLines(ctx.db, importId);
  await markStored(ctx.db, importId, { at: ctx.now, brainIds });
  return { brain_ids: brainIds, stored };
}

/** The caller may have lost the right to the target since the import began. */
async function checkPlace(ctx: Context, { parent_brain_id, into_brain_id }: ImportRow): Promise<void> {
  const place = into_brain_id ?? parent_brain_id;
  if (!place) return;
  const role = (await ctx.brains()).roles.get(place);
  if (role !== 'admin' && role !== 'owner')
    throw new AppError('forbidden', 'You no longer administer the brain that this import goes to. Start it again.');
}

function checkScopes({ caller }: Context, portable: readonly Portable[], kinds: readonly { kind: string }[]): void {
  const needed = portable.filter(({ kind }) => kinds.some((each) => each.kind === kind));
  const missing = [...new Set(needed.map(({ writeScope }) => writeScope))].filter((scope) => !caller.scopes.has(scope));
  if (!missing.length) return;
  throw new AppError(
    'forbidden',
    `The archive contains items that this key may not write: it lacks ${missing.join(', ')}.`,
    {
      missing,
    },
  );
}

async function storeBrains(ctx: Context, storing: ImportDeps, known: ImportRow): Promise<string[]> {
  const lines = await listBrainLines(ctx.db, known.id);
  if (!lines.length) throw new AppError('invalid_input', 'The archive contains no brain.');
  if (known.into_brain_id) {
    if (lines.length === 1) return [known.into_brain_id];
    throw new AppError(
      'invalid_input',
      `The archive contains ${lines.length} brains. Import it without into_brain_id.`,
    );
  }
  const ids: string[] = [];
  for (const { line, brain, data } of lines) {
    const about = archivedBrain.parse(data); // as when its line was received
    if (brain !== ids.length + 1 || (about.parent ?? 0) >= brain)
      throw new AppError('invalid_input', `Line ${line}: brains must be numbered from 1 on, parents first.`);
    const parent = about.parent ? ids[about.parent - 1]! : known.parent_brain_id;
    ids.push(await storeBrain(ctx, storing, { about, parent, shift: known.shift }));
  }
  return ids;
}

type ImportedBrain = ReturnType<typeof archivedBrain.parse>;

async function storeBrain(
  ctx: Context,
  { readLimits, portable }: ImportDeps,
  { about, parent, shift }: { about: ImportedBrain; parent: string | null; shift: number },
): Promise<string> {
  const { parent: _, is_personal, ...same } = about;
  const own = is_personal && !parent ? await findEmptyPersonalBrainId(ctx, portable) : null;
  const id = own ?? (await addBrain(ctx, readLimits, { ...same, parent_brain_id: parent }));
  await updateFromArchive(ctx.db, id, { ...same, shift });
  return id;
}

/** The caller's own personal brain while it is empty, so that a personal brain stays one. */
async function findEmptyPersonalBrainId(ctx: Context, portable: readonly Portable[]): Promise<string | null> {
  const id = await readPersonalBrainId(ctx.db, ctx.caller.personId);
  for (const { isIn } of portable) if (await isIn(ctx.db, id)) return null;
  return id;
}
