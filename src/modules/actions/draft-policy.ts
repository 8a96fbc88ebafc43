// What the operations of the policy need of drafts.
import type { Ground } from '#platform';
import { buildDraftSubjectAsWritten, type DraftPolicy } from '#modules/policy';
import { viewerOf } from './approvers/draft-access.ts';
import { editedPayload } from './deciding/edit.ts';
import { staleAtChange } from './deciding/overtaken.ts';
import { gateDepsOf } from './gate-deps.ts';
import { findDraft } from './store/drafts.ts';

export function createDraftPolicy(ground: Ground): DraftPolicy {
  const { registry } = gateDepsOf(ground);
  return {
    // Trying rules would reveal a look-up that the caller may not read.
    async readSubject(ctx, draftId, edits) {
      const kept = await findDraft(ctx.db, draftId);
      const { mayRead } = await viewerOf(ctx.db, ctx.caller, ctx.now);
      const draft = mayRead(kept.source, kept.account) ? kept : { ...kept, target: null };
      const action = registry.get(draft.source, draft.action);
      return buildDraftSubjectAsWritten(action, draft, edits && editedPayload(action, draft, edits, ctx.face));
    },
    async markStale(ctx) {
      await staleAtChange(ctx, registry);
    },
  };
}
