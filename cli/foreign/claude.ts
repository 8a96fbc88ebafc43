import {
  codeBlockOf,
  recordOf,
  wordsOf,
  type Conversation,
  type ConversationReader,
  type Fields,
  type Turn,
} from './conversations.ts';
import { momentOf } from './item.ts';

/** Blocks that the person does not see as a part of the conversation. */
const unseen = new Set(['thinking', 'redacted_thinking', 'token_budget', 'flag']);
/** Fields of a tool's input that hold code or a text, and the field that names its language. */
const written = ['code', 'content', 'file_text', 'new_str', 'command'];

/**
 * Reads a conversation of a Claude export: `chat_messages` in order, each with `sender`, blocks of `content` and the words of
 * attachments (Sinity/polylogue, docs/providers/claude-ai.md).
 */
export const claude: ConversationReader = { client: 'claude', read: readConversation };

function readConversation(value: unknown, at: Date): Conversation {
  const fields = recordOf(value);
  const messages = fields?.['chat_messages'];
  if (!fields || !Array.isArray(messages)) throw new Error('there are no messages');
  const firstAt = momentOf(recordOf(messages[0])?.['created_at'], at);
  const begun = momentOf(fields['created_at'], firstAt);
  const turns: Turn[] = [];
  let unreadable = 0;
  for (const each of messages) {
    const message = recordOf(each);
    if (!message) unreadable += each === null ? 0 : 1;
    else {
      const text = readMessage(message);
      const said = { text, at: momentOf(message['created_at'], begun) };
      if (text)
        turns.push(
          isHuman(message) ? { role: 'user', name: 'You', ...said } : { role: 'assistant', name: 'Claude', ...said },
        );
    }
  }
  return { id: wordsOf(fields['uuid']), title: wordsOf(fields['name']), at: begun, turns, unreadable };
}

function isHuman({ sender, role }: Fields): boolean {
  return sender === 'human' || sender === 'user' || role === 'user';
}

function readMessage(message: Fields): string {
  const { content } = message;
  const blocks = Array.isArray(content) ? content.map(readBlock) : [wordsOf(content)];
  const files = listOf(message['attachments']).flatMap(({ file_name, extracted_content }) => {
    const words = wordsOf(extracted_content);
    return words ? [`Attachment ${wordsOf(file_name)}:\n\n${words}`] : [];
  });
  const names = listOf(message['files']).flatMap(({ file_name }) =>
    wordsOf(file_name) ? [`[file ${wordsOf(file_name)}]`] : [],
  );
  const said = blocks.filter(Boolean).join('\n\n') || wordsOf(message['text']);
  return [said, ...files, ...names].filter(Boolean).join('\n\n').trim();
}

function readBlock(value: unknown): string {
  const block = recordOf(value);
  if (!block) return wordsOf(value);
  const type = wordsOf(block['type']);
  if (unseen.has(type)) return '';
  if (type === 'tool_use') return readToolUse(block);
  if (type === 'tool_result') {
    const { content } = block;
    const words = Array.isArray(content) ? content.map(readBlock).filter(Boolean).join('\n') : wordsOf(content);
    return codeBlockOf(words);
  }
  return wordsOf(block['text']);
}

/** What a tool was asked to do: its code or text, else its whole input. */
function readToolUse(block: Fields): string {
  const input = recordOf(block['input']) ?? {};
  const code = written.map((name) => wordsOf(input[name])).find(Boolean);
  const title = wordsOf(input['title']);
  const language = wordsOf(input['language']);
  if (code) return [title, codeBlockOf(code, language)].filter(Boolean).join('\n\n');
  return Object.keys(input).length ? codeBlockOf(JSON.stringify(input, null, 2), 'json') : '';
}

function listOf(value: unknown): Fields[] {
  const all: unknown[] = Array.isArray(value) ? value : [];
  return all.map(recordOf).filter((each) => each !== null);
}
