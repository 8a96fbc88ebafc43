import { exampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { draftId } from '../ids.ts';
import { draftOutput, presentDraft } from '../present.ts';
import type { ActionRegistry } from '../registry.ts';
import { findDraft } from '../store/drafts.ts';
import { brokenLink, readLedger } from '../store/ledger.ts';

export function getAction(registry: ActionRegistry) {
  return defineOperation({
    name: 'get_action',
    summary: 'Show one draft with everything that happened to it, step by step.',
    toolset: 'actions',
    effect: 'read',
    access: { scope: 'actions:read' },
    rest: [{ method: 'GET', path: '/v1/actions/{draft_id}' }],
    input: z.strictObject({ draft_id: draftId }),
    output: draftOutput.extend({
      ledger: z.array(
        z.object({
          at: z.iso.datetime(),
          step: z.string(),
          detail: z.record(z.string(), z.unknown()),
          hash: z.string(),
        }),
      ),
      ledger_is_whole: z.boolean().describe('False: a row of the ledger was changed or is missing.'),
    }),
    errors: ['not_found'],
    examples: [{ title: 'What became of it?', input: { draft_id: exampleId('draft') } }],
    async run(ctx, { draft_id }) {
      const rows = await readLedger(ctx.db, draft_id);
      return {
        ...presentDraft(await findDraft(ctx.db, draft_id), registry, ctx.now),
        ledger: rows.map(({ at, step, detail, hash }) => ({ at: at.toISOString(), step, detail, hash })),
        ledger_is_whole: brokenLink(rows) === null,
      };
    },
  });
}
