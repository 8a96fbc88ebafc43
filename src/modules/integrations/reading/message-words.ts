// What messages of chats, and columns of tables, say in all their parts, for templates.
import type { Values } from '../executor/values.ts';
import { readDiscordMessage } from '../providers/discord/message.ts';
import { readNotionColumns } from '../providers/notion/columns.ts';
import { readSlackMessage } from '../providers/slack/message.ts';
import type { Stream } from './descriptor.ts';

/** All that a message says, as text, and the name of its author; empty where it says nothing. */
export type MessageWords = { words: string; by: string };

const readers: Record<NonNullable<Stream['messages']>, (item: unknown, names: Values) => object> = {
  slack: readSlackMessage,
  discord: readDiscordMessage,
  notion: readNotionColumns,
};

/** A message with its words and its author, a row with its columns; anything else unchanged. `names` are those of people, by id. */
export function withWords(messages: Stream['messages'], message: unknown, names: Values = {}): unknown {
  if (!messages || typeof message !== 'object' || message === null) return message;
  return { ...message, ...readers[messages](message, names) };
}
