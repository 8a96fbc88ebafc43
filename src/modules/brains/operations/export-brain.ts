import type { Context } from '#kernel/context';
import { AppError } from '#kernel/errors';
import { createExampleId } from '#kernel/examples';
import { itemIdList } from '#kernel/ids';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import type { BrainContents, ExportLine } from '#kernel/brain-contents';
import type { Portable } from '#kernel/portable';
import { archiveContents, type Section } from '../archive-contents.ts';
import { brainId } from '../ids.ts';

/** The size of an answer in characters of JSON. The last batch may exceed it. */
const fullAt = 2_000_000;
const linesPerBatch = 50;

/** Exports these contents in order. An archive has the portable ones only. */
export function exportBrain(contents: readonly BrainContents[], portable: readonly Portable[]) {
  return defineOperation({
    name: 'export_brain',
    summary: 'Export everything in a brain, page by page. Each line is one item of a JSON Lines file.',
    toolset: 'brains',
    effect: 'read',
    access: { scope: 'brains:read', brain: { role: 'admin', of: ['brain_id', 'with_brain_ids'] }, isForPeople: true },
    rest: [{ method: 'GET', path: '/v1/brains/{brain_id}/export' }],
    input: z.strictObject({
      brain_id: brainId,
      cursor: z
        .string()
        .max(2_000)
        .optional()
        .describe('`next_cursor` of the previous page. Leave it out for the first page.'),
      limit: z
        .number()
        .int()
        .min(1)
        .max(1_000)
        .default(500)
        .describe('Maximum lines per answer. Long lines make it fewer.'),
      form: z
        .enum(['listing', 'archive'])
        .default('listing')
        .describe(
          'archive: lines that `start_import` accepts on any server, with the ids of the archive they came from.',
        ),
      with_brain_ids: itemIdList('brain', 1_000)
        .optional()
        .describe('For an archive: all brains that it will contain, parents first. Links between them are kept.'),
    }),
    output: z.object({
      lines: z.array(z.record(z.string(), z.unknown())),
      next_cursor: z.string().nullable().describe('Null: this is the last page.'),
    }),
    errors: ['not_found', 'forbidden', 'invalid_input'],
    examples: [{ title: 'The first page', input: { brain_id: createExampleId('brain') } }],
    async run(ctx, { brain_id, cursor, limit, form, with_brain_ids = [brain_id] }) {
      const isArchive = form === 'archive';
      const sections: readonly Section[] = isArchive ? archiveContents(portable, brain_id, with_brain_ids) : contents;
      checkScopes(ctx, sections);
      return readPage(ctx, sections, { brainId: brain_id, limit, ...parseExportCursor(sections, cursor) });
    },
    async afterCommit(ctx, { lines, next_cursor }) {
      const whole: ExportLine[] = [];
      for (const { line, complete } of lines) {
        const completed = complete ? await complete(line, ctx.caller.workspaceId) : line;
        if (completed) whole.push(completed);
      }
      return { lines: whole, next_cursor };
    },
  });
}

function checkScopes({ caller }: Context, contents: readonly Section[]): void {
  const missing = [...new Set(contents.map(({ scope }) => scope))].filter((scope) => !caller.scopes.has(scope));
  if (!missing.length) return;
  throw new AppError(
    'forbidden',
    `An export contains everything, but this key cannot read all of it: it lacks ${missing.join(', ')}.`,
    {
      missing,
    },
  );
}

/** A cursor: the content, and the last exported item. */
function parseExportCursor(contents: readonly Section[], text: string | undefined) {
  if (text === undefined) return { section: 0, after: null };
  const end = text.indexOf(':');
  const section = contents.findIndex(({ name }) => name === text.slice(0, end));
  const after = text.slice(end + 1);
  if (contents[section]?.cursor.test(after)) return { section, after };
  throw new AppError('invalid_input', 'cursor: not from this operation. Use next_cursor of its previous answer.');
}

async function readPage(
  ctx: Context,
  contents: readonly Section[],
  place: { brainId: string; limit: number; section: number; after: string | null },
) {
  const lines: { line: ExportLine; complete: Section['complete'] }[] = [];
  let { after } = place;
  let size = 0;
  for (const { name, exportBatch, complete } of contents.slice(place.section)) {
    for (;;) {
      const limit = Math.min(linesPerBatch, place.limit - lines.length);
      const batch = await exportBatch(ctx.db, place.brainId, { after, limit });
      lines.push(...batch.lines.map((line) => ({ line, complete })));
      after = batch.next;
      if (after === null || (batch.lines.length < limit && !batch.hasMore)) break;
      size += batch.characters ?? JSON.stringify(batch.lines).length;
      if (lines.length >= place.limit || size >= fullAt) return { lines, next_cursor: `${name}:${after}` };
    }
    after = null;
  }
  return { lines, next_cursor: null };
}
