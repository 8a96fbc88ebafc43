import type { Context } from '#kernel/context';
import type { Prompt } from '#kernel/module';
import { listDeciders, findDraft, findOwnerName, loadPersonViewer, type DraftRow } from '#modules/actions';
import { findReachablePhone, type Phone } from './phones.ts';
import { isFittingPhone, formatPromptHtml, type PromptContext } from './format-prompt.ts';
import { queueReplies } from '../store/messages.ts';
import { insertPrompt, type ButtonName } from '../store/prompts.ts';

/**
 * Creates the function that shows drafts on phones: of their owners, and of delegates. It sends nothing itself: the
 * message is stored with the draft, and the process that listens to the bot sends it.
 */
export function createPromptPhone({ publicUrl }: { publicUrl: string }): Prompt {
  return async (ctx, draftId) => {
    const draft = await findDraft(ctx.db, draftId);
    let isOnPhone = false;
    for (const personId of await listDeciders(ctx.db, draft, ctx.now)) {
      const phone = await findReachablePhone(ctx.db, personId);
      // Drafts of others go only to phones that signed-in people linked.
      if (!phone || (personId !== draft.person_id && !phone.link.is_human_surface)) continue;
      const owner = findOwnerName(await loadPersonViewer(ctx.db, personId, ctx.now), draft);
      await putOn(ctx, phone, draft, { publicUrl, now: ctx.now, owner });
      isOnPhone = true;
    }
    return isOnPhone;
  };
}

async function putOn(
  { db, now, newId }: Context,
  phone: Phone,
  draft: DraftRow,
  telling: PromptContext,
): Promise<void> {
  const { id: linkId, workspace_id, connection_id, chat_id } = phone.link;
  const place = { workspace_id, connection_id, chat_id, draft_id: draft.id, created_at: now };
  const buttons = chooseButtons(phone, draft, telling);
  const isNew = await insertPrompt(db, { ...place, link_id: linkId, buttons, expires_at: draft.expires_at });
  if (isNew)
    await queueReplies(db, [{ ...place, id: newId(), reply_to: null, html: formatPromptHtml(draft, telling) }]);
}

/** A phone that no signed-in person linked cannot decide: it gets the link. */
function chooseButtons({ link }: Phone, draft: DraftRow, telling: PromptContext): ButtonName[] {
  if (!link.is_human_surface) return [];
  return isFittingPhone(draft, telling) ? ['approve', 'decline'] : ['decline'];
}
