/** What the thread of a local model is asked, and what it answers, one at a time. */
export type LocalRequest = { texts: string[] };
export type LocalAnswer = { vectors: Float32Array[] } | { problem: string };
