// What the policy's operations need from drafts.
import type { Ground } from '#platform';
import { buildDraftSubjectAsWritten, type DraftPolicy } from '#modules/policy';
import { loadViewer } from './approvers/draft-access.ts';
import { buildEditedPayload } from './deciding/edit.ts';
import { markFirstStale } from './deciding/mark-stale.ts';
import { gateDepsOf } from './gate-deps.ts';
import { findDraft } from './store/drafts.ts';

export function createDraftPolicy(ground: Ground): DraftPolicy {
  const { registry } = gateDepsOf(ground);
  return {
    // Trying rules must not reveal a look-up that the caller may not read.
    async readSubject(ctx, draftId, edits) {
      const kept = await findDraft(ctx.db, draftId);
      const { mayRead } = await loadViewer(ctx.db, ctx.caller, ctx.now);
      const draft = mayRead(kept.source, kept.account) ? kept : { ...kept, target: null };
      const action = registry.get(draft.source, draft.action, draft.payload);
      return buildDraftSubjectAsWritten(action, draft, edits && buildEditedPayload(action, draft, edits, ctx.face));
    },
    async markStale(ctx) {
      await markFirstStale(ctx, registry);
    },
  };
}
