import type { Values } from '#providers/http';
import type { MessageReader } from './descriptor.ts';

/** All that a message says, as text, and the name of its author; empty where it says nothing. */
export type MessageWords = { words: string; by: string };

/** A message with its words and its author, a row with its columns; anything else unchanged. */
export function withWords(readMessage: MessageReader | undefined, message: unknown, names: Values = {}): unknown {
  if (!readMessage || typeof message !== 'object' || message === null) return message;
  return { ...message, ...readMessage(message, names) };
}
