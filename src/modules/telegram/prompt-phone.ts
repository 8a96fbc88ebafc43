import type { DraftRow, PromptPhone } from '#modules/actions';
import { reachablePhone, type Phone } from './phones.ts';
import { fitsPhone, promptHtml, type Telling } from './prompt-words.ts';
import { queueReplies } from './store/messages.ts';
import { findPrompt, insertPrompt, type ButtonName } from './store/prompts.ts';

/**
 * Makes what puts drafts before people on their phones. It says nothing itself: what is to be said is stored with the draft,
 * and whoever listens to the bot says it.
 */
export function createPromptPhone({ publicUrl }: { publicUrl: string }): PromptPhone {
  return async (ctx, draft) => {
    if (await findPrompt(ctx.db, draft.id)) return true;
    const phone = await reachablePhone(ctx.db, draft.person_id);
    if (!phone) return false;
    const { id: linkId, workspace_id, connection_id, chat_id } = phone.link;
    const place = { workspace_id, connection_id, chat_id, draft_id: draft.id, created_at: ctx.now };
    const telling = { publicUrl, now: ctx.now };
    const buttons = buttonsFor(phone, draft, telling);
    await insertPrompt(ctx.db, { ...place, link_id: linkId, buttons, expires_at: draft.expires_at });
    await queueReplies(ctx.db, [{ ...place, id: ctx.newId(), reply_to: null, html: promptHtml(draft, telling) }]);
    return true;
  };
}

/** A phone that nobody who had signed in linked decides nothing: it gets the link. */
function buttonsFor({ link }: Phone, draft: DraftRow, telling: Telling): ButtonName[] {
  if (!link.is_human_surface) return [];
  return fitsPhone(draft, telling) ? ['approve', 'decline'] : ['decline'];
}
