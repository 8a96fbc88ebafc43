// Stores the turns of a conversation as they arrive, and updates its page.
import type { Context } from '#kernel/context';
import { findPerson } from '#modules/accounts';
import { writePage } from './chat-page.ts';
import {
  insertTurn,
  isStopped,
  findLastTurn,
  listTurns,
  openChat,
  updateChat,
  type ChatRow,
  type TurnRow,
} from './store/chats.ts';
import { buildSummary, buildTitle } from './titles.ts';

/** At this length, a conversation continues in another page. */
const longestPart = 250_000;

export type NewTurn = Pick<TurnRow, 'role' | 'content'>;
export type Conversation = {
  sessionId: string;
  client: string;
  title?: string | undefined;
  summary?: string | undefined;
};
export type CaptureOutcome = { stored: number; chat: ChatRow | null; slug: string | null };

/**
 * Adds turns to the conversation of a session of the caller's person. A turn that repeats the previous one is left out,
 * because hooks may fire twice. Nothing is stored for a person who turned capture off.
 */
export async function capture(
  ctx: Context,
  conversation: Conversation,
  said: readonly NewTurn[],
): Promise<CaptureOutcome> {
  const { personId, workspaceId } = ctx.caller;
  if (await isStopped(ctx.db, personId)) return { stored: 0, chat: null, slug: null };
  const { homeBrainId } = await ctx.brains();
  const { sessionId, client } = conversation;
  const place = { workspace_id: workspaceId, person_id: personId, brain_id: homeBrainId };
  const opened = await openChat(ctx.db, {
    id: ctx.newId(),
    ...place,
    session_id: sessionId,
    client,
    started_at: ctx.now,
  });
  const { chat, stored } = await addTurns(ctx, opened, said);
  if (!stored && conversation.title === undefined && conversation.summary === undefined)
    return { stored, chat, slug: null };
  return { stored, ...(await refresh(ctx, chat, conversation)) };
}

async function addTurns(ctx: Context, opened: ChatRow, said: readonly NewTurn[]) {
  let chat = opened;
  let before: NewTurn | undefined = await findLastTurn(ctx.db, chat.id);
  let stored = 0;
  for (const { role, content } of said) {
    if (before?.role === role && before.content === content) continue;
    const goesOn = chat.part_length > 0 && chat.part_length + content.length > longestPart;
    if (goesOn) chat = { ...chat, part: chat.part + 1, part_from: chat.turns, part_length: 0 };
    const turn = { chat_id: chat.id, position: chat.turns, workspace_id: chat.workspace_id, said_at: ctx.now };
    await insertTurn(ctx.db, { ...turn, role, content });
    chat = { ...chat, turns: chat.turns + 1, part_length: chat.part_length + content.length, last_turn_at: ctx.now };
    before = { role, content };
    stored += 1;
  }
  return { chat, stored };
}

type Titles = Pick<Conversation, 'title' | 'summary'>;

/** Updates the conversation and its page. Titles are the given ones, the existing ones, or made by rules. */
export async function refresh(
  ctx: Context,
  chat: ChatRow,
  given: Titles = {},
): Promise<{ chat: ChatRow; slug: string }> {
  const turns = await listTurns(ctx.db, chat.id, chat.part_from);
  const titled = { ...chat, ...(await chooseTitles(ctx, chat, given)) };
  const person = await findPerson(ctx.db, chat.person_id);
  const { id: pageId, slug } = await writePage(ctx, titled, person?.name ?? 'Somebody', turns);
  const { id, workspace_id: _workspace, ...fields } = { ...titled, page_id: chat.page_id ?? pageId };
  await updateChat(ctx.db, id, fields);
  return { chat: { ...titled, page_id: fields.page_id }, slug };
}

async function chooseTitles(ctx: Context, chat: ChatRow, { title, summary }: Titles): Promise<Partial<ChatRow>> {
  if (title !== undefined || summary !== undefined)
    return { title: title ?? chat.title, summary: summary ?? chat.summary, titled_by: 'given' };
  if (chat.titled_by !== 'rules') return {};
  const turns = [
    ...(await listTurns(ctx.db, chat.id, 0, 20)),
    ...(await listTurns(ctx.db, chat.id, Math.max(20, chat.turns - 5))),
  ];
  return { title: buildTitle(turns), summary: buildSummary(turns) };
}
