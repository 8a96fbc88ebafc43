// Writes a conversation as a page: the turns in order, each with its speaker.
import type { Context } from '#kernel/context';
import type { NewPage } from '#kernel/page';
import { storePages } from '#modules/pages';
import type { ChatRow, TurnRow } from './store/chats.ts';

const chatPageType = 'chat_session';

const clientNames: Readonly<Record<string, string>> = { claude: 'Claude', chatgpt: 'ChatGPT', cursor: 'Cursor' };

/** Writes the page of the last part of a conversation. `turns` are those of that part. Returns its id. */
export async function writePage(ctx: Context, chat: ChatRow, personName: string, turns: readonly TurnRow[]) {
  const assistant = clientNames[chat.client] ?? chat.client;
  const speakers = { user: personName, assistant, other: 'Tool' };
  const body = turns
    .map(({ role, content, said_at }) => `**${speakers[role]}** (${role}, ${formatMinute(said_at)}):\n\n${content}`)
    .join('\n\n---\n\n');
  const number = chat.part > 1 ? ` (part ${chat.part})` : '';
  const [stored] = await storePages(ctx, chat.brain_id, [
    {
      ...buildPageFields(chat, chat.part),
      title: `${chat.title}${number}`,
      body: `${chat.summary}\n\n---\n\n${body}`,
      frontmatter: {
        session_id: chat.session_id,
        client: chat.client,
        summary: chat.summary,
        turns: chat.turns,
        part: chat.part,
        said_by: Object.values(speakers).slice(0, 2),
        started_at: chat.started_at.toISOString(),
        last_turn_at: chat.last_turn_at.toISOString(),
      },
      author: personName,
    },
  ]);
  if (!stored) throw new Error('a stored page has an id');
  return stored;
}

function formatMinute(moment: Date): string {
  return `${moment.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** Fields shared by all versions of a page. Earlier versions are not kept. */
function buildPageFields({ page_ref, client, started_at }: ChatRow, part: number): NewPage {
  return {
    sourceRef: `chat:${page_ref}:${part}`,
    source: `${client}:chat`,
    type: chatPageType,
    title: '',
    body: '',
    frontmatter: {},
    occurredAt: started_at,
    isGrowing: true,
  };
}

/** Deletes the pages of a conversation with their history. */
export async function removePages(ctx: Context, chat: ChatRow): Promise<void> {
  const pages = Array.from({ length: chat.part }, (_none, at) => buildPageFields(chat, at + 1));
  await storePages(ctx, chat.brain_id, pages);
  await storePages(
    ctx,
    chat.brain_id,
    pages.map((page) => ({ ...page, isGone: true })),
  );
}
