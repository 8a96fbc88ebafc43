// What travels between a client and an emulator, and the state that a request can change.
import type { IncomingHttpHeaders } from 'node:http';

/** A request as it was read. */
export type IncomingRequest = { method: string; url: URL; headers: IncomingHttpHeaders; body: Buffer };

/** What a handler answers: JSON unless it gives bytes. */
export type Reply = {
  status?: number;
  headers?: Record<string, string>;
  json?: unknown;
  bytes?: { contentType: string; content: Uint8Array };
};

/** A refusal, as it goes over the wire. Thrown by handlers, written by the server. */
export class WireError extends Error {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Record<string, string>;

  constructor(status: number, message: string, body: unknown, headers: Record<string, string> = {}) {
    super(message);
    this.name = 'WireError';
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

/** An emulator's state, which is plain data so that a request can be run on a copy of it, and its settings. */
export type World<Data> = { url: string; now: () => Date; data: Data };

/** The token of an Authorization header. */
export function findBearerToken(headers: IncomingHttpHeaders): string | undefined {
  return /^Bearer\s+(.+)$/i.exec(headers.authorization ?? '')?.[1];
}
