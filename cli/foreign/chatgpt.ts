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

/** Content that the person does not see in the conversation: instructions, and the model's reasoning. */
const unseen = new Set(['user_editable_context', 'model_editable_context', 'thoughts', 'reasoning_recap']);
const audio = /audio/;
/** Marks of a source in an answer, such as `citeturn0search1` between private-use characters: nobody sees them. */
const marks = /\ue200[^\ue200\ue201]{0,500}\ue201/g;
/** Content without words, which may be left out. */
const wordless = new Set(['search_result_groups', 'tether_browsing_code', 'computer_output']);

/**
 * Reads a conversation of a ChatGPT export: a tree of messages in `mapping`, of which the person sees the branch that ends at
 * `current_node` (mitkury/chatgpt-export-parser, docs/chatgpt-data-export-format.md). Hidden and system messages are omitted.
 */
export const chatGpt: ConversationReader = { client: 'chatgpt', read: readConversation };

function readConversation(value: unknown, at: Date): Conversation {
  const fields = toRecord(value);
  const mapping = toRecord(fields?.['mapping']);
  if (!fields || !mapping) throw new Error('there are no messages');
  const begun = parseMoment(fields['create_time'], at);
  const turns: Turn[] = [];
  let unreadable = 0;
  for (const node of listBranch(mapping, toWords(fields['current_node']))) {
    const turn = readMessage(node['message'], begun);
    if (turn === 'unreadable') unreadable += 1;
    else if (turn) turns.push(turn);
  }
  const id = toWords(fields['conversation_id']) || toWords(fields['id']);
  return { id, title: toWords(fields['title']), at: begun, turns, unreadable };
}

/** The nodes from the first one to the last one that the person sees. Without `current_node` that is the newest one. */
function listBranch(mapping: Fields, currentNode: string): Fields[] {
  const parents = listParents(mapping);
  const branch: Fields[] = [];
  const seen = new Set<string>();
  let id: string | undefined = Object.hasOwn(mapping, currentNode) ? currentNode : findNewest(mapping);
  for (; id !== undefined && !seen.has(id); id = parents.get(id)) {
    seen.add(id);
    const node = toRecord(Object.hasOwn(mapping, id) ? mapping[id] : null);
    if (node) branch.unshift(node);
  }
  return branch;
}

/** The parent of each node, according to the node itself or to its parent's list of children. */
function listParents(mapping: Fields): Map<string, string> {
  const parents = new Map<string, string>();
  for (const [id, node] of Object.entries(mapping)) {
    const children = toRecord(node)?.['children'];
    for (const child of Array.isArray(children) ? children : []) parents.set(toWords(child), id);
  }
  for (const [id, node] of Object.entries(mapping)) {
    const parent = toWords(toRecord(node)?.['parent']);
    if (parent) parents.set(id, parent);
  }
  return parents;
}

function findNewest(mapping: Fields): string | undefined {
  let newest: { id: string; time: number } | undefined;
  for (const [id, node] of Object.entries(mapping)) {
    const message = toRecord(toRecord(node)?.['message']);
    const time = message ? parseMoment(message['create_time'], new Date(0)).getTime() : -1;
    if (!newest || time >= newest.time) newest = { id, time };
  }
  return newest?.id;
}

function readMessage(value: unknown, begun: Date): Turn | 'unreadable' | null {
  if (value === null || value === undefined) return null;
  const message = toRecord(value);
  if (!message) return 'unreadable';
  const author = toRecord(message['author']);
  const role = toWords(author?.['role'] ?? message['author']) || 'assistant';
  if (role === 'system' || toRecord(message['metadata'])?.['is_visually_hidden_from_conversation'] === true)
    return null;
  if (message['content'] === null || message['content'] === undefined) return null;
  const text = readContent(message['content'])?.replaceAll(marks, '');
  if (text === undefined) return 'unreadable';
  if (!text.trim()) return null;
  const at = parseMoment(message['create_time'], begun);
  if (role === 'user') return { role, name: 'You', text: text.trim(), at };
  if (role !== 'tool') return { role: 'assistant', name: 'ChatGPT', text: text.trim(), at };
  return { role, name: `Tool ${toWords(author?.['name'])}`.trim(), text: text.trim(), at };
}

/** Null for an unknown form without text. */
function readContent(value: unknown): string | null {
  if (typeof value === 'string') return value;
  const content = toRecord(value);
  if (!content) return null;
  const type = toWords(content['content_type']);
  if (unseen.has(type)) return '';
  const text = toWords(content['text']);
  if (type === 'code') {
    const language = toWords(content['language']);
    return formatCodeBlock(text, language === 'unknown' ? '' : language);
  }
  if (type === 'execution_output') return formatCodeBlock(text);
  if (Array.isArray(content['parts'])) return readParts(content['parts']);
  const source = [toWords(content['title']), toWords(content['url'])].filter(Boolean).join(' ');
  const words = [text || toWords(content['result']) || toWords(content['content']), ...readContext(content)];
  const said = [source, ...words].filter(Boolean).join('\n');
  return said || wordless.has(type) || hasNoWords(content) ? said : null;
}

/** Content that another program, such as an editor, showed to the model. */
function readContext(content: Fields): string[] {
  return ['workspaces', 'context_parts'].flatMap((name) => {
    const parts = content[name];
    const all: unknown[] = Array.isArray(parts) ? parts : [];
    return all.map((part) => {
      const fields = toRecord(part) ?? {};
      const words = [fields['title'], fields['content'], fields['text']].map(toWords);
      return words.filter(Boolean).join('\n');
    });
  });
}

/** Whether the usual fields for words exist, and are empty. */
function hasNoWords(content: Fields): boolean {
  return ['text', 'result', 'content', 'parts'].some((name) => name in content);
}

/** Sound with a transcript beside it is not mentioned. */
function readParts(parts: readonly unknown[]): string {
  const isTranscribed = parts.some((part) => toRecord(part)?.['content_type'] === 'audio_transcription');
  const texts = parts.map((part) => {
    const fields = toRecord(part);
    if (!fields) return toWords(part);
    const type = toWords(fields['content_type']);
    const words = toWords(fields['text']);
    if (words) return words;
    if (audio.test(type)) return isTranscribed ? '' : '[audio]';
    return type.startsWith('image') ? '[image]' : '[file]';
  });
  return texts.filter(Boolean).join('\n');
}
