// Conversations exported from ChatGPT and Claude: each becomes a page of the type `chat_session`.
import { clean, type Item } from './item.ts';

export type Turn = { role: 'user' | 'assistant' | 'tool'; name: string; text: string; at: Date };
/** `unreadable`: how many of its messages have an unknown form. */
export type Conversation = { id: string; title: string; at: Date; turns: Turn[]; unreadable: number };

export type ConversationReader = {
  client: 'chatgpt' | 'claude';
  /** Throws for a value that is not a conversation. */
  read(value: unknown, at: Date): Conversation;
};

const products: Record<ConversationReader['client'], string> = { chatgpt: 'ChatGPT', claude: 'Claude' };

/** Reads conversations one after another. An unreadable one is reported with its title. */
export async function* readConversations(
  { client, read }: ConversationReader,
  values: AsyncIterable<unknown>,
  at: Date,
): AsyncGenerator<Item> {
  let number = 0;
  for await (const value of values) {
    number += 1;
    let conversation: Conversation;
    try {
      conversation = read(value, at);
    } catch {
      yield {
        kind: 'problem',
        where: `conversation ${number}`,
        message: `is not in the form of an export of ${products[client]}${findConversationName(value)}.`,
      };
      continue;
    }
    const { unreadable } = conversation;
    const page = buildConversationPage(client, conversation, number);
    if (unreadable) {
      const messages =
        unreadable === 1
          ? '1 message that cannot be read and is'
          : `${unreadable} messages that cannot be read and are`;
      yield {
        kind: 'problem',
        where: `conversation ${number}`,
        message: `has ${messages} left out: “${page?.title ?? conversation.title}”.`,
      };
    }
    if (page) yield page;
  }
}

/** Null for a conversation that was started and never used. */
function buildConversationPage(
  client: string,
  { id, title, at, turns }: Conversation,
  number: number,
): Extract<Item, { kind: 'page' }> | null {
  const [first] = turns;
  if (!first) return null;
  const body = turns
    .map(({ name, role, at: saidAt, text }) => `**${name}** (${role}, ${formatMinute(saidAt)}):\n\n${text}`)
    .join('\n\n---\n\n');
  return {
    kind: 'page',
    key: id || `conversation ${number}`,
    type: 'chat_session',
    title: clean(title.trim() || first.text.slice(0, 80).replaceAll(/\s+/g, ' ')),
    body: clean(body),
    frontmatter: { session_id: id, client, turns: turns.length, started_at: at.toISOString() },
    at,
  };
}

function findConversationName(value: unknown): string {
  const { title, name } = toRecord(value) ?? {};
  const words = toWords(title) || toWords(name);
  return words && `: “${words.slice(0, 200)}”`;
}

function formatMinute(moment: Date): string {
  return `${moment.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

export type Fields = Record<string, unknown>;

/** An object with fields; null for anything else. */
export function toRecord(value: unknown): Fields | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null; // checked by the test before
}

/** A text, or a number as text; empty for anything else. */
export function toWords(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}

/** Code or the output of code, as Markdown shows it. */
export function formatCodeBlock(code: string, language = ''): string {
  const longest = Math.max(2, ...[...code.matchAll(/`{3,}/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return code.trim() && `${fence}${/^[\w+#.-]{1,30}$/.test(language) ? language : ''}\n${code.trimEnd()}\n${fence}`;
}
