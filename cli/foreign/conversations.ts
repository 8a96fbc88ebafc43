// Conversations that people exported from ChatGPT and Claude: each becomes a page of the type `chat_session`.
import { z } from 'zod';
import { clean, momentOf, type Item } from './item.ts';

type Turn = { role: 'user' | 'assistant'; text: string; at: Date };
type Conversation = { id: string; title: string; at: Date; turns: Turn[] };

const node = z.object({
  parent: z.string().nullish(),
  message: z
    .object({
      author: z.object({ role: z.string() }),
      create_time: z.number().nullish(),
      content: z.looseObject({ content_type: z.string(), parts: z.array(z.unknown()).nullish() }),
      metadata: z.looseObject({ is_visually_hidden_from_conversation: z.boolean().nullish() }).nullish(),
    })
    .nullish(),
});
const chatGptConversation = z.object({
  id: z.string().optional(),
  conversation_id: z.string().optional(),
  title: z.string().nullish(),
  create_time: z.number().nullish(),
  current_node: z.string().nullish(),
  mapping: z.record(z.string(), node),
});

/**
 * Reads `conversations.json` of a ChatGPT export: a tree of messages in `mapping`, of which the person sees the branch
 * that ends at `current_node` (mitkury/chatgpt-export-parser, docs/chatgpt-data-export-format.md). Hidden and system
 * messages are omitted.
 */
export function readChatGpt(all: readonly unknown[], at: Date): Iterable<Item> {
  return pagesOf('chatgpt', all, (value) => {
    const { mapping, current_node, create_time, title, ...ids } = chatGptConversation.parse(value);
    const begun = momentOf(create_time, at);
    const turns: Turn[] = [];
    const seen = new Set<string>();
    for (
      let id = current_node ?? Object.keys(mapping).at(-1);
      id && !seen.has(id);
      id = mapping[id]?.parent ?? undefined
    ) {
      seen.add(id);
      const message = mapping[id]?.message;
      const role = message?.author.role;
      if (!message || (role !== 'user' && role !== 'assistant')) continue;
      const { content_type, parts } = message.content;
      const isShown = content_type === 'text' || content_type === 'multimodal_text';
      if (!isShown || message.metadata?.is_visually_hidden_from_conversation) continue;
      const text = (parts ?? [])
        .map((part) => (typeof part === 'string' ? part : '[file]'))
        .join('\n')
        .trim();
      if (text) turns.unshift({ role, text, at: momentOf(message.create_time, begun) });
    }
    return { id: ids.conversation_id ?? ids.id ?? '', title: title ?? '', at: begun, turns };
  });
}

const claudeConversation = z.object({
  uuid: z.string(),
  name: z.string().nullish(),
  created_at: z.string(),
  chat_messages: z.array(
    z.object({
      sender: z.string(),
      text: z.string().nullish(),
      content: z.array(z.looseObject({ type: z.string(), text: z.string().nullish() })).nullish(),
      created_at: z.string().nullish(),
      attachments: z
        .array(z.looseObject({ file_name: z.string().nullish(), extracted_content: z.string().nullish() }))
        .nullish(),
    }),
  ),
});

/**
 * Reads `conversations.json` of a Claude export: `chat_messages` in order, each with `sender`, blocks of `content` and
 * the words of attachments (Sinity/polylogue, docs/providers/claude-ai.md). Only text blocks are kept.
 */
export function readClaude(all: readonly unknown[], at: Date): Iterable<Item> {
  return pagesOf('claude', all, (value) => {
    const { uuid, name, created_at, chat_messages } = claudeConversation.parse(value);
    const begun = momentOf(created_at, at);
    const turns = chat_messages.flatMap(({ sender, text, content, created_at: saidAt, attachments }): Turn[] => {
      const blocks = (content ?? []).flatMap((block) => (block.type === 'text' && block.text ? [block.text] : []));
      const files = (attachments ?? []).flatMap(({ file_name, extracted_content }) =>
        extracted_content ? [`Attachment ${file_name ?? ''}:\n\n${extracted_content}`] : [],
      );
      const said = [blocks.join('\n\n') || (text ?? ''), ...files].join('\n\n').trim();
      const role = sender === 'human' ? 'user' : 'assistant';
      return said ? [{ role, text: said, at: momentOf(saidAt, begun) }] : [];
    });
    return { id: uuid, title: name ?? '', at: begun, turns };
  });
}

function* pagesOf(
  client: 'chatgpt' | 'claude',
  all: readonly unknown[],
  read: (value: unknown) => Conversation,
): Generator<Item> {
  for (const [index, value] of all.entries()) {
    let conversation: Conversation;
    try {
      conversation = read(value);
    } catch {
      yield {
        kind: 'problem',
        where: `conversation ${index + 1}`,
        message: `is not in the form of a ${client} export.`,
      };
      continue;
    }
    const { id, title, at, turns } = conversation;
    const [first] = turns;
    if (!first) continue; // started and never used
    const names = { user: 'You', assistant: client === 'claude' ? 'Claude' : 'ChatGPT' };
    const body = turns
      .map((turn) => `**${names[turn.role]}** (${turn.role}, ${minuteOf(turn.at)}):\n\n${turn.text}`)
      .join('\n\n---\n\n');
    yield {
      kind: 'page',
      key: id || `conversation ${index + 1}`,
      type: 'chat_session',
      title: clean(title.trim() || first.text.slice(0, 80).replaceAll(/\s+/g, ' ')),
      body: clean(body),
      frontmatter: { session_id: id, client, turns: turns.length, started_at: at.toISOString() },
      at,
    };
  }
}

function minuteOf(moment: Date): string {
  return `${moment.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
