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

/** Content that the person does not see in the conversation: instructions, and how the model thought. */
const unseen = new Set(['user_editable_context', 'model_editable_context', 'thoughts', 'reasoning_recap']);
const audio = /audio/;
/** Marks of a source within an answer, such as `citeturn0search1` between signs of private use: nobody sees them. */
const marks = /\ue200[^\ue200\ue201]{0,500}\ue201/g;
/** What no words are in, and nobody misses. */
const wordless = new Set(['search_result_groups', 'tether_browsing_code', 'computer_output']);

/**
 * Reads a conversation of a ChatGPT export: a tree of messages in `mapping`, of which the person sees the branch that ends at
 * `current_node` (mitkury/chatgpt-export-parser, docs/chatgpt-data-export-format.md). Hidden and system messages are omitted.
 */
export const chatGpt: ConversationReader = { client: 'chatgpt', read: readConversation };

function readConversation(value: unknown, at: Date): Conversation {
  const fields = recordOf(value);
  const mapping = recordOf(fields?.['mapping']);
  if (!fields || !mapping) throw new Error('there are no messages');
  const begun = momentOf(fields['create_time'], at);
  const turns: Turn[] = [];
  let unreadable = 0;
  for (const node of branchOf(mapping, wordsOf(fields['current_node']))) {
    const turn = readMessage(node['message'], begun);
    if (turn === 'unreadable') unreadable += 1;
    else if (turn) turns.push(turn);
  }
  const id = wordsOf(fields['conversation_id']) || wordsOf(fields['id']);
  return { id, title: wordsOf(fields['title']), at: begun, turns, unreadable };
}

/** The nodes from the first one to the last one that the person sees. Without `current_node` that is the newest one. */
function branchOf(mapping: Fields, currentNode: string): Fields[] {
  const parents = parentsIn(mapping);
  const branch: Fields[] = [];
  const seen = new Set<string>();
  let id: string | undefined = Object.hasOwn(mapping, currentNode) ? currentNode : newestIn(mapping);
  for (; id !== undefined && !seen.has(id); id = parents.get(id)) {
    seen.add(id);
    const node = recordOf(Object.hasOwn(mapping, id) ? mapping[id] : null);
    if (node) branch.unshift(node);
  }
  return branch;
}

/** The parent of each node, by its own word or by that of its parent. */
function parentsIn(mapping: Fields): Map<string, string> {
  const parents = new Map<string, string>();
  for (const [id, node] of Object.entries(mapping)) {
    const children = recordOf(node)?.['children'];
    for (const child of Array.isArray(children) ? children : []) parents.set(wordsOf(child), id);
  }
  for (const [id, node] of Object.entries(mapping)) {
    const parent = wordsOf(recordOf(node)?.['parent']);
    if (parent) parents.set(id, parent);
  }
  return parents;
}

function newestIn(mapping: Fields): string | undefined {
  let newest: { id: string; time: number } | undefined;
  for (const [id, node] of Object.entries(mapping)) {
    const message = recordOf(recordOf(node)?.['message']);
    const time = message ? momentOf(message['create_time'], new Date(0)).getTime() : -1;
    if (!newest || time >= newest.time) newest = { id, time };
  }
  return newest?.id;
}

function readMessage(value: unknown, begun: Date): Turn | 'unreadable' | null {
  if (value === null || value === undefined) return null;
  const message = recordOf(value);
  if (!message) return 'unreadable';
  const author = recordOf(message['author']);
  const role = wordsOf(author?.['role'] ?? message['author']) || 'assistant';
  if (role === 'system' || recordOf(message['metadata'])?.['is_visually_hidden_from_conversation'] === true)
    return null;
  if (message['content'] === null || message['content'] === undefined) return null;
  const text = readContent(message['content'])?.replaceAll(marks, '');
  if (text === undefined) return 'unreadable';
  if (!text.trim()) return null;
  const at = momentOf(message['create_time'], begun);
  if (role === 'user') return { role, name: 'You', text: text.trim(), at };
  if (role !== 'tool') return { role: 'assistant', name: 'ChatGPT', text: text.trim(), at };
  return { role, name: `Tool ${wordsOf(author?.['name'])}`.trim(), text: text.trim(), at };
}

/** Null for a form that is not known and has no text. */
function readContent(value: unknown): string | null {
  if (typeof value === 'string') return value;
  const content = recordOf(value);
  if (!content) return null;
  const type = wordsOf(content['content_type']);
  if (unseen.has(type)) return '';
  const text = wordsOf(content['text']);
  if (type === 'code') {
    const language = wordsOf(content['language']);
    return codeBlockOf(text, language === 'unknown' ? '' : language);
  }
  if (type === 'execution_output') return codeBlockOf(text);
  if (Array.isArray(content['parts'])) return readParts(content['parts']);
  const source = [wordsOf(content['title']), wordsOf(content['url'])].filter(Boolean).join(' ');
  const words = [text || wordsOf(content['result']) || wordsOf(content['content']), ...readContext(content)];
  const said = [source, ...words].filter(Boolean).join('\n');
  return said || wordless.has(type) || hasNoWords(content) ? said : null;
}

/** What another program, such as an editor, showed the model. */
function readContext(content: Fields): string[] {
  return ['workspaces', 'context_parts'].flatMap((name) => {
    const parts = content[name];
    const all: unknown[] = Array.isArray(parts) ? parts : [];
    return all.map((part) => {
      const fields = recordOf(part) ?? {};
      const words = [fields['title'], fields['content'], fields['text']].map(wordsOf);
      return words.filter(Boolean).join('\n');
    });
  });
}

/** Whether the fields that usually have the words are there, and are empty. */
function hasNoWords(content: Fields): boolean {
  return ['text', 'result', 'content', 'parts'].some((name) => name in content);
}

/** The sound of a part whose words stand beside it is not mentioned. */
function readParts(parts: readonly unknown[]): string {
  const isTranscribed = parts.some((part) => recordOf(part)?.['content_type'] === 'audio_transcription');
  const texts = parts.map((part) => {
    const fields = recordOf(part);
    if (!fields) return wordsOf(part);
    const type = wordsOf(fields['content_type']);
    const words = wordsOf(fields['text']);
    if (words) return words;
    if (audio.test(type)) return isTranscribed ? '' : '[audio]';
    return type.startsWith('image') ? '[image]' : '[file]';
  });
  return texts.filter(Boolean).join('\n');
}
