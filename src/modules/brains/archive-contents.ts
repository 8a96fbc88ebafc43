// A brain in an archive: lines that any server can import.
import type { BrainContents, ExportLine } from '#kernel/brain-contents';
import { idCursor } from '#kernel/brain-contents';
import { AppError } from '#kernel/errors';
import { archived, type Portable } from '#kernel/portable';
import { z } from 'zod';
import { brainNameField, description, language, routingRules } from './brain-fields.ts';
import { findBrainToArchive } from './store/archives.ts';

type Batch = Awaited<ReturnType<BrainContents['exportBatch']>> & { hasMore?: boolean; characters?: number };
/** A table's export. `complete` adds data from outside the database to a line. Null: the line is dropped. */
export type Section = Pick<BrainContents, 'name' | 'scope' | 'cursor'> & {
  exportBatch(...asked: Parameters<BrainContents['exportBatch']>): Promise<Batch>;
  complete?(line: ExportLine, workspaceId: string): Promise<ExportLine | null>;
};

/** A brain's own line in an archive. `parent` is the number of the brain above it, if the archive has it. */
export const archivedBrain = z.strictObject({
  parent: z.number().int().min(1).nullable(),
  is_personal: z.boolean(),
  name: brainNameField,
  description,
  routing_rules: routingRules,
  language,
  created_at: archived.time,
});

/** The sections of a brain in an archive that holds these brains. Throws `invalid_input` when the brain is not one of them. */
export function archiveContents(
  portable: readonly Portable[],
  brainId: string,
  brainIds: readonly string[],
): readonly Section[] {
  const brain = brainIds.indexOf(brainId) + 1;
  if (!brain) throw new AppError('invalid_input', 'with_brain_ids: must include brain_id, too.');
  const itself: Section = {
    name: 'brain',
    scope: 'brains:read',
    cursor: idCursor,
    async exportBatch(db, id, { after }) {
      if (after) return { lines: [], next: null };
      const { parent_brain_id, personal_to, ...same } = await findBrainToArchive(db, id);
      const above = brainIds.indexOf(parent_brain_id ?? '') + 1;
      const item = { parent: above || null, is_personal: personal_to !== null, ...same };
      return { lines: [{ kind: 'brain', brain, item }], next: id };
    },
  };
  const parts = portable.map(({ kind, scope, cursor, exportBatch, complete }) => ({
    name: kind,
    scope,
    cursor,
    async exportBatch(db, id, page) {
      const { rows, ...rest } = await exportBatch(db, { brainId: id, archived: brainIds }, page);
      return { lines: rows.map((item) => ({ kind, brain, item })), ...rest };
    },
    ...(complete && {
      async complete({ item }, workspaceId) {
        const whole = await complete(item as Record<string, unknown>, workspaceId); // written by `exportBatch`
        return whole && { kind, brain, item: whole };
      },
    }),
  })) satisfies Section[];
  return [itself, ...parts];
}
