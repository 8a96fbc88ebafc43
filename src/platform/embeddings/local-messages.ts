/** The requests to the thread of a local model, and its answers, one at a time. */
export type LocalRequest = { texts: string[] };
export type LocalAnswer = { vectors: Float32Array[] } | { problem: string };
