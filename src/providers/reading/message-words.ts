/** All that a message says, as text, and the name of its author; empty where it says nothing. */
export type MessageWords = { words: string; by: string };
