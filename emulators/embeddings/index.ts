// An embedder with the OpenAI protocol on a real port: strict about requests, with a ledger and programmable failures.
// Its vectors are made by rule: words of one group of synonyms lie on one axis, so texts of like meaning lie near each
// other.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

/** One request with its response. */
export type LedgerEntry = { authorization: string | undefined; body: Record<string, unknown>; status: number };

/** An answer instead of vectors, for the next request or for all. */
export type EmbeddingFailure =
  | { kind: 'status'; status: number; headers?: Record<string, string>; body?: unknown }
  | { kind: 'answer'; change(data: { index: number; embedding: unknown }[]): unknown }
  | { kind: 'slow'; ms: number };

export type EmbeddingsEmulator = {
  /** What THALAMUS_EMBEDDINGS_BASE_URL is set to. */
  baseUrl: string;
  ledger: LedgerEntry[];
  /** Texts that were embedded, in order. */
  texts(): string[];
  /** The answers to the next requests, in order. */
  failNext(...failures: EmbeddingFailure[]): void;
  /** Sets the answer of all requests. Null: vectors again. */
  failAlways(failure: EmbeddingFailure | null): void;
  /** Refuses requests that hold a text with this word, as a provider refuses one that is too long. */
  refuseWord: string | null;
  close(): Promise<void>;
};

type Options = { dimensions?: number; apiKey?: string; synonyms?: readonly (readonly string[])[]; noise?: number };

export async function startEmbeddingsEmulator(options: Options = {}): Promise<EmbeddingsEmulator> {
  const { dimensions = 64, apiKey } = options;
  const once: EmbeddingFailure[] = [];
  const state = { always: null as EmbeddingFailure | null, refuseWord: null as string | null };
  const ledger: LedgerEntry[] = [];

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { authorization } = request.headers;
    const body = (await json(request)) as Record<string, unknown>;
    const entry = { authorization, body, status: 200 };
    ledger.push(entry);
    const reply = (status: number, content: unknown, headers: Record<string, string> = {}) => {
      entry.status = status;
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(content));
    };
    const failure = once.shift() ?? state.always;
    if (failure?.kind === 'status') {
      const content = failure.body ?? { error: { message: 'as ordered', type: 'server_error' } };
      return reply(failure.status, content, failure.headers);
    }
    if (failure?.kind === 'slow') await sleep(failure.ms, undefined, { ref: false });
    if (apiKey !== undefined && authorization !== `Bearer ${apiKey}`) {
      const message = `Incorrect API key provided: ${authorization?.replace('Bearer ', '')}`;
      return reply(401, { error: { message, type: 'invalid_request_error', code: 'invalid_api_key' } });
    }
    const problem = findProblem(request, body);
    if (problem) return reply(400, { error: { message: problem, type: 'invalid_request_error' } });
    const input = body['input'] as string[];
    if (state.refuseWord && input.some((text) => text.includes(state.refuseWord ?? ''))) {
      return reply(400, { error: { message: 'maximum context length exceeded', type: 'invalid_request_error' } });
    }
    const length = (body['dimensions'] as number | undefined) ?? dimensions;
    const data = input.map((text, index) => ({ object: 'embedding', index, embedding: embed(text, length, options) }));
    const changed = failure?.kind === 'answer' ? failure.change(data) : data;
    return reply(200, { object: 'list', data: changed, model: body['model'], usage: { prompt_tokens: 1 } });
  }

  const server = createServer((request, response) => void answer(request, response).catch(() => response.destroy()));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // a listening TCP server has one
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    ledger,
    texts: () => ledger.filter(({ status }) => status === 200).flatMap(({ body }) => body['input'] as string[]),
    failNext: (...failures) => void once.push(...failures),
    failAlways: (failure) => void (state.always = failure),
    get refuseWord() {
      return state.refuseWord;
    },
    set refuseWord(word) {
      state.refuseWord = word;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function findProblem(request: IncomingMessage, body: Record<string, unknown>): string | null {
  if (request.method !== 'POST' || request.url !== '/v1/embeddings') return `no such endpoint: ${request.url}`;
  if (!request.headers['content-type']?.startsWith('application/json')) return 'the content type must be JSON';
  const known = ['model', 'input', 'dimensions', 'encoding_format', 'user'];
  const unknown = Object.keys(body).find((name) => !known.includes(name));
  if (unknown) return `unknown field ${unknown}`;
  if (typeof body['model'] !== 'string' || body['model'] === '') return 'you must provide a model';
  const { input } = body as { input?: unknown };
  if (!Array.isArray(input) || input.length === 0 || input.length > 2048) return 'input must be 1 to 2048 texts';
  if (!input.every((text) => typeof text === 'string' && text !== '')) return 'input must be texts that are not empty';
  if (input.reduce((sum: number, text: string) => sum + text.length, 0) > 300_000) return 'max 300000 tokens a request';
  if (body['encoding_format'] !== 'float') return 'this server gives floats only';
  return null;
}

/** The sum of one axis per word group, or of a few axes derived from the word. Deterministic, of length 1. */
function embed(text: string, dimensions: number, { synonyms = [], noise = 0.4 }: Options): number[] {
  const vector = Array.from({ length: dimensions }, () => 0);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    const group = synonyms.findIndex((words) => words.includes(word));
    if (group >= 0) vector[group % dimensions]! += 3;
    else vector[synonyms.length + (hash(word) % Math.max(1, dimensions - synonyms.length))]! += noise;
  }
  vector[dimensions - 1]! += 0.2;
  const length = Math.hypot(...vector);
  return vector.map((number) => number / length);
}

function hash(word: string): number {
  return [...word].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 1_000_003, 7);
}
