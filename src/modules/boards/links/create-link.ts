// Makes a link of a board to a service.
import { mayActAsPerson } from '#kernel/caller';
import type { Context } from '#kernel/context';
import { AppError, createNotFoundError } from '#kernel/errors';
import { chooseAccount, type AnsweringAccount } from '#modules/integrations';
import type { Jobs } from '#platform/jobs';
import { emitBoardChanged } from '../events.ts';
import { limits } from '../limits.ts';
import { lockBoard, touchBoard } from '../store/boards.ts';
import { findLink, insertLink, listBoardLinks } from '../store/links.ts';
import type { BoardLinkRow } from '../store/tables.ts';
import { chooseAdapter, createAccountNeededError, parseRef, type LinkAdapter } from './adapters.ts';
import { linkNoticeJob, type LinkNotice } from './notify-account-owner.ts';
import { createCallerJudge, judgeLink } from './read-link.ts';

export type LinkInput = {
  board_id: string;
  kind: string;
  ref: Record<string, unknown>;
  display_name: string;
  integration_provider?: string | undefined;
  integration_user_id?: string | undefined;
};

export type LinkDeps = { jobs: Jobs; canMail: boolean; publicUrl: string };

/** Stores a link that the caller may read. The person of another account is notified. */
export async function createLink(ctx: Context, deps: LinkDeps, input: LinkInput): Promise<BoardLinkRow> {
  const known = chooseAdapter(input.kind);
  const ref = parseRef(known.adapter, input.ref);
  const account = await chooseLinkAccount(ctx, deps, known, input);
  const board = await lockBoard(ctx.db, input.board_id);
  if (!board) throw createNotFoundError('board');
  if ((await listBoardLinks(ctx.db, board.id)).length >= limits.linksPerBoard)
    throw new AppError('plan_limit', `A board has at most ${limits.linksPerBoard} links. Delete one first.`);
  const owner = account && !account.is_shared ? account.person_id : null;
  const { workspaceId, personId, label } = ctx.caller;
  const link = {
    id: ctx.newId(),
    workspace_id: workspaceId,
    board_id: board.id,
    kind: input.kind,
    ref,
    display_name: input.display_name,
    integration_provider: account?.provider ?? null,
    connection_id: account?.id ?? null,
    account_person_id: owner,
    person_id: personId,
    created_by: label,
    created_at: ctx.now,
  };
  await judgeLink(ctx.db, { ...link, ended_at: null, end_reason: null }, createCallerJudge(ctx.caller));
  await insertLink(ctx.db, link);
  if (owner !== null && owner !== personId) await notifyAccountOwner(ctx, deps, link.id);
  await touchBoard(ctx.db, board.id, ctx.now);
  await emitBoardChanged(ctx, board);
  const stored = await findLink(ctx.db, link.id);
  if (!stored) throw new Error('a link that was stored is not there');
  return stored;
}

async function notifyAccountOwner(ctx: Context, { jobs, canMail }: LinkDeps, linkId: string): Promise<void> {
  if (!canMail) return;
  const notice: LinkNotice = { workspaceId: ctx.caller.workspaceId, linkId };
  await jobs.enqueue(ctx.db, linkNoticeJob, notice);
}

/** The account that a link reads through; null: it reads as anybody. */
async function chooseLinkAccount(
  ctx: Context,
  { publicUrl }: LinkDeps,
  { adapter, source }: LinkAdapter,
  { ref, integration_provider: provider, integration_user_id: userId }: LinkInput,
): Promise<AnsweringAccount | null> {
  if (provider === undefined) {
    if (userId !== undefined)
      throw new AppError('invalid_input', 'integration_user_id: is for links with integration_provider. Send both.');
    if (adapter.findPublicAddress(ref) === null) throw createAccountNeededError(adapter, source.provider);
    return null;
  }
  if (provider !== source.provider)
    throw new AppError(
      'invalid_input',
      `integration_provider: a link of the kind ${adapter.kind} reads through ${source.provider}, not ${provider}.`,
    );
  if (userId !== undefined && userId !== ctx.caller.personId) checkMayUseOthers(ctx);
  return chooseAccount(ctx, source, { publicUrl, ...(userId !== undefined && { personId: userId }) });
}

function checkMayUseOthers({ caller }: Context): void {
  if (caller.role !== 'member' && mayActAsPerson(caller)) return;
  throw new AppError(
    'forbidden',
    'integration_user_id: only an admin of the workspace, acting in person, may read through the account of somebody else.',
  );
}
