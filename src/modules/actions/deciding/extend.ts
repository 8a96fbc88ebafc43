// Extending: a person lets a draft wait longer. Its content, and every approval of it, stay as they are.
import { mayActAsPerson } from '#kernel/caller';
import type { Context } from '#kernel/context';
import { AppError } from '#kernel/errors';
import { lockAuthority } from '../approvers/draft-access.ts';
import { draftExtended } from '../events.ts';
import { lockDraft } from '../store/drafts.ts';
import { appendToLedger } from '../store/ledger.ts';
import { extendPending } from '../store/open-drafts.ts';
import { createExpiredError, createNotPendingError } from './edit.ts';
import { getLedgerActor } from '../ledger-actor.ts';

/** A draft waits seven days at most, counted from when it was drafted. */
export const longestWaitMinutes = 10_080;

type ExtendRequest = { draftId: string; minutes: number; publicUrl: string };

/**
 * Lets a pending draft wait this many minutes from now, with a ledger row and an event. It never shortens the time, and
 * a repeated call changes nothing. Throws `forbidden` for an agent, and `conflict` for a draft that is no longer
 * pending.
 */
export async function extendDraft(ctx: Context, { draftId, minutes, publicUrl }: ExtendRequest): Promise<void> {
  const draft = await lockDraft(ctx.db, draftId);
  const authority = await lockAuthority(ctx, draft);
  if (!mayActAsPerson(ctx.caller)) throw createOnlyPeopleError(publicUrl, draftId);
  if (draft.status !== 'pending') throw createNotPendingError(draft, 'extended');
  if (draft.is_overdue) throw createExpiredError();
  const wait = { fromNowMs: minutes * 60_000, longestMs: longestWaitMinutes * 60_000 };
  const until = await extendPending(ctx.db, draft, wait);
  if (until === null) return;
  const detail = {
    ...getLedgerActor(ctx),
    ...authority,
    was_until: draft.expires_at.toISOString(),
    until: until.toISOString(),
  };
  await appendToLedger(ctx.db, draft, 'extended', detail, ctx.now);
  await ctx.emit(draftExtended({ draft_id: draft.id, expires_at: until.toISOString() }, { personId: draft.person_id }));
}

/** The error for every caller that is not a person. */
export function createOnlyPeopleError(publicUrl: string, draftId: string): AppError {
  const url = `${publicUrl}/inbox/${draftId}`;
  const message = `Only a person can extend a draft. Ask the person to extend it in the inbox, or draft it again once it expired: ${url}`;
  return new AppError('forbidden', message, { inbox_url: url });
}
