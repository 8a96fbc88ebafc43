import {
  formatCodeBlock,
  toRecord,
  toWords,
  type Conversation,
  type ConversationReader,
  type Fields,
  type Turn,
} from './conversations.ts';
import { parseMoment } from './item.ts';

/** Blocks that the person does not see as part of the conversation. */
const unseen = new Set(['thinking', 'redacted_thinking', 'token_budget', 'flag']);
/** Fields of a tool's input that contain code or text, and the field that names its language. */
const written = ['code', 'content', 'file_text', 'new_str', 'command'];

/**
 * Reads a conversation of a Claude export: `chat_messages` in order, each with `sender`, blocks of `content` and the words of
 * attachments (Sinity/polylogue, docs/providers/claude-ai.md).
 */
export const claude: ConversationReader = { client: 'claude', read: readConversation };

function readConversation(value: unknown, at: Date): Conversation {
  const fields = toRecord(value);
  const messages = fields?.['chat_messages'];
  if (!fields || !Array.isArray(messages)) throw new Error('there are no messages');
  const firstAt = parseMoment(toRecord(messages[0])?.['created_at'], at);
  const begun = parseMoment(fields['created_at'], firstAt);
  const turns: Turn[] = [];
  let unreadable = 0;
  for (const each of messages) {
    const message = toRecord(each);
    if (!message) unreadable += each === null ? 0 : 1;
    else {
      const text = readMessage(message);
      const said = { text, at: parseMoment(message['created_at'], begun) };
      if (text)
        turns.push(
          isHuman(message) ? { role: 'user', name: 'You', ...said } : { role: 'assistant', name: 'Claude', ...said },
        );
    }
  }
  return { id: toWords(fields['uuid']), title: toWords(fields['name']), at: begun, turns, unreadable };
}

function isHuman({ sender, role }: Fields): boolean {
  return sender === 'human' || sender === 'user' || role === 'user';
}

function readMessage(message: Fields): string {
  const { content } = message;
  const blocks = Array.isArray(content) ? content.map(readBlock) : [toWords(content)];
  const files = listRecords(message['attachments']).flatMap(({ file_name, extracted_content }) => {
    const words = toWords(extracted_content);
    return words ? [`Attachment ${toWords(file_name)}:\n\n${words}`] : [];
  });
  const names = listRecords(message['files']).flatMap(({ file_name }) =>
    toWords(file_name) ? [`[file ${toWords(file_name)}]`] : [],
  );
  const said = blocks.filter(Boolean).join('\n\n') || toWords(message['text']);
  return [said, ...files, ...names].filter(Boolean).join('\n\n').trim();
}

function readBlock(value: unknown): string {
  const block = toRecord(value);
  if (!block) return toWords(value);
  const type = toWords(block['type']);
  if (unseen.has(type)) return '';
  if (type === 'tool_use') return readToolUse(block);
  if (type === 'tool_result') {
    const { content } = block;
    const words = Array.isArray(content) ? content.map(readBlock).filter(Boolean).join('\n') : toWords(content);
    return formatCodeBlock(words);
  }
  return toWords(block['text']);
}

/** The input of a tool: its code or text, else the whole input. */
function readToolUse(block: Fields): string {
  const input = toRecord(block['input']) ?? {};
  const code = written.map((name) => toWords(input[name])).find(Boolean);
  const title = toWords(input['title']);
  const language = toWords(input['language']);
  if (code) return [title, formatCodeBlock(code, language)].filter(Boolean).join('\n\n');
  return Object.keys(input).length ? formatCodeBlock(JSON.stringify(input, null, 2), 'json') : '';
}

function listRecords(value: unknown): Fields[] {
  const all: unknown[] = Array.isArray(value) ? value : [];
  return all.map(toRecord).filter((each) => each !== null);
}
