/** The text of a message and the name of its author; empty where it has none. */
export type MessageWords = { words: string; by: string };
