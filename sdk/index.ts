// A typed client for a Thalamus server: `createClient({ url, key }).call('add_memory', { content: 'The office dog is called Biscuit.' })`.
import type { Operations } from './operations.d.ts';

export type OperationName = keyof Operations;
/** What an operation takes. */
export type Input<Name extends OperationName> = Operations[Name]['input'];
/** What it answers: the server checks every answer against the same schema. */
export type Output<Name extends OperationName> = Operations[Name]['output'];
/** Calls an operation. What may be left out of its input, may; an input that has to have nothing may be left out. */
export type Call<Options> = <Name extends OperationName>(
  name: Name,
  ...rest: {} extends Input<Name> ? [input?: Input<Name>, options?: Options] : [input: Input<Name>, options?: Options]
) => Promise<Output<Name>>;

/** A call that was refused or failed. `code` is one of the operation's `errors`; the message is written for people. */
export class CallError extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: unknown;

  constructor(status: number, problem: { code?: unknown; detail?: unknown; details?: unknown } | null) {
    super(typeof problem?.detail === 'string' ? problem.detail : `The server answered ${status}.`);
    this.name = 'CallError';
    this.status = status;
    this.code = typeof problem?.code === 'string' ? problem.code : String(status);
    this.details = problem?.details;
  }
}

export type ClientOptions = { url: string; key: string; headers?: Record<string, string>; fetch?: typeof fetch };
export type CallOptions = { idempotencyKey?: string; signal?: AbortSignal };

/** A client of the server at `url`, as the caller of `key`. Throws `CallError` when the server refuses, and what `fetch` throws when none answers. */
export function createClient({ url, key, headers, fetch: send = fetch }: ClientOptions): { call: Call<CallOptions> } {
  const call = async (name: string, input: object = {}, { idempotencyKey, signal }: CallOptions = {}) => {
    const response = await send(`${url.replace(/\/$/, '')}/v1/tools/${encodeURIComponent(name)}`, {
      method: 'POST',
      headers: {
        ...headers,
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
      },
      body: JSON.stringify(input),
      ...(signal && { signal }),
    });
    const body: unknown = await response.json().catch(() => {
      signal?.throwIfAborted();
      return null;
    });
    if (!response.ok) throw new CallError(response.status, body as { code?: unknown } | null);
    return body;
  };
  return { call: call as Call<CallOptions> };
}
