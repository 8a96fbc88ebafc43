import { AppError } from '#kernel/errors';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { listRequestedBrainIds, brainsInput, ownersOnly } from '../requested-brains.ts';
import { formatLine } from '../formats.ts';
import { leftOut } from '../left-out.ts';
import { maskLine, masks } from '../mask.ts';
import { datasets, platforms } from '../pair.ts';
import { isKept, listDatasetParts, readPart } from '../pairs.ts';
import { countInConflict } from '../store.ts';

const cursorForm = /^(\d):(\d{1,9}):([0-9a-f/-]{0,60})$/;

export const trainingDownload = defineOperation({
  name: 'training_download',
  summary:
    'Read a training dataset as JSON Lines, page by page; GET /v1/training/download/{dataset} streams it as a file.',
  toolset: 'documents',
  effect: 'read',
  access: { ...ownersOnly, isForPeople: true },
  input: z.strictObject({
    dataset: z.enum(datasets),
    platform: z.enum(platforms).default('generic'),
    mask: z.enum(masks).default('secrets'),
    cursor: z.string().max(100).optional().describe('`next_cursor` of the previous page.'),
    limit: z.number().int().min(2).max(500).default(500).describe('How many memories one page uses.'),
    ...brainsInput,
  }),
  output: z.object({
    jsonl: z.string().describe('One pair on each line.'),
    pairs: z.number().int(),
    left_out: leftOut,
    next_cursor: z.string().nullable(),
  }),
  errors: ['not_found', 'forbidden', 'invalid_input'],
  examples: [{ title: 'What the brain knows', input: { dataset: 'domain_sft', platform: 'openai' } }],
  async run(ctx, { dataset, platform, mask, cursor, limit, ...asked }) {
    const place = parseDownloadCursor(cursor);
    const parts = listDatasetParts(dataset);
    const part = parts[place.part];
    if (!part)
      throw new AppError('invalid_input', 'cursor: not from this dataset. Use next_cursor of a previous answer.');
    const page = { brainIds: listRequestedBrainIds(ctx, asked), after: place.after, limit };
    const { pairs, next } = await readPart[part](ctx.db, page);
    const lines = pairs
      .filter((_, at) => isKept(part, place.number + at, { dataset, platform }))
      .map((pair) => maskLine({ ...(dataset === 'all' && { dataset: part }), ...formatLine(platform, pair) }, mask));
    const isLast = next === null && place.part === parts.length - 1;
    const number = place.number + pairs.length;
    return {
      jsonl: lines.map((line) => `${line}\n`).join(''),
      pairs: lines.length,
      left_out: { in_conflict: await countInConflict(ctx.db, page.brainIds) },
      next_cursor: isLast ? null : next === null ? `${place.part + 1}:0:` : `${place.part}:${number}:${next}`,
    };
  },
});

function parseDownloadCursor(cursor: string | undefined): { part: number; number: number; after: string | null } {
  if (cursor === undefined) return { part: 0, number: 0, after: null };
  const [, part, number, after] = cursorForm.exec(cursor) ?? [];
  if (part === undefined)
    throw new AppError('invalid_input', 'cursor: not from this operation. Use next_cursor of a previous answer.');
  return { part: Number(part), number: Number(number), after: after || null };
}
