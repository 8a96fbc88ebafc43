import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import type { ActionRegistry } from '#modules/policy';
import { z } from 'zod';
import { loadViewer } from '../approvers/draft-access.ts';
import { draftId } from '../ids.ts';
import { draftOutput, presentDraft } from '../presenting/draft.ts';
import { canRedraft } from '../drafting/redraft.ts';
import { findDraft } from '../store/drafts.ts';
import { findBrokenLink, readLedger } from '../store/ledger.ts';

export function getAction(registry: ActionRegistry) {
  return defineOperation({
    name: 'get_action',
    summary: 'Show one draft with its complete history, step by step.',
    toolset: 'actions',
    effect: 'read',
    access: { scope: 'actions:read' },
    rest: [{ method: 'GET', path: '/v1/actions/{draft_id}' }],
    input: z.strictObject({ draft_id: draftId }),
    output: draftOutput.extend({
      can_redraft: z
        .boolean()
        .describe(
          'True: nothing was sent, and no other draft follows it. Draft again with act_on_integration and follows_id.',
        ),
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
    examples: [{ title: 'What was the outcome?', input: { draft_id: createExampleId('draft') } }],
    async run(ctx, { draft_id }) {
      const viewer = await loadViewer(ctx.db, ctx.caller, ctx.now);
      const draft = await findDraft(ctx.db, draft_id);
      const rows = await readLedger(ctx.db, draft_id); // after the draft, so that it has the step that led to its status
      return {
        ...presentDraft(draft, registry, viewer, ctx.now),
        can_redraft: draft.person_id === ctx.caller.personId && (await canRedraft(ctx, draft)),
        ledger: rows.map(({ at, step, detail, hash }) => ({
          at: at.toISOString(),
          step,
          detail: viewer.mayRead(draft.source, draft.account) ? detail : withoutFound(detail),
          hash,
        })),
        ledger_is_whole: findBrokenLink(rows) === null,
      };
    },
  });
}

/** The look-ups at drafting and just before sending are only for callers who may read the target. */
function withoutFound({ looked_up: _found, handle: _prepared, ...detail }: Record<string, unknown>) {
  return detail;
}
